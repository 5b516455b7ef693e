// A small server that speaks the protocol of agents, and keeps what it received.
import type { TestContext } from 'node:test';
import type { Heartbeat, HeartbeatPost } from '#src/agents/protocol-contract.ts';
import { httpServer } from './listeners.ts';

export type ReceivedPost = { path: string; credential: string; body: HeartbeatPost; bytes: number };
export type GivenAnswer = { status: number; body?: unknown; headers?: Record<string, string> };

export type AgentServer = {
  url: string;
  /** All requests, refused posts too. */
  posts: ReceivedPost[];
  /** Heartbeats of posts that were answered with 200, in order of arrival. */
  accepted: Heartbeat[];
  /** Its answer from now on; undefined: that of a healthy server. */
  answer: ((post: ReceivedPost) => GivenAnswer | 'hang' | undefined) | undefined;
  /** Fields of successful answers to heartbeats. */
  reply: Record<string, unknown>;
};

export const CREDENTIAL = 'tca_of_the_test';

/** Heartbeats every second by default. */
export async function agentServer(t: TestContext): Promise<AgentServer> {
  const server: AgentServer = {
    ...{ url: '', posts: [], accepted: [], answer: undefined },
    reply: { interval_seconds: 1, latest_version: '9.9.9', watched_services: [], inventory_enabled: false },
  };
  const port = await httpServer(t, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const { url: path = '', headers } = request;
      const credential = (headers.authorization ?? '').replace('Bearer ', '');
      const post = { path, credential, body: JSON.parse(bytes.toString()), bytes: bytes.length };
      server.posts.push(post);
      const given = server.answer?.(post) ?? good(post);
      if (given === 'hang') return;
      if (given.status === 200 && path === '/agent/heartbeat')
        server.accepted.push(...heartbeatsIn(post.body));
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}));
    });
  });
  server.url = `http://127.0.0.1:${port}`;
  return server;

  function good({ path }: ReceivedPost): GivenAnswer {
    if (path === '/agent/enroll')
      return { status: 200, body: { agent_id: 'agt_1', credential: CREDENTIAL, interval_seconds: 1 } };
    return { status: 200, body: { server_time_ms: Date.now(), ...server.reply } };
  }
}

export function heartbeatsIn(body: HeartbeatPost): Heartbeat[] {
  return body.heartbeats ?? [body as Heartbeat];
}
