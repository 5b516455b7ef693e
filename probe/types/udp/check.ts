import { bytesOccurIn } from '#probe/assertions/occurrence.ts';
import type { Check } from '#probe/check-outcome.ts';
import { bytesOf } from '#src/domain/datagram.ts';
import type { UdpConfig } from '#src/monitors/types/udp/config.ts';
import { exchangeDatagrams } from '#src/platform/outbound/datagram.ts';
import { endpoint, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { resolveVetted } from '#src/platform/outbound/vetted.ts';
import { answerMismatch } from '../answer-failures.ts';
import { plainHost } from '../host.ts';
import { runCheck } from '../run-check.ts';

/**
 * Checks a UDP service (docs/rules/monitor-types.md#udp): sends one datagram and, with `expect`, searches the first answer.
 * Sends it only once, since the target may not expect repeats.
 */
export const udp: Check<UdpConfig> = (config, context) =>
  runCheck(config, context, 'target_app', async (running) => {
    const { port, encoding, expect } = config;
    const { policy, resolver, deadlineAtMs, signal } = running;
    const payload = bytes(config.payload, encoding, 'payload');
    const wanted = expect === null ? null : bytes(expect, encoding, 'expect');
    const addresses = await resolveVetted(
      { host: plainHost(config.host), family: config.ip_family, policy, resolver, deadlineAtMs, signal },
      running.timings,
    );
    const sentAtMs = performance.now();
    const { value: answer, address } = await exchangeDatagrams({
      addresses,
      port,
      payload,
      take: (datagram) => datagram,
      onSilence: noAnswer,
      deadlineAtMs,
      signal,
    });
    running.timings.first_byte = performance.now() - sentAtMs;
    const from = endpoint(address, port);
    const actual = `${Buffer.from(answer).toString(encoding === 'text' ? 'utf8' : encoding)}`.slice(0, 1000);
    running.judge(
      'Answer',
      {
        expected: expect === null ? 'any answer' : `contains "${expect}"`,
        actual: `${answer.length} bytes from ${from}: ${actual}`,
      },
      wanted === null || bytesOccurIn(answer, wanted)
        ? undefined
        : answerMismatch(
            `The answer of ${from}, ${answer.length} bytes, does not contain what is expected (config.expect)`,
          ),
    );
  });

function bytes(text: string, encoding: UdpConfig['encoding'], field: 'payload' | 'expect'): Uint8Array {
  const read = bytesOf(text, encoding);
  if (read === null)
    throw new OutboundFailure('invalid_config', 'probe', `config.${field} is not ${encoding}`);
  return read;
}

function noAnswer(where: string): OutboundFailure {
  return new OutboundFailure(
    'no_answer',
    'target_app',
    `${where} did not answer within the time limit; over UDP nobody says whether it was heard`,
  );
}
