import { runShard } from '../shard.ts';

runShard('long-journeys-1');
