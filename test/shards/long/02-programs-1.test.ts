import { runShard } from '../shard.ts';

runShard('long-programs-1');
