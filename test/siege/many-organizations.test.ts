// One person creates as many organizations as they may, and sends the most expensive reads and pings in all of them at once:
// they get one share of the server, not ten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Client } from '../harness/client.ts';
import { makeKeyHolder } from '../harness/keys.ts';
import { assertUnharmed, newPlace, startBothSides, startNoisySide, startQuietSide } from './quiet-side.ts';
import type { ReadingOrder } from './reading-process.ts';
import { scaled, WHOLE } from './scale.ts';

const ORGANIZATIONS = scaled(3, 9);
const NOTES = scaled(20, 200);
const LISTEN_SECONDS = scaled(5, 90);

test('the organizations of one person together do not delay those of another', async (t) => {
  await using stack = new AsyncDisposableStack();
  const { installation, alice, quiet, mallory } = await startBothSides(stack);
  const order: ReadingOrder = { url: installation.url, reads: [], pings: [], width: scaled(4, 12) };
  for (let i = 0; i < ORGANIZATIONS; i++) {
    const place = await newPlace(mallory, `Noisy ${i}`);
    const scopes = ['incidents:write', 'organization:read'] as const;
    const { key } = await makeKeyHolder(installation, mallory, place.orgId, { scopes: [...scopes] });
    const notes = await longNotes(installation.url, key, place.orgId);
    order.reads.push({
      key,
      paths: [`/organizations/${place.orgId}/activity?limit=1000`, `${notes}?limit=1000`],
    });
    order.pings.push(await heartbeat(mallory, place.projectId));
  }
  const side = await startQuietSide(stack, alice, quiet);
  await startNoisySide(stack, 'reading-process.ts', order);
  if (WHOLE) await pause(10_000);

  assertUnharmed(t, installation, await side.listen(LISTEN_SECONDS));
});

/** Fills an incident with notes of the maximum length, which the activity log repeats; returns their path. */
async function longNotes(url: string, key: string, orgId: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201, await answer.clone().text());
    return (await answer.json()) as { id: string };
  };
  const { id } = await post(`/organizations/${orgId}/incidents`, { cause: 'Noise', severity: 'default' });
  const path = `/organizations/${orgId}/incidents/${id}/notes`;
  const note = { body: 'x'.repeat(19_900), kind: 'note', visibility: 'internal' };
  for (let i = 0; i < NOTES; i += 10) await Promise.all(Array.from({ length: 10 }, () => post(path, note)));
  return path;
}

async function heartbeat(mallory: Client, projectId: string): Promise<string> {
  const { config } = await mallory.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Job',
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 60 }, grace_seconds: 60 },
  });
  return (config as { ping_url: string }).ping_url;
}
