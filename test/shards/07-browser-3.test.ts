import { runShard } from './shard.ts';

runShard('browser-3');
