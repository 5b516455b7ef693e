import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { CheckContext, Finding, OnJudgement } from '../check-outcome.ts';
import type { Tenant } from '../tenant.ts';
import type { Question } from './asked.ts';
import { costOf, MAIN_LOOP_STEPS } from './cost.ts';
import { expectation } from './operator.ts';
import { findingIn } from './question.ts';

let pool: Promise<typeof import('./pool.ts')> | undefined;

/** Ends the worker threads, if any (at stop). */
export async function stopJudging(): Promise<void> {
  await (await pool)?.stopJudging();
}

export type JudgeOptions = {
  /** The check's organization: threads are shared over organizations. */
  tenant?: Tenant | undefined;
  onJudgement?: OnJudgement | undefined;
  signal?: AbortSignal | undefined;
  watched?: CheckContext['watched'];
  /** Called with the milliseconds of processor time that the evaluation used outside the main loop. */
  chargeSeparately?: CheckContext['chargeSeparately'];
};

/**
 * The first mismatch between an answer and its assertions, or undefined; never throws. A question that could take long is
 * evaluated outside the main loop, with a time limit. A failed evaluation is never the target's fault: layer `probe`.
 */
export async function judge(question: Question, options: JudgeOptions): Promise<Finding | undefined> {
  const { tenant, onJudgement, signal, watched = (step) => step(), chargeSeparately } = options;
  try {
    if (costOf(question, onJudgement !== undefined) <= MAIN_LOOP_STEPS)
      return await watched(() => findingIn(question, () => undefined, onJudgement));
    pool ??= import('./pool.ts');
    const { answerInWorker, ANSWER_MS, GIVEN_MS, TURN_MS } = await pool;
    const outcome = await answerInWorker(question, {
      tenant: tenant ?? { organizationId: '' },
      judgeAll: onJudgement !== undefined,
      signal,
      watched,
      charge: chargeSeparately,
    });
    if (outcome === undefined)
      return { failureClass: 'aborted', layer: 'probe', detail: 'The check was cancelled' };
    if ('ran_out' in outcome)
      return outcome.ran_out === 'time'
        ? notJudged('assertion_timeout', tooLong(question, outcome.path, ANSWER_MS), onJudgement)
        : notJudged(
            'assertion_memory',
            'judging this answer takes more memory than a check may use',
            onJudgement,
          );
    if ('starved' in outcome) return notJudged('probe_busy', starved(GIVEN_MS), onJudgement);
    if ('not_reached' in outcome)
      return notJudged('probe_busy', notReached(outcome.behindOwn, TURN_MS), onJudgement);
    if ('invalid' in outcome) return notJudged('invalid_config', outcome.invalid, onJudgement);
    if (onJudgement) for (const judgement of outcome.judgements) onJudgement(judgement);
    return outcome.finding;
  } catch (error) {
    return notJudged(
      'invalid_config',
      error instanceof Error ? error.message : 'unknown reason',
      onJudgement,
    );
  }
}

function tooLong(question: Question, path: string | undefined, afterMs: number): string {
  return `${path ?? 'one of them'}${described(question, path)} took longer than ${afterMs / 1000} s on the target's answer and was stopped; make it simpler`;
}

/** The assertion in words, for its author. */
function described(question: Question, path: string | undefined): string {
  const [, list, index] = /^config\.(header|json)_assertions\.(\d+)$/.exec(path ?? '') ?? [];
  if (path === 'config.keyword' && question.keyword) return ` (${question.keyword.mode})`;
  if (list === undefined) return '';
  const assertion: HeaderOrJson | undefined =
    list === 'header' ? question.header_assertions[Number(index)] : question.json_assertions[Number(index)];
  if (assertion === undefined) return '';
  const what = 'name' in assertion ? assertion.name : assertion.path;
  return ` (${what.slice(0, 80)} ${expectation(assertion.op, assertion.value)})`;
}

type HeaderOrJson = HttpConfig['header_assertions'][number] | HttpConfig['json_assertions'][number];

function notReached(behindOwn: number, afterMs: number): string {
  const why =
    behindOwn > 0
      ? `${behindOwn} other answers of the same organization were ahead of it`
      : 'this probe has too many answers to judge';
  return `it waited ${afterMs / 1000} s for its turn: ${why}`;
}

const starved = (afterMs: number) =>
  `the machine of this probe was too busy to judge it within ${afterMs / 1000} s`;

/** The answer could not be judged, through no fault of the target. */
function notJudged(failureClass: string, why: string, onJudgement: OnJudgement | undefined): Finding {
  const detail = `An assertion could not be evaluated: ${why}`;
  onJudgement?.({
    what: 'Assertions',
    expected: 'assertions that can be evaluated',
    actual: detail,
    ok: false,
  });
  return { failureClass, layer: 'probe', detail };
}
