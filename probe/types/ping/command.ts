import { type ChildProcess, execFile } from 'node:child_process';
import { platform } from 'node:process';
import { onDeadline } from '#src/platform/outbound/deadline.ts';
import { cancelledByCaller, OutboundFailure, ownFailure } from '#src/platform/outbound/failures.ts';
import type { Address } from '#src/platform/outbound/resolve.ts';
import type { Bounds } from '../inbound.ts';
import { pingStatistics, pingTrouble } from './output.ts';

export type PingOutput = {
  output: string;
  errors: string;
  /** Milliseconds between two packets. */
  intervalMs: number;
};

/** An unprivileged user may not send faster (iputils); slower would not fit 20 packets into the usual 5 s. */
const INTERVAL_MS = 200;
/** How long an interrupted `ping` may take to print its statistics and end. */
const LAST_WORDS_MS = 250;
const MAX_OUTPUT_BYTES = 64 * 1024;

/** Older BusyBox has no interval option. Once that is known, packets are sent a second apart. */
let knowsInterval = true;

/**
 * Runs the system's `ping` without a shell on a vetted address, and interrupts it before the deadline; it then prints
 * the statistics so far. Throws OutboundFailure: `ping_unavailable` (layer probe) when `ping` is missing or
 * may not send, `connect_unreachable` without a route to the address, `aborted`.
 */
export async function runPing(
  { address, family }: Address,
  count: number,
  bounds: Bounds,
): Promise<PingOutput> {
  if (platform === 'win32')
    throw unavailable('Ping monitors do not run on Windows. Run this probe on Linux or macOS.');
  if (!/^[0-9a-f.:]+$/i.test(address)) throw unavailable(`${address} cannot be pinged.`);
  const command = platform === 'darwin' && family === 6 ? 'ping6' : 'ping';
  const interval = knowsInterval ? ['-i', String(INTERVAL_MS / 1000)] : [];
  // English messages, whatever the machine's locale.
  const said = await run(
    'env',
    ['LC_ALL=C', command, '-n', '-c', String(count), ...interval, address],
    bounds,
  );
  const counted = { ...said, intervalMs: interval.length > 0 ? INTERVAL_MS : 1000 };
  switch (pingTrouble(said.errors)) {
    case 'unknown_option':
      if (!knowsInterval)
        throw unavailable(
          'ping on this probe’s machine lacks an option that Tocsin needs. Install iputils-ping.',
        );
      knowsInterval = false;
      return runPing({ address, family }, count, bounds);
    case 'unreachable':
      // Only for a moment: the others are lost.
      if ((pingStatistics(said.output)?.received ?? 0) > 0) return counted;
      throw new OutboundFailure(
        'connect_unreachable',
        'target_connect',
        `No route to ${address}: the network or the host is unreachable from here`,
      );
    case 'forbidden':
      throw new OutboundFailure('probe_forbidden', 'probe', `This machine forbids sending to ${address}`);
    case 'unavailable':
      throw unavailable(
        'ping may not send ICMP on this probe’s machine. Give it the capability CAP_NET_RAW.',
      );
    default:
      return counted;
  }
}

function run(
  command: string,
  args: string[],
  { deadlineAtMs, signal }: Bounds,
): Promise<Omit<PingOutput, 'intervalMs'>> {
  return new Promise((resolve, reject) => {
    let child: ChildProcess | undefined;
    let failure: OutboundFailure | undefined;
    const lastWordsMs = Math.min(LAST_WORDS_MS, (deadlineAtMs - performance.now()) / 4);
    const interrupt = onDeadline(deadlineAtMs - lastWordsMs, undefined, () => child?.kill('SIGINT'));
    const release = onDeadline(deadlineAtMs, signal, (aborted) => {
      failure = aborted
        ? cancelledByCaller()
        : new OutboundFailure('probe_error', 'probe', 'ping did not end in time on this probe’s machine');
      child?.kill('SIGKILL');
      settle(() => reject(failure));
    });
    const settle = (end: () => void) => {
      interrupt();
      release();
      end();
    };
    child = execFile(
      command,
      args,
      { maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL', windowsHide: true },
      (error, output, errors) => {
        if (failure) return;
        const code = error?.code as string | number | undefined;
        if (code === 'ENOENT' || code === 127)
          return settle(() =>
            reject(unavailable('ping isn’t installed on this probe’s machine. Install iputils-ping.')),
          );
        // In a container that may not send ICMP at all, ping does not even start.
        if (code === 126)
          return settle(() =>
            reject(
              unavailable('ping may not run on this probe’s machine. Allow the probe’s user to run it.'),
            ),
          );
        // A `ping` that lost packets exits with 1; its output says the rest.
        if (error && typeof code === 'string' && code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
          return settle(() => reject(ownFailure(error)));
        settle(() => resolve({ output, errors }));
      },
    );
  });
}

/** `remedy`: why this probe cannot ping, and what to do about it. */
function unavailable(remedy: string): OutboundFailure {
  return new OutboundFailure('ping_unavailable', 'probe', remedy);
}
