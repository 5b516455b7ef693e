import { execFile } from 'node:child_process';
import { platform } from 'node:process';
import type { Capsule } from '#src/capsules/contract.ts';
import { networkAccess } from '#src/domain/network-policy.ts';
import { onDeadline } from '#src/platform/outbound/deadline.ts';
import type { Bounds } from '../types/inbound.ts';

type Route = NonNullable<Capsule['route']>;

const MAX_HOPS = 20;
const MAX_OUTPUT_BYTES = 16 * 1024;

/**
 * Traces the route to a vetted address with the machine's `traceroute`, unprivileged (UDP) and without a shell; null if it is
 * missing or not permitted. Uses its output up to the deadline. Private hops belong to the operator's network, and are shown as
 * "private" unless `showPrivate`.
 */
export async function traceRoute(
  address: string,
  { deadlineAtMs, signal }: Bounds,
  showPrivate: boolean,
): Promise<Route | null> {
  if (platform === 'win32' || !/^[0-9a-f.:]+$/i.test(address)) return null;
  const command = platform === 'darwin' && address.includes(':') ? 'traceroute6' : 'traceroute';
  // English messages, whatever the machine's locale.
  const args = ['LC_ALL=C', command, '-n', '-q', '1', '-w', '1', '-m', String(MAX_HOPS), address];
  const output = await new Promise<string>((resolve) => {
    const release = onDeadline(deadlineAtMs, signal, () => child.kill('SIGKILL'));
    const child = execFile(
      'env',
      args,
      { maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL', windowsHide: true },
      (_error, said) => {
        release();
        resolve(said);
      },
    );
  });
  const hops = hopsOf(output, showPrivate);
  return hops.length === 0 ? null : { to: address, hops };
}

/** The hops in the output of `traceroute -n -q 1` (Linux, BSD, BusyBox). */
export function hopsOf(output: string, showPrivate: boolean): Route['hops'] {
  const hops: Route['hops'] = [];
  for (const line of output.split('\n')) {
    const [, hop, rest = ''] = /^\s*(\d{1,2})\s+(.{1,200})$/.exec(line) ?? [];
    if (hop === undefined || Number(hop) < 1 || Number(hop) > 64 || hops.length === 64) continue;
    const [, address, ms] = /^([0-9a-f.:]{2,64})\s+(\d+(?:\.\d+)?) ms/i.exec(rest) ?? [];
    hops.push({
      hop: Number(hop),
      address: address === undefined ? null : shown(address, showPrivate),
      took_ms: ms === undefined ? null : Number(ms),
    });
  }
  // Drops the silent hops after the last router that answers.
  const last = hops.findLastIndex(({ address }) => address !== null);
  return hops.slice(0, last + 2);
}

const shown = (address: string, showPrivate: boolean) =>
  showPrivate || networkAccess(address, { allowPrivate: false }).allowed ? address : 'private';
