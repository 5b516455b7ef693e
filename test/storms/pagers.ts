// Stand-ins for PagerDuty, Opsgenie, Slack and a webhook's receiver: they keep what they accept, by credential, refuse what they
// are told to, and can leave requests without an answer.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeSilence, type Silence } from '../harness/silence.ts';

export type Page = { action: 'trigger' | 'acknowledge' | 'resolve'; key: string };
/** A message in a chat: its headline, and all of it. */
export type Post = { headline: string; whole: string };
export type Event = { id: string; event: string; incidentId: string };

export type Pagers = {
  /** PAGERDUTY_URL, OPSGENIE_URL and CHAT_WEBHOOK_HOSTS. */
  env: Record<string, string>;
  chatUrl: (credential: string) => string;
  hookUrl: (credential: string) => string;
  /** What was accepted for a credential, in order. */
  pages: (credential: string) => Page[];
  posts: (credential: string) => Post[];
  events: (credential: string) => Event[];
  /** From now on everything for credentials that begin so is refused, or accepted again. */
  refuse: (prefix: string, refuses: boolean) => void;
  /** From now on nothing for credentials that begin so is answered, whether it `arrives` or not. */
  beSilent: (prefix: string, arrives: boolean) => Silence;
  stop: () => Promise<void>;
};

type Call = { credential: string } & ({ page?: Page } | { post: Post } | { event: Event });

/** Starts them on a free port of this machine. */
export async function startPagers(): Promise<Pagers> {
  const pages = new Map<string, Page[]>();
  const posts = new Map<string, Post[]>();
  const events = new Map<string, Event[]>();
  const refused = new Set<string>();
  const silences = new Map<string, Silence>();
  const listOf = <T>(lists: Map<string, T[]>, key: string): T[] => {
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    return list;
  };
  function accept(call: Call): void {
    if ('post' in call) listOf(posts, call.credential).push(call.post);
    else if ('event' in call) listOf(events, call.credential).push(call.event);
    else if (call.page) listOf(pages, call.credential).push(call.page);
  }
  const server = createServer(async (request, response) => {
    const call = callOf(request, await read(request));
    if ([...refused].some((prefix) => call.credential.startsWith(prefix))) {
      response.writeHead(503).end();
      return;
    }
    const silence = [...silences].find(
      ([prefix, { isOn }]) => isOn() && call.credential.startsWith(prefix),
    )?.[1];
    if (!silence || silence.arrives) accept(call);
    const answer = () =>
      'post' in call
        ? response.writeHead(200).end('ok')
        : response.writeHead(202).end('{"status":"success","requestId":"1"}');
    if (silence) silence.keep(answer, () => response.writeHead(503).end());
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { PAGERDUTY_URL: `http://${host}`, OPSGENIE_URL: `http://${host}`, CHAT_WEBHOOK_HOSTS: host },
    hookUrl: (credential) => `http://${host}/hook/${credential}`,
    chatUrl: (credential) => `http://${host}/chat/${credential}`,
    pages: (credential) => listOf(pages, credential),
    posts: (credential) => listOf(posts, credential),
    events: (credential) => listOf(events, credential),
    refuse: (prefix, refuses) => void (refuses ? refused.add(prefix) : refused.delete(prefix)),
    beSilent(prefix, arrives) {
      const silence = makeSilence(arrives);
      silences.set(prefix, silence);
      return silence;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Body = {
  routing_key?: string;
  event_action?: Page['action'];
  dedup_key?: string;
  alias?: string;
  text?: string;
  id?: string;
  event?: string;
  incident?: { id: string };
};

const ACTIONS: Record<string, Page['action']> = { acknowledge: 'acknowledge', close: 'resolve' };

/** What a request says, and for which credential. A note at Opsgenie changes no page. */
function callOf({ url = '', headers }: IncomingMessage, whole: string): Call {
  const body = JSON.parse(whole) as Body;
  const [, kind, first = '', alias = '', action = ''] = new URL(url, 'http://localhost').pathname.split('/');
  if (kind === 'chat') return { credential: first, post: { headline: body.text ?? '', whole } };
  if (kind === 'hook') {
    const { id = '', event = '', incident } = body;
    return { credential: first, event: { id, event, incidentId: incident?.id ?? '' } };
  }
  if (first === 'alerts') {
    const credential = headers.authorization?.replace('GenieKey ', '') ?? '';
    if (alias === '') return { credential, page: { action: 'trigger', key: body.alias ?? '' } };
    const changed = ACTIONS[action];
    return { credential, ...(changed ? { page: { action: changed, key: decodeURIComponent(alias) } } : {}) };
  }
  const { routing_key: credential = '', event_action = 'trigger', dedup_key: key = '' } = body;
  return { credential, page: { action: event_action, key } };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
