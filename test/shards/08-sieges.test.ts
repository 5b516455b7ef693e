import { runShard } from './shard.ts';

runShard('sieges');
