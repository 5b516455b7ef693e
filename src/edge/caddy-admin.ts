// The admin API of one Caddy (https://caddyserver.com/docs/api): its configuration, read and replaced.
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { type OutboundReply, request } from '#src/platform/outbound/request.ts';
import type { CaddyConfig } from './caddy-config.ts';

/** Why an edge lacks its configuration: it does not answer, or it refuses the configuration. */
export class EdgeFailure extends Error {
  readonly reason: 'away' | 'refuses';

  constructor(reason: 'away' | 'refuses', sentence: string) {
    super(sentence);
    this.name = 'EdgeFailure';
    this.reason = reason;
  }
}

const READ_WITHIN_MS = 3_000;
/** Caddy answers once it listens with the new configuration. */
const LOAD_WITHIN_MS = 30_000;
/** A configuration of some ten thousand names. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The configuration that the edge has; null: none. Throws EdgeFailure. */
export async function readConfig(adminUrl: string, signal?: AbortSignal): Promise<CaddyConfig | null> {
  const reply = await call({ url: `${adminUrl}/config/`, method: 'GET', timeoutMs: READ_WITHIN_MS, signal });
  if (reply.status !== 200) throw new EdgeFailure('refuses', sentenceOf(reply));
  try {
    const read: unknown = JSON.parse(reply.bodyText);
    if (typeof read === 'object' && !Array.isArray(read)) return read as CaddyConfig | null;
  } catch {
    // Said below.
  }
  throw new EdgeFailure(
    'refuses',
    'What answers is not the admin API of a Caddy: it sends no configuration.',
  );
}

/** Replaces the configuration; an edge that refuses it keeps the current one. Throws EdgeFailure. */
export async function replaceConfig(
  adminUrl: string,
  config: CaddyConfig,
  signal?: AbortSignal,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(config));
  const reply = await call({
    url: `${adminUrl}/load`,
    method: 'POST',
    body,
    timeoutMs: LOAD_WITHIN_MS,
    signal,
  });
  if (reply.status !== 200) throw new EdgeFailure('refuses', sentenceOf(reply));
}

/** The operator has named the address: it may be in the operator's own network. */
async function call(asked: {
  url: string;
  method: 'GET' | 'POST';
  body?: Uint8Array;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}): Promise<OutboundReply> {
  const headers = { 'user-agent': 'Tocsin', 'content-type': 'application/json' };
  try {
    return await request({ ...asked, headers, policy: { allowPrivate: true }, maxReplyBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof OutboundFailure) throw new EdgeFailure('away', error.message);
    throw error;
  }
}

const MAX_REASON = 300;

/** Caddy's error message, on one line. */
function sentenceOf({ status, bodyText }: OutboundReply): string {
  let said = '';
  try {
    said = String((JSON.parse(bodyText) as { error?: unknown } | null)?.error ?? '');
  } catch {
    // Something else than Caddy.
  }
  const plain = said.replace(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_REASON);
  return plain === '' ? `It answered with status ${status}` : `It answered with status ${status}: ${plain}`;
}
