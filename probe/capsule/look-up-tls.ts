import type { TLSSocket } from 'node:tls';
import type { Capsule } from '#src/capsules/contract.ts';
import { chainOf } from '#src/platform/outbound/certificate.ts';
import { chainFailure, nameFailure } from '#src/platform/outbound/chain.ts';
import { type CheckContext, printable } from '../check-outcome.ts';
import { runCheck } from '../types/run-check.ts';
import { sessionWith } from '../types/tls/check.ts';
import type { Where } from './where.ts';

type Tls = NonNullable<Capsule['tls']>;

/** The certificates that a target presents and their problems; a failure is shown too. */
export async function lookUpTls(
  { host, port, family, tls }: Where & { port: number; tls: NonNullable<Where['tls']> },
  context: CheckContext,
  withinMs: number,
): Promise<Tls> {
  let found: Tls | undefined;
  const limits = { timeout_ms: Math.max(1, withinMs), degraded_after_ms: null };
  const observed = await runCheck(limits, context, 'target_tls', async (running) => {
    const { starttls, serverName, caPem } = tls;
    const where = { host, port, server_name: serverName, starttls, ip_family: family };
    found = describe(await sessionWith(where, running, caPem), serverName ?? host);
  });
  const error = observed.detail ?? 'No certificate';
  return found ?? { protocol: null, cipher: null, error, certificates: [] };
}

function describe(session: TLSSocket, name: string): Tls {
  const failure = chainFailure(session, name) ?? nameFailure(session, name);
  return {
    protocol: session.getProtocol(),
    cipher: printable(session.getCipher().name, 100),
    error: failure?.message ?? null,
    certificates: chainOf(session).map((certificate) => ({
      subject: named(certificate.subject),
      issuer: named(certificate.issuer),
      names: (certificate.subjectaltname ?? '')
        .split(', ')
        .filter((each) => each !== '')
        .slice(0, 20)
        .map((each) => printable(each.replace(/^(DNS|IP Address):/, ''), 255)),
      valid_from_unix: Math.floor(Date.parse(certificate.valid_from) / 1000) || 0,
      valid_to_unix: Math.floor(Date.parse(certificate.valid_to) / 1000) || 0,
      fingerprint_sha256: printable(certificate.fingerprint256 ?? '', 100),
    })),
  };
}

/** The CN, organization and country in a name, where present. */
function named(name: unknown): string {
  const { CN, O, C } = (name ?? {}) as Record<string, unknown>;
  return printable(
    [CN, O, C]
      .filter((part) => part !== undefined)
      .map(String)
      .join(', '),
    300,
  );
}
