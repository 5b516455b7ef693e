import { runShard } from './shard.ts';

runShard('browser');
