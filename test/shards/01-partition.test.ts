import { runShard } from './shard.ts';

runShard('partition');
