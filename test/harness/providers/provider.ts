// Receivers that stand for a provider: each validates requests with its own code, written from the provider's documentation,
// and answers as the provider does.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaited } from '../awaited.ts';

export type Got = { method: string; path: string; headers: Record<string, string>; raw: string };
export type Reply = { status: number; body: string; headers?: Record<string, string> };

// biome-ignore lint/suspicious/noExplicitAny: a foreign document, validated before it is trusted
export type Document = any;

/** The mistakes of a request, in words; none: it is accepted. */
export type Judge = (got: Got, body: Document) => string[];

export type ProviderRules = {
  judge: Judge;
  accepted: Reply;
  refused: Reply;
  /** Its answer to an accepted request, if that depends on the request. */
  answer?: (got: Got) => Reply;
};

export type Received = Got & { body: Document; problems: string[] };

export type Provider = {
  url: string;
  host: string;
  received: Received[];
  /** Its answer to the next request, whatever it is. */
  once: (reply: Reply) => void;
  next: (fits: (message: Received) => boolean) => Promise<Received>;
};

/** The mistakes of a request, including invalid JSON. */
export function problemsOf(rules: ProviderRules, got: Got): { body: Document; problems: string[] } {
  try {
    const body: Document = JSON.parse(got.raw);
    const problems = rules.judge(got, body);
    if (!/^application\/json(;|$)/.test(got.headers['content-type'] ?? '')) problems.push('not sent as JSON');
    if (!got.raw.isWellFormed()) problems.push('broken Unicode');
    return { body, problems };
  } catch (error) {
    return { body: null, problems: [`not readable: ${String(error)}`] };
  }
}

/** Starts the provider on a free port of this machine; `after` gets the function that stops it. */
export async function startProvider(
  { after }: { after: (stop: () => Promise<void>) => void },
  rules: ProviderRules,
): Promise<Provider> {
  const received: Received[] = [];
  const answers: Reply[] = [];
  const { look, next } = awaited(received, () => `no such message (got ${JSON.stringify(received)})`);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const got = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      raw: Buffer.concat(chunks).toString('utf8'),
    };
    const { body, problems } = problemsOf(rules, got);
    const reply =
      answers.shift() ?? (problems.length === 0 ? (rules.answer?.(got) ?? rules.accepted) : rules.refused);
    received.push({ ...got, body, problems });
    response.writeHead(reply.status, reply.headers).end(reply.body);
    look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, received, once: (reply) => void answers.push(reply), next };
}

/** A text of at most this many UTF-16 units, and not empty unless that is allowed. */
export function text(what: string, value: unknown, max: number, { min = 1 } = {}): string[] {
  if (typeof value !== 'string') return [`${what} is no text`];
  if (value.length < min) return [`${what} is too short`];
  return value.length > max ? [`${what} has ${value.length} characters, ${max} is the limit`] : [];
}

/** A link that a person can follow. */
export const link = (what: string, value: unknown): string[] =>
  typeof value === 'string' && /^https?:\/\/\S+$/.test(value) ? [] : [`${what} is no link`];
