// Takes walks, each with an organization of its own.
import { takeSteps } from '../simulation/turns.ts';
import { makeScene } from './scene.ts';
import type { Stage } from './stage.ts';
import { takeTrip } from './trips.ts';
import type { Act, Step, Trip, Walk } from './walk.ts';

const TRIPS = new Set<Step['do']>(['again', 'elsewhere', 'drift', 'race', 'transfer', 'bring']);
const isTrip = (step: Step): step is Trip => TRIPS.has(step.do);

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (stage: Stage, walk: Walk): Promise<string[]> =>
  takeSteps(async () => {
    const scene = await makeScene(stage, walk.hasHost);
    let wrong: string[] = [];
    return {
      take: async (step) => {
        if (isTrip(step)) wrong = await takeTrip(stage, scene, step);
        else await scene.act(step as Act);
      },
      judge: async () => wrong,
    };
  }, walk.steps);
