import { runShard } from '../shard.ts';

runShard('long-partition');
