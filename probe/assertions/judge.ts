import type { Finding } from '../observation.ts';
import { type BodyQuestion, bodyFinding, couldBeSlow } from './body.ts';

let isolated: Promise<typeof import('./isolated.ts')> | undefined;

/** Ends the worker thread where there is one (at stop). */
export async function stopJudging(): Promise<void> {
  await (await isolated)?.stopIsolated();
}

/** The first thing about a body that is not as asked, or undefined; never throws. */
export async function judgeBody(question: BodyQuestion): Promise<Finding | undefined> {
  try {
    if (!couldBeSlow(question)) return await bodyFinding(question);
    isolated ??= import('./isolated.ts');
    const reply = await (await isolated).answerIsolated(question);
    if (reply === 'timeout')
      return notJudged('assertion_timeout', 'The expression took too long on this body: make it simpler');
    return 'invalid' in reply ? notJudged('invalid_config', reply.invalid) : reply.finding;
  } catch (error) {
    return notJudged('invalid_config', error instanceof Error ? error.message : 'unknown reason');
  }
}

/** The body could not be judged for a reason in the config, not in the target. */
function notJudged(failureClass: string, why: string): Finding {
  return { failureClass, layer: 'probe', detail: `An assertion could not be evaluated: ${why}` };
}
