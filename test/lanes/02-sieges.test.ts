import { runLane } from './lane.ts';

runLane('sieges');
