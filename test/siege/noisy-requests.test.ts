// One organization opens streams by the hundred, sends bodies of a mebibyte in a loop and requests dozens of series of 90 days;
// another one's pages still load.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { openEventStream } from '../harness/event-stream.ts';
import { startInstallation } from '../harness/installation.ts';
import { type KeyHolder, makeKeyHolder } from '../harness/keys.ts';
import { scaled, WHOLE } from './scale.ts';

const KEYS = 5;
const STREAMS = scaled(80, 500);
const BODIES = scaled(40, 3000);
const SERIES_AT_ONCE = 60;
/** Fewer than a session may send in a minute, because a quick machine answers them all in one. */
const QUIET_REQUESTS = scaled(40, 900);
const MAX_MS = 300;
/** A machine that is busy with other work is slow without the noise as well, so this is a multiple of its own time. */
const TIMES_AS_SLOW = 15;
const p99Of = (took: number[]) => Math.round(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!);

test('the pages of a quiet organization are served while another one requests all it can', async (t) => {
  const installation = await startInstallation();
  t.after(() => installation.remove());
  const { url } = installation;
  const alice = await installation.admin();
  const place = async (name: string) => {
    const { id: orgId } = await alice.ok<{ id: string }>('POST', '/organizations', { name });
    const project = await alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, {
      name: 'Shop',
    });
    const body = { name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' }, enabled: false };
    const monitor = await alice.ok<Monitor>('POST', `/projects/${project.id}/monitors`, body);
    return { orgId, projectId: project.id, monitorId: monitor.id };
  };
  const [quiet, noisy] = [await place('Quiet'), await place('Noisy')];
  const scopes = ['monitors:write', 'incidents:read', 'projects:read'] as const;
  const keys: KeyHolder[] = [];
  for (let i = 0; i < KEYS; i++)
    keys.push(await makeKeyHolder({ url }, alice, noisy.orgId, { scopes: [...scopes] }));
  const key = (no: number) => keys[no % KEYS]!;

  const pages = [
    `/projects/${quiet.projectId}/monitors`,
    `/monitors/${quiet.monitorId}`,
    `/organizations/${quiet.orgId}/incidents`,
    '/me/organizations',
  ];
  /** Returns the time of each, in ms. */
  const ask = async (times: number) => {
    const took: number[] = [];
    for (let i = 0; i < times; i++) {
      const began = performance.now();
      assert.equal((await alice.send('GET', pages[i % pages.length]!)).status, 200);
      took.push(performance.now() - began);
    }
    return took;
  };
  const calm = await ask(scaled(40, 200));

  const streams: { stop: () => void }[] = [];
  t.after(() => {
    for (const stream of streams) stream.stop();
  });
  let refusedStreams = 0;
  for (let i = 0; i < STREAMS; i++)
    await openEventStream(`${url}/organizations/${noisy.orgId}/events`, key(i).headers).then(
      (stream) => streams.push(stream),
      () => (refusedStreams += 1),
    );
  assert.deepEqual([streams.length, refusedStreams], [50, STREAMS - 50]);

  const over = new AbortController();
  const large = JSON.stringify({ name: 'x', type: 'http', config: {}, regions: ['x'.repeat(1_000_000)] });
  const answers = new Map<number, number>();
  const note = (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1);
  const bodies = async (from: number) => {
    for (let i = from; i < BODIES && !over.signal.aborted; i += 4)
      note((await key(i).send('POST', `/projects/${noisy.projectId}/monitors`, large)).status);
  };
  const series = async (no: number) => {
    while (!over.signal.aborted)
      note((await key(no).send('GET', `/monitors/${noisy.monitorId}/series?range=90d`)).status);
  };
  const noise = [
    ...Array.from({ length: 4 }, (_, no) => bodies(no)),
    ...Array.from({ length: SERIES_AT_ONCE }, (_, no) => series(no)),
  ];

  const took = await ask(QUIET_REQUESTS);
  const own = await openEventStream(`${url}/organizations/${quiet.orgId}/events`, alice.cookie());
  streams.push(own);
  if (!WHOLE) await Promise.all(noise.slice(0, 4));
  over.abort();
  await Promise.all(noise);
  const p99 = p99Of(took);
  const figures = `p99 ${p99} ms, ${p99Of(calm)} ms without the noise`;
  t.diagnostic(`${figures}; the noise was answered ${JSON.stringify([...answers])}`);
  assert.ok((answers.get(429) ?? 0) > 0, 'the noise has limits');
  if (WHOLE) assert.ok(p99 < Math.max(MAX_MS, TIMES_AS_SLOW * p99Of(calm)), figures);
});
