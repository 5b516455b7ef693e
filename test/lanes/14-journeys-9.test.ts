import { runLane } from './lane.ts';

runLane('journeys-9');
