// The noisy organization, in a process of its own: everything one account can do at once, with its own credentials only.
import { request } from 'node:http';

export type NoiseOrder = {
  url: string;
  orgId: string;
  projectId: string;
  /** Keys of the organization with every scope, used in turn: each has its own request limit. */
  keys: string[];
  /** Addresses that accept a request and never answer, and that answer 200 after a long while. */
  hangingUrl: string;
  tarpitUrl: string;
  monitors: number;
  /** How long each check waits for the hanging address, in seconds. */
  hangSeconds: number;
  targets: number;
  notes: number;
  streams: number;
  /** Loops that post bodies of nearly 1 MB, one after the other. */
  bodies: number;
};

export type NoiseReport = { streamsOpen: number; streamsRefused: number };

process.once('message', (order: NoiseOrder) => void begin(order));
process.once('disconnect', () => process.exit());

async function begin(order: NoiseOrder): Promise<void> {
  const { url, orgId, projectId, keys } = order;
  let turn = 0;
  const headers = () => ({
    'content-type': 'application/json',
    authorization: `Bearer ${keys[turn++ % keys.length]}`,
  });
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: headers(), body: JSON.stringify(body) });

  await inTurns(order.targets, 4, (i) =>
    post(`/organizations/${orgId}/webhooks`, {
      name: `Tarpit ${i}`,
      kind: 'webhook',
      url: `${order.tarpitUrl}/${i}`,
      events: ['opened', 'updated'],
    }),
  );
  await inTurns(order.monitors, 8, (i) =>
    post(`/projects/${projectId}/monitors`, {
      name: `Hanging ${i}`,
      type: 'http',
      config: { url: `${order.hangingUrl}/${i}`, timeout_ms: order.hangSeconds * 1000 },
      interval_seconds: order.hangSeconds + 1,
      regions: ['local'],
    }),
  );
  const made = await post(`/organizations/${orgId}/incidents`, { cause: 'Noise', severity: 'default' });
  const incident = (await made.json()) as { id: string };
  const report: NoiseReport = { streamsOpen: 0, streamsRefused: 0 };
  await inTurns(order.streams, 20, async () => {
    if (await streamOpens(`${url}/organizations/${orgId}/events`, headers().authorization))
      report.streamsOpen += 1;
    else report.streamsRefused += 1;
  });
  process.send?.(report);

  const noted = inTurns(order.notes, 4, (i) =>
    post(`/organizations/${orgId}/incidents/${incident.id}/notes`, {
      body: `Note ${i} ${'x'.repeat(900)}`,
      kind: 'note',
      visibility: 'internal',
    }),
  );
  // Each element is invalid, and each invalid element costs the validator time.
  const huge = `{"name":"${'x'.repeat(100)}","monitors":[${'1,'.repeat(349_000)}1]}`;
  const flooded = Array.from({ length: order.bodies }, async () => {
    for (;;) {
      const path = `${url}/organizations/${orgId}/maintenance-windows`;
      const answer = await fetch(path, { method: 'POST', headers: headers(), body: huge }).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer === null || answer.status === 429) await new Promise((next) => setTimeout(next, 100));
    }
  });
  await Promise.all([noted, ...flooded]);
}

/** A live stream that is opened and never read. */
function streamOpens(url: string, authorization: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { headers: { authorization }, agent: false });
    asked.on('error', () => resolve(false));
    asked.on('response', (response) => {
      response.on('error', () => undefined);
      response.pause();
      if (response.statusCode !== 200) response.resume();
      resolve(response.statusCode === 200);
    });
    asked.end();
  });
}

/** Runs `act` for 0 … count − 1, `width` at a time; refusals are the attacker's problem. */
async function inTurns(count: number, width: number, act: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const answer = await act(next++).catch(() => null);
      if (answer instanceof Response && !answer.bodyUsed) await answer.arrayBuffer().catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
