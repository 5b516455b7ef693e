import type { TLSSocket } from 'node:tls';
import { asksForBody, type Question } from '#probe/assertions/asked.ts';
import { judge } from '#probe/assertions/judge.ts';
import { type Holding, UNBOUNDED } from '#probe/bodies.ts';
import {
  type Check,
  type CheckContext,
  type Finding,
  findingOf,
  type Observation,
  type OnJudgement,
  printable,
  printableJudgement,
} from '#probe/observation.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import { utcDay } from '#src/domain/utc.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { expiresAtMs } from '#src/platform/outbound/certificate.ts';
import { STEPS } from '../observe.ts';
import { plainBody } from './content.ts';
import type { Answer, BodyUse } from './exchange.ts';
import { answerOf, type Progress } from './fetch.ts';

/**
 * Checks an HTTP or HTTPS address (docs/rules/monitor-types.md#http): up, degraded when only too slow, down with the
 * first reason otherwise. `timeout_ms` covers the whole exchange, redirects and body included. The check ends with the first
 * reason, unless a person waits for it: then it judges everything. It does not use `observe`: the probe's own judging
 * counts neither as latency nor against the deadline here, and the response time is told of failed checks, too.
 */
export const http: Check<HttpConfig> = async (config, given) => {
  const startedAtMs = performance.now();
  const context = { ...given, judged: clipping(given.judged) };
  const progress: Progress = { timings: {}, status: undefined };
  const holding = given.bodies?.hold(given.subject ?? { organizationId: '' }) ?? UNBOUNDED;
  let finding: Finding | undefined;
  let tookMs: number | undefined;
  try {
    const answer = await answerOf(config, context, {
      deadlineAtMs: startedAtMs + config.timeout_ms,
      progress,
      holding,
      decodes: asksForBody(config),
      secured: (session, host) => {
        const found = daysLeftFinding(session, host, config, context.judged);
        finding ??= found;
        // The finding is known, and nothing may be sent over a connection that was found wanting.
        if (found && context.judged === undefined) throw new Ended();
      },
      bodyUse: (status, headers) => {
        const found = statusFinding(config, status, context.judged);
        finding ??= found;
        return bodyUse(config, headers, found === undefined, context.judged !== undefined);
      },
    });
    // The time that the probe takes to judge the answer is not the target's latency.
    tookMs = performance.now() - startedAtMs;
    if (finding === undefined || context.judged) {
      const found = await judgeAnswer(config, answer, holding, context);
      finding ??= found;
    }
  } catch (error) {
    if (!(error instanceof Ended)) {
      const found = findingOf(error);
      reportBroken(found, context.judged);
      finding ??= found;
    }
  } finally {
    holding.end();
  }
  return observation(config, finding, progress, tookMs ?? performance.now() - startedAtMs, context);
};

/** Ends a check whose finding is known. */
class Ended extends Error {}

function daysLeftFinding(
  socket: TLSSocket,
  host: string,
  config: HttpConfig,
  onJudgement: OnJudgement | undefined,
): Finding | undefined {
  const least = config.tls.min_days_left ?? null;
  const endsAtMs = least === null ? null : expiresAtMs(socket);
  if (least === null || endsAtMs === null) return undefined;
  const daysLeft = (endsAtMs - (performance.timeOrigin + performance.now())) / DAY_MS;
  const ends = utcDay(endsAtMs);
  const ok = daysLeft >= least;
  onJudgement?.({
    what: 'Days left of the certificate',
    expected: `at least ${least}`,
    actual: `${Math.floor(daysLeft)}, until ${ends}`,
    ok,
  });
  if (ok) return undefined;
  if (onJudgement === undefined) socket.destroy();
  return {
    failureClass: 'tls_expires_soon',
    layer: 'target_tls',
    detail: `The certificate of ${host} expires on ${ends}, in ${Math.floor(daysLeft)} days; at least ${least} are asked for (config.tls.min_days_left)`,
  };
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
  holding: Holding,
  { subject, signal, watched, chargeApart, judged: onJudgement }: CheckContext,
): Promise<Finding | undefined> {
  const { header_assertions, keyword, json_assertions } = config;
  if (header_assertions.length === 0 && !asksForBody(config)) return undefined;
  const { headers } = answer;
  let body: Question['body'] = null;
  let broken: Finding | undefined;
  if (asksForBody(config))
    try {
      const { 'content-encoding': encoding, 'content-type': type } = headers;
      const limits = { maxBodyBytes: config.max_body_bytes, holding };
      body = await plainBody(answer.body, encoding, type, limits);
    } catch (error) {
      broken = findingOf(error);
    }
  const question: Question = { header_assertions, keyword, json_assertions, headers, body };
  const found = await judge(question, { subject, signal, watched, chargeApart, onJudgement });
  if (broken) reportBroken(broken, onJudgement);
  return found ?? broken;
}

function statusFinding(
  config: HttpConfig,
  status: number,
  onJudgement: OnJudgement | undefined,
): Finding | undefined {
  const wanted = config.expected_status.join(', ');
  const ok = expected(config, status);
  onJudgement?.({ what: 'Status', expected: wanted, actual: String(status), ok });
  return ok
    ? undefined
    : {
        failureClass: 'http_status',
        layer: 'target_http',
        detail: `Answered ${status}; expected ${wanted}`,
      };
}

function reportBroken({ layer, detail }: Finding, onJudgement: OnJudgement | undefined): void {
  onJudgement?.({ what: STEPS[layer].what, expected: STEPS[layer].wanted, actual: detail, ok: false });
}

function clipping(onJudgement: OnJudgement | undefined): OnJudgement | undefined {
  return onJudgement && ((judgement) => onJudgement(printableJudgement(judgement)));
}

function observation(
  config: HttpConfig,
  finding: Finding | undefined,
  progress: Progress,
  totalMs: number,
  { judged: onJudgement }: CheckContext,
): Observation {
  const total = Math.round(totalMs);
  const timings: NonNullable<Observation['timings_ms']> = { total };
  for (const phase of ['dns', 'connect', 'tls', 'first_byte'] as const) {
    const spent = progress.timings[phase];
    if (spent !== undefined) timings[phase] = Math.round(spent);
  }
  const measured: Observation = {
    status: 'up',
    latency_ms: total,
    timings_ms: timings,
    ...(progress.status === undefined ? {} : { response_code: progress.status }),
  };
  const slow = config.degraded_after_ms !== null && totalMs > config.degraded_after_ms;
  if (config.degraded_after_ms !== null)
    onJudgement?.({
      what: 'Response time',
      expected: `at most ${config.degraded_after_ms} ms`,
      actual: `${total} ms`,
      ok: !slow,
    });
  if (finding)
    return {
      ...measured,
      status: 'down',
      failure_class: finding.failureClass,
      cause_layer: finding.layer,
      detail: printable(finding.detail),
    };
  if (slow)
    return {
      ...measured,
      status: 'degraded',
      failure_class: 'slow',
      cause_layer: 'target_http',
      detail: `Took ${total} ms; degraded after ${config.degraded_after_ms} ms`,
    };
  return measured;
}
