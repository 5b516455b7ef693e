import { runLane } from './lane.ts';

runLane('browser');
