import { runShard } from './shard.ts';

runShard('checks');
