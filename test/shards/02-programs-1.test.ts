import { runShard } from './shard.ts';

runShard('programs-1');
