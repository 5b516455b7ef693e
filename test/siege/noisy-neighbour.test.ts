// One noisy and one quiet organization on one installation as a user starts it: the quiet one's alarms, checks and pages work
// as if it were alone.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeKeyHolder } from '../harness/keys.ts';
import type { NoiseOrder, NoiseReport } from './noise-process.ts';
import {
  assertUnharmed,
  newPlace,
  serve,
  startBothSides,
  startNoisySide,
  startQuietSide,
} from './quiet-side.ts';
import { scaled, WHOLE } from './scale.ts';

const HANG_SECONDS = scaled(4, 300);
const LISTEN_SECONDS = scaled(8, 90);
const TARPIT_MS = 14_000;
const STREAMS_OF_AN_ORGANIZATION = 50;

test('one organization at its worst does not delay the alarms, checks and pages of another', async (t) => {
  await using stack = new AsyncDisposableStack();
  const { installation, alice, quiet, mallory } = await startBothSides(stack);
  const noisy = await newPlace(mallory);
  const scopes = ['monitors:write', 'incidents:write', 'webhooks:write', 'maintenance:write'] as const;
  const keys: string[] = [];
  for (let i = 0; i < scaled(4, 25); i++) {
    const asked = { scopes: [...scopes, 'organization:read' as const] };
    keys.push((await makeKeyHolder(installation, mallory, noisy.orgId, asked)).key);
  }
  const side = await startQuietSide(stack, alice, quiet);
  const order: NoiseOrder = {
    url: installation.url,
    ...noisy,
    keys,
    hangingUrl: await serve(
      stack,
      createServer(() => undefined),
    ),
    tarpitUrl: await serve(
      stack,
      createServer((asked, answer) => {
        asked.resume();
        setTimeout(() => answer.writeHead(200).end(), TARPIT_MS).unref();
      }),
    ),
    monitors: scaled(30, 2_000),
    hangSeconds: HANG_SECONDS,
    targets: scaled(5, 40),
    notes: scaled(50, 1_000),
    streams: scaled(60, 500),
    bodies: scaled(1, 4),
  };
  const noise = await startNoisySide<NoiseReport>(stack, 'noise-process.ts', order);
  assert.equal(noise.streamsOpen, STREAMS_OF_AN_ORGANIZATION, 'streams of one organization');
  if (WHOLE) await pause(HANG_SECONDS * 1000); // until all of its checks hang at the same time

  assertUnharmed(t, installation, await side.listen(LISTEN_SECONDS));
});
