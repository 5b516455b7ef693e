import { runLane } from './lane.ts';

runLane('units');
