import type { Socket } from 'node:net';
import { bytesOccurIn } from '#probe/assertions/occurrence.ts';
import type { Check } from '#probe/check-outcome.ts';
import type { TcpConfig } from '#src/monitors/types/tcp/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { answerFailure, answerMismatch } from '../answer-failures.ts';
import { inbound } from '../inbound.ts';
import { reach } from '../reach.ts';
import { type RunningCheck, runCheck } from '../run-check.ts';

/** Bytes of the answer that are searched (docs/rules/monitor-types.md#tcp). */
const ANSWER_BYTES = 4096;

/**
 * Checks a TCP port (docs/rules/monitor-types.md#tcp): a connection, TLS if the config asks for it, and `expect` in the first 4
 * KiB of the answer.
 */
export const tcp: Check<TcpConfig> = (config, context) =>
  runCheck(config, context, config.expect === null ? 'target_connect' : 'target_app', async (running) => {
    const sends = config.send !== null && config.send !== '';
    const tls = config.tls ? { verify: true } : undefined;
    const { socket } = await reach(running, config, tls, { isTame: !sends });
    if (config.send !== null && sends) await send(socket, config.send, config.host);
    if (config.expect !== null) await judgeAnswer(socket, config.expect, config.host, running);
  });

function send(socket: Socket, text: string, host: string): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.write(text, (error) => (error ? reject(answerFailure(error, host)) : resolve())),
  );
}

async function judgeAnswer(
  socket: Socket,
  expect: string,
  host: string,
  running: RunningCheck,
): Promise<void> {
  const wanted = Buffer.from(expect);
  const sentAtMs = performance.now();
  const answer = inbound(socket, host, ANSWER_BYTES, running);
  let found: boolean;
  let looked = 0;
  try {
    found = await answer.until((unread) => {
      if (unread.length > 0) running.timings.first_byte ??= performance.now() - sentAtMs;
      const seen = unread.subarray(0, ANSWER_BYTES);
      // Searches only where new bytes could complete a match: an answer may arrive byte by byte.
      if (bytesOccurIn(seen.subarray(Math.max(0, looked - wanted.length + 1)), wanted))
        return { value: true, used: 0 };
      looked = seen.length;
      return seen.length === ANSWER_BYTES ? { value: false, used: 0 } : undefined;
    });
  } catch (error) {
    if (answer.unread().length === 0 || !endsTheAnswer(error)) throw error;
    found = false;
  }
  const seen = answer.unread().subarray(0, ANSWER_BYTES);
  running.judge(
    'Answer',
    { expected: `contains "${expect}"`, actual: shown(seen) },
    found
      ? undefined
      : answerMismatch(
          `The first ${seen.length} bytes that ${host} sent do not contain what is expected (config.expect)`,
        ),
  );
}

/** Whether this error ends an answer that has begun, which is then judged as it is. */
function endsTheAnswer(error: unknown): boolean {
  return (
    error instanceof OutboundFailure &&
    ['answer_timeout', 'connection_closed', 'connection_reset'].includes(error.failureClass)
  );
}

const shown = (answer: Buffer) => answer.subarray(0, 500).toString('utf8');
