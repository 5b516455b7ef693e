import { runShard } from './shard.ts';

runShard('journeys-6');
