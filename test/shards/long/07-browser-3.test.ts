import { runShard } from '../shard.ts';

runShard('long-browser-3');
