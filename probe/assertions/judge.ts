import type { Finding, Tell } from '../observation.ts';
import { type BodyQuestion, bodyFinding, couldBeSlow } from './body.ts';

let isolated: Promise<typeof import('./isolated.ts')> | undefined;

/** Ends the worker thread where there is one (at stop). */
export async function stopJudging(): Promise<void> {
  await (await isolated)?.stopIsolated();
}

/** The first thing about a body that is not as asked, or undefined; never throws. */
export async function judgeBody(question: BodyQuestion, tell?: Tell): Promise<Finding | undefined> {
  try {
    if (!couldBeSlow(question)) return await bodyFinding(question, tell);
    isolated ??= import('./isolated.ts');
    const reply = await (await isolated).answerIsolated({ ...question, judgeAll: tell !== undefined });
    if (reply === 'timeout')
      return notJudged(
        'assertion_timeout',
        'The expression took too long on this body: make it simpler',
        tell,
      );
    if ('invalid' in reply) return notJudged('invalid_config', reply.invalid, tell);
    if (tell) for (const judgement of reply.judgements) tell(judgement);
    return reply.finding;
  } catch (error) {
    return notJudged('invalid_config', error instanceof Error ? error.message : 'unknown reason', tell);
  }
}

/** The body could not be judged for a reason in the config, not in the target. */
function notJudged(failureClass: string, why: string, tell: Tell | undefined): Finding {
  const detail = `An assertion could not be evaluated: ${why}`;
  tell?.({ what: 'Body', expected: 'assertions that can be evaluated', actual: detail, ok: false });
  return { failureClass, layer: 'probe', detail };
}
