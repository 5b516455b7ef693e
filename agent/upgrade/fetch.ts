// Installs the version that the server asks for: fetches it from that server, verifies it, tries it, and keeps it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isBehind } from '#src/domain/version-order.ts';
import { exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import { type Fetched, type Programs, sumOf } from './programs.ts';

const run = promisify(execFile);
const FETCH_WITHIN_MS = 120_000;
const TRY_WITHIN_MS = 60_000;
const MAX_BYTES = 32 * 1024 * 1024;

export type RequestedUpgrade = NonNullable<Reply['upgrade']>;

export type FetchOptions = {
  wanted: RequestedUpgrade;
  /** Base address of the agent's server; nothing is fetched from elsewhere. */
  url: string;
  ownVersion: string;
  programs: Programs;
  signal: AbortSignal;
};

/** Why a version cannot be installed; undefined if it can. */
export function obstacle({
  wanted,
  ownVersion,
  programs,
}: Omit<FetchOptions, 'url' | 'signal'>): string | undefined {
  const { version, sha256 } = wanted;
  if (!isBehind(ownVersion, version)) return `this agent has ${ownVersion}, and goes to newer versions only`;
  if (programs.hasFailed(sha256)) return 'it was fetched before, and did not start on this machine';
  return undefined;
}

/** Fetches and keeps it; rejects with the reason if any check fails, and then nothing has changed. */
export async function fetchVersion({ wanted, url, programs, signal }: FetchOptions): Promise<Fetched> {
  const base = new URL(url);
  const from = new URL(`${base.pathname.replace(/\/$/, '')}/download/tocsin-agent.mjs`, base);
  const limits = { timeoutMs: FETCH_WITHIN_MS, maxBytes: MAX_BYTES, signal };
  const { status, text } = await exchange({ url: from, method: 'GET', ...limits });
  if (status !== 200) throw new Error(`${from.href} answers ${status}`);
  const bytes = Buffer.from(text);
  const sum = sumOf(bytes);
  if (sum !== wanted.sha256)
    throw new Error(`${from.href} has the SHA-256 ${sum}, and the server announced ${wanted.sha256}`);
  const fetched = programs.keep(wanted.version, bytes);
  try {
    const { stdout } = await run(process.execPath, [programs.pathOf(fetched), '--version'], {
      timeout: TRY_WITHIN_MS,
      signal,
      windowsHide: true,
    });
    if (stdout.trim() !== wanted.version)
      throw new Error(`it says that it is ${JSON.stringify(stdout.slice(0, 50))}`);
  } catch (error) {
    if (!signal.aborted) programs.failed(fetched);
    throw new Error(`it does not start on this machine: ${error instanceof Error ? error.message : error}`);
  }
  return fetched;
}
