import { isIP } from 'node:net';
import { networkAccess } from '#src/domain/network-policy.ts';
import { type MonotonicMs, onDeadline } from './deadline.ts';
import { cancelledByCaller, OutboundFailure } from './failures.ts';
import { type Address, createResolver, dnsTimeout, type IpFamily, type Resolver } from './resolve.ts';

export type NetworkPolicy = {
  allowPrivate: boolean;
  /** Called with every private address that is allowed. */
  onPrivate?: () => void;
  /** The addresses on which this installation listens: a connection with a user's content must not go there. */
  isOwn?: (address: string, port: number) => boolean;
  /** Addresses that nobody may reach on behalf of a user, whatever is sent (off-limits.ts). */
  isOffLimits?: ((address: string, port: number) => boolean) | undefined;
  /** The right time, Unix milliseconds, where it is known better than by the clock of this machine: certificates are judged by it. */
  nowMs?: (() => number) | undefined;
};

export type VettedQuestion = {
  /** A name or an IP literal, without brackets. */
  host: string;
  family: IpFamily;
  policy: NetworkPolicy;
  /** Called like `policy.onPrivate`, for this connection alone. */
  onPrivate?: (() => void) | undefined;
  deadlineAtMs: MonotonicMs;
  /** Absent: the machine's own. */
  resolver?: Resolver | undefined;
  signal?: AbortSignal | undefined;
};

let machineResolver: Resolver | undefined;

/**
 * The addresses of a host, at least one, each of them allowed by the network policy
 * (docs/rules/regions-and-probes.md#network-policy): callers connect to one of these and do not resolve again. Fills
 * `timings.dns` (milliseconds) if it resolves a name. Throws OutboundFailure (`dns_*`, `blocked_target`, `invalid_config`,
 * `aborted`).
 */
export async function resolveVetted(
  question: VettedQuestion,
  timings: { dns?: number } = {},
): Promise<Address[]> {
  const { host } = question;
  let addresses = literal(host, question.family);
  if (addresses === undefined) {
    const startMs = performance.now();
    addresses = await resolveInTime(question);
    timings.dns = performance.now() - startMs;
  }
  for (const { address } of addresses) vet(address, question);
  return addresses;
}

function literal(host: string, family: IpFamily): Address[] | undefined {
  const kind = isIP(host);
  if (kind === 0) return undefined;
  if (family !== 'auto' && family !== String(kind))
    throw new OutboundFailure('invalid_config', 'probe', `${host} is not an IPv${family} address`);
  return [{ address: host, family: kind as 4 | 6 }];
}

function vet(address: string, { host, policy, onPrivate }: VettedQuestion): void {
  const judged = networkAccess(address, policy);
  if (judged.allowed) {
    if (!judged.isPrivate) return;
    policy.onPrivate?.();
    onPrivate?.();
    return;
  }
  const what = host === address ? host : `${host}, which resolves to ${address},`;
  throw new OutboundFailure(
    'blocked_target',
    'probe',
    `The network policy of this region does not allow connecting to ${what} (${judged.why})`,
  );
}

function resolveInTime({ host, family, deadlineAtMs, resolver, signal }: VettedQuestion): Promise<Address[]> {
  machineResolver ??= createResolver();
  const answer = (resolver ?? machineResolver)(host, family);
  return new Promise((resolve, reject) => {
    const release = onDeadline(deadlineAtMs, signal, (aborted) =>
      reject(aborted ? cancelledByCaller() : dnsTimeout(host)),
    );
    answer.finally(release).then(resolve, reject);
  });
}
