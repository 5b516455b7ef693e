import { runShard } from './shard.ts';

runShard('browser-1');
