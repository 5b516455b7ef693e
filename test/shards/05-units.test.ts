import { runShard } from './shard.ts';

runShard('units');
