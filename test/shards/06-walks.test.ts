import { runShard } from './shard.ts';

runShard('walks');
