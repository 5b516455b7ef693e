import type { TLSSocket } from 'node:tls';
import { asksForBody, type Question } from '#probe/assertions/asked.ts';
import { judge as judgeAssertions } from '#probe/assertions/judge.ts';
import { type Reservation, UNBOUNDED } from '#probe/bodies.ts';
import {
  type Check,
  type CheckContext,
  type Finding,
  type OnJudgement,
  printableJudgement,
} from '#probe/check-outcome.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import { utcDay } from '#src/domain/utc.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { expiresAtMs } from '#src/platform/outbound/certificate.ts';
import { rightNowMs } from '../right-time.ts';
import { judgeBroken, judgeTime, judging, outcomeWith, type RunningCheck } from '../run-check.ts';
import { plainBody } from './content.ts';
import { excerptOf } from './excerpt.ts';
import type { Answer, BodyUse } from './exchange.ts';
import { answerOf, type Progress } from './fetch.ts';

/**
 * Checks an HTTP or HTTPS address (docs/rules/monitor-types.md#http): up, degraded if it is only too slow, else down with the
 * first reason. `timeout_ms` covers the whole exchange, redirects and body included. The check ends with the first reason,
 * unless a person waits for it: then it judges everything. It judges and reports like `runCheck`, but does not use it: here the
 * probe's own judging counts neither as latency nor against the deadline, and the response time of failed checks is judged too.
 */
export const http: Check<HttpConfig> = async (config, given) => {
  const startedAtMs = performance.now();
  const findings: Finding[] = [];
  const judge = judging(findings, given.judged);
  const judgesAll = given.judged !== undefined;
  let isPrivate = false;
  const context = { ...given, judged: clipping(given.judged) };
  const progress: Progress = { timings: {}, status: undefined };
  const reservation = given.bodies?.hold(given.tenant ?? { organizationId: '' }) ?? UNBOUNDED;
  let tookMs: number | undefined;
  try {
    const answer = await answerOf(config, context, {
      deadlineAtMs: startedAtMs + config.timeout_ms,
      progress,
      reservation,
      collects: config.keep_response && !judgesAll,
      decodes: asksForBody(config),
      onPrivate: () => {
        isPrivate = true;
      },
      secured: (session, host) => {
        if (judgeDaysLeft(session, host, config, { judge, nowMs: rightNowMs(given.policy) }) || judgesAll)
          return;
        // The check has failed, and nothing may be sent over a connection with a bad certificate.
        session.destroy();
        throw new Ended();
      },
      bodyUse: (status, headers) => bodyUse(config, headers, judgeStatus(config, status, judge), judgesAll),
    });
    // The time that the probe takes to judge the answer is not the target's latency.
    tookMs = performance.now() - startedAtMs;
    if (findings.length === 0 || judgesAll)
      await judgeAnswer(config, answer, reservation, context, findings, judge);
  } catch (error) {
    if (!(error instanceof Ended)) judgeBroken(error, judge);
  } finally {
    reservation.end();
  }
  const totalMs = tookMs ?? performance.now() - startedAtMs;
  judgeTime(config, totalMs, 'target_http', judge);
  const outcome = outcomeWith(findings[0], {
    latencyMs: totalMs,
    responseCode: progress.status,
    timings: { ...progress.timings, total: totalMs },
  });
  const { beginning } = progress;
  if (beginning === undefined || outcome.status !== 'down' || outcome.cause_layer === 'probe') return outcome;
  await beginning.settled();
  const keep = { bodyBytes: KEPT_BYTES, privateToo: given.keepPrivate === true, isPrivate };
  return { ...outcome, response_excerpt: await excerptOf(beginning, config, keep) };
};

/** Bytes of the body kept for a failed check. */
const KEPT_BYTES = 2_048;

/** Ends a check whose finding is known. */
class Ended extends Error {}

/** Judges whether the certificate is valid for the required number of days. */
function judgeDaysLeft(
  session: TLSSocket,
  host: string,
  config: HttpConfig,
  { judge, nowMs }: { judge: RunningCheck['judge']; nowMs: number },
): boolean {
  const least = config.tls.min_days_left ?? null;
  const endsAtMs = least === null ? null : expiresAtMs(session);
  if (least === null || endsAtMs === null) return true;
  const daysLeft = (endsAtMs - nowMs) / DAY_MS;
  const ends = utcDay(endsAtMs);
  const soon: Finding = {
    failureClass: 'tls_expires_soon',
    layer: 'target_tls',
    detail: `The certificate of ${host} expires on ${ends}, in ${Math.floor(daysLeft)} days; at least ${least} are asked for (config.tls.min_days_left)`,
  };
  return judge(
    'Days left of the certificate',
    { expected: `at least ${least}`, actual: `${Math.floor(daysLeft)}, until ${ends}` },
    daysLeft >= least ? undefined : soon,
  );
}

function bodyUse(
  config: HttpConfig,
  headers: Answer['headers'],
  statusOk: boolean,
  judgeAll: boolean,
): BodyUse {
  if (!statusOk && !judgeAll) return 'ignored';
  if (asksForBody(config)) return 'needed';
  // An event stream has no end to wait for.
  return !statusOk || /^text\/event-stream/i.test(headers['content-type'] ?? '') ? 'ignored' : 'watched';
}

function expected(config: HttpConfig, status: number): boolean {
  return config.expected_status.some((range) => {
    const [from, to] = range.split('-');
    return status >= Number(from) && status <= Number(to ?? from);
  });
}

async function judgeAnswer(
  config: HttpConfig,
  answer: Answer,
  reservation: Reservation,
  { tenant, signal, watched, chargeSeparately, judged: onJudgement }: CheckContext,
  findings: Finding[],
  judge: RunningCheck['judge'],
): Promise<void> {
  const { header_assertions, keyword, json_assertions } = config;
  if (header_assertions.length === 0 && !asksForBody(config)) return;
  const { headers } = answer;
  let body: Question['body'] = null;
  let broken: { error: unknown } | undefined;
  if (asksForBody(config))
    try {
      const { 'content-encoding': encoding, 'content-type': type } = headers;
      const limits = { maxBodyBytes: config.max_body_bytes, reservation };
      body = await plainBody(answer.body, encoding, type, limits);
    } catch (error) {
      broken = { error };
    }
  const question: Question = { header_assertions, keyword, json_assertions, headers, body };
  const found = await judgeAssertions(question, { tenant, signal, watched, chargeSeparately, onJudgement });
  if (found) findings.push(found);
  if (broken) judgeBroken(broken.error, judge);
}

function judgeStatus(config: HttpConfig, status: number, judge: RunningCheck['judge']): boolean {
  const wanted = config.expected_status.join(', ');
  const said = { expected: wanted, actual: String(status) };
  if (expected(config, status)) return judge('Status', said);
  const detail = `Answered ${status}; expected ${wanted}`;
  return judge('Status', said, { failureClass: 'http_status', layer: 'target_http', detail });
}

function clipping(onJudgement: OnJudgement | undefined): OnJudgement | undefined {
  return onJudgement && ((judgement) => onJudgement(printableJudgement(judgement)));
}
