// Stand-ins for PagerDuty, Slack and a webhook's receiver: they keep what they accept, by organization, and refuse what they are
// told to.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Page = { action: 'trigger' | 'acknowledge' | 'resolve'; key: string };

export type Event = { id: string; event: string; incidentId: string };

export type Pagers = {
  /** For PAGERDUTY_URL. */
  pagerdutyUrl: string;
  /** For CHAT_WEBHOOK_HOSTS. */
  chatHost: string;
  chatUrl: (credential: string) => string;
  hookUrl: (credential: string) => string;
  /** Pages accepted for a credential, in order. */
  pages: (credential: string) => Page[];
  /** Headlines accepted in the chat of a credential, in order. */
  headlines: (credential: string) => string[];
  /** Events that the webhook of a credential accepted, in order. */
  events: (credential: string) => Event[];
  /** From now on everything for this credential is refused, or accepted again. */
  refuse: (credential: string, refuses: boolean) => void;
  stop: () => Promise<void>;
};

/** Starts them on a free port of this machine. */
export async function startPagers(): Promise<Pagers> {
  const pages = new Map<string, Page[]>();
  const chats = new Map<string, string[]>();
  const hooks = new Map<string, Event[]>();
  const refused = new Set<string>();
  const listOf = <T>(lists: Map<string, T[]>, key: string): T[] => {
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    return list;
  };
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const [, path, named] = /^\/(chat|hook)\/([^/]+)/.exec(request.url ?? '') ?? [];
    const credential = named ?? body.routing_key ?? '';
    if (refused.has(credential)) {
      response.writeHead(503).end();
      return;
    }
    if (path === 'chat') listOf(chats, credential).push(body.text ?? '');
    if (path === 'hook') {
      const { id = '', event = '', incident } = body;
      listOf(hooks, credential).push({ id, event, incidentId: incident?.id ?? '' });
    }
    if (path) {
      response.writeHead(200).end('ok');
      return;
    }
    const { event_action: action = 'trigger', dedup_key: key = '' } = body;
    listOf(pages, credential).push({ action, key });
    response.writeHead(202).end('{"status":"success"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chatHost = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    pagerdutyUrl: `http://${chatHost}`,
    chatHost,
    hookUrl: (credential) => `http://${chatHost}/hook/${credential}`,
    chatUrl: (credential) => `http://${chatHost}/chat/${credential}`,
    pages: (credential) => listOf(pages, credential),
    headlines: (credential) => listOf(chats, credential),
    events: (credential) => listOf(hooks, credential),
    refuse: (credential, refuses) => void (refuses ? refused.add(credential) : refused.delete(credential)),
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
  text?: string;
  id?: string;
  event?: string;
  incident?: { id: string };
};

async function read(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
}
