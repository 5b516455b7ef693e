// Raises the load step by step until the schedule slips.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, count, quantile } from './figure.ts';
import { coverageOf, latenessOf } from './lateness.ts';
import type { Outside } from './outside.ts';
import type { Made, Subject } from './subject.ts';

/** The schedule slips if the 99th percentile is later than this, or if a smaller share of checks is stored. */
export const SLIPPED_MS = 100;
export const MIN_SHARE = 0.99;

type Step = { perSecond: number; p99Ms: number; share: number };
export type Climb = {
  /** Checks a second of the last step that held; 0: none did. */ held: number;
  steps: Step[];
};

const SETTLE_MS = 4_000;

/** Enables more and more of the monitors, at 1 s, beginning with `from` of them. Monitor n watches address n. */
export async function climb(
  context: Context,
  subject: Subject,
  outside: Outside,
  monitors: readonly Made[],
  from: number,
  by: number,
): Promise<Climb> {
  const steps: Step[] = [];
  let held = 0;
  for (let perSecond = from; perSecond <= monitors.length; perSecond += by) {
    const active = monitors.slice(0, perSecond);
    await subject.enable(active, 1);
    await sleep(SETTLE_MS);
    const seconds = context.quick ? 2 : 4;
    outside.record();
    const fromMs = Date.now();
    await sleep(seconds * 1000);
    const lateMs = latenessOf(await outside.report(), active, 1);
    await sleep(1_500);
    const { stored, expected } = await coverageOf(subject, active, 1, fromMs, fromMs + seconds * 1000);
    const step = { perSecond, p99Ms: quantile(lateMs, 0.99), share: stored / expected };
    steps.push(step);
    context.say(stepText(step));
    if (!(step.p99Ms <= SLIPPED_MS) || step.share < MIN_SHARE) break;
    held = perSecond;
  }
  return { held, steps };
}

/** The last step that held; marked if the first step already slipped, or if the monitors ran out first. */
export function heldText({ held, steps }: Climb): string {
  if (held === 0) return `under ${count(steps[0]?.perSecond ?? 0)}`;
  return steps.at(-1)?.perSecond === held ? `${count(held)} and more` : count(held);
}

export function stepsText({ steps }: Climb): string {
  return steps.map(stepText).join('; ');
}

function stepText({ perSecond, p99Ms, share }: Step): string {
  return `${count(perSecond)}/s p99 ${Math.round(p99Ms)} ms, ${(share * 100).toFixed(1)} % stored`;
}
