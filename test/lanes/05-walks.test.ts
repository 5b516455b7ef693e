import { runLane } from './lane.ts';

runLane('walks');
