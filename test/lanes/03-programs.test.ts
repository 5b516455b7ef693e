import { runLane } from './lane.ts';

runLane('programs');
