import { runLane } from './lane.ts';

runLane('partition');
