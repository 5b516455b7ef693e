import { runShard } from './shard.ts';

runShard('programs-3');
