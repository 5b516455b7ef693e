import { runLane } from './lane.ts';

runLane('processes');
