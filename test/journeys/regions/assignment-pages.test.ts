// Assignments travel in pages: no answer is larger than some megabytes, and nobody misses a change between two of them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PAGE_BYTES } from '#src/probe-protocol/assignment-pages.ts';
import type { Assignments } from '#src/probe-protocol/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { configOfBytes, makeMany } from '#test/harness/many-monitors.ts';
import type { Probe } from '#test/harness/probe.ts';

const LARGEST_ANSWER = PAGE_BYTES + 1_000_000;

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

let made = 0;
/** A region of its own with so many monitors whose configs are as large as they may be. */
async function ownRegion(count: number): Promise<{ slug: string; probe: Probe; ids: string[] }> {
  made += 1;
  const slug = `paged-${made}`;
  const probe = await app.region(slug);
  const config = configOfBytes('https://shop.example.com/', 65_536);
  return { slug, probe, ids: await makeMany(app, { count, region: slug, place, config }) };
}

const known = ({ revision, epoch }: Assignments) => ({ since: revision, epoch });
const idsOf = ({ monitors }: Assignments) => monitors.map(({ monitor_id }) => monitor_id);
const sizeOf = (answer: Assignments) => Buffer.byteLength(JSON.stringify(answer));

/** The pages from an answer on, to the last of them. */
async function rest(probe: Probe, first: Assignments): Promise<Assignments[]> {
  const pages = [first];
  for (let page = first; page.more; ) {
    page = await probe.assignments({ ...known(page), wait: 25 });
    pages.push(page);
  }
  return pages;
}

test('a large region comes in pages, every monitor once and no page too large', async () => {
  const { probe, ids } = await ownRegion(150);
  const pages = await rest(probe, await probe.assignments());
  assert.ok(pages.length >= 3);
  assert.deepEqual(
    pages.map(({ full }) => full),
    pages.map((_, index) => index === 0),
  );
  for (const page of pages) assert.ok(sizeOf(page) < LARGEST_ANSWER, `${sizeOf(page)} bytes`);
  assert.deepEqual(pages.flatMap(idsOf).sort(), ids);
  const last = pages.at(-1)!;
  const nothing = await probe.assignments({ ...known(last), wait: 0 });
  assert.deepEqual([nothing.full, nothing.more, idsOf(nothing)], [false, false, []]);
});

test('changes since a revision come in pages as well, and none of them is a full answer', async () => {
  const { slug, probe } = await ownRegion(0);
  const empty = await probe.assignments();
  const config = configOfBytes('https://shop.example.com/', 65_536);
  const ids = await makeMany(app, { count: 80, region: slug, place, config });
  const pages = await rest(probe, await probe.assignments({ ...known(empty), wait: 25 }));
  assert.ok(pages.length >= 2);
  assert.ok(pages.every(({ full }) => !full));
  assert.deepEqual(pages.flatMap(idsOf).sort(), ids);
});

test('a monitor that is deleted between two pages is named in the very next one', async () => {
  const { probe, ids } = await ownRegion(150);
  const first = await probe.assignments();
  const [handedOut = ''] = idsOf(first);
  const pending = ids.find((id) => !idsOf(first).includes(id)) ?? '';
  await app.alice.ok('DELETE', `/monitors/${handedOut}`);
  await app.alice.ok('DELETE', `/monitors/${pending}`);
  const second = await probe.assignments({ ...known(first), wait: 25 });
  assert.deepEqual([...second.removed].sort(), [handedOut, pending].sort());
  const pages = await rest(probe, second);
  assert.ok(!pages.flatMap(idsOf).includes(pending));
  assert.ok(
    pages.slice(1).every(({ removed }) => removed.length === 0),
    'told once',
  );
});

test('a monitor that changes between two pages is in a later one, with the change', async () => {
  const { probe, ids } = await ownRegion(150);
  const first = await probe.assignments();
  const [handedOut = ''] = idsOf(first);
  const pending = ids.find((id) => !idsOf(first).includes(id)) ?? '';
  for (const id of [handedOut, pending])
    await app.alice.ok('PATCH', `/monitors/${id}`, { interval_seconds: 30 });
  const later = (await rest(probe, first)).slice(1).flatMap(({ monitors }) => monitors);
  for (const id of [handedOut, pending])
    assert.deepEqual(
      later.filter(({ monitor_id }) => monitor_id === id).map(({ interval_seconds }) => interval_seconds),
      [30],
    );
});

test('a new share in the middle of the pages starts over', async () => {
  const { probe, ids } = await ownRegion(150);
  const one = probe.named('one');
  const first = await one.assignments();
  await probe.named('two').assignments();
  const again = await one.assignments({ ...known(first), wait: 25 });
  assert.equal(again.full, true);
  const mine = (await rest(one, again)).flatMap(idsOf);
  const theirs = (await rest(probe.named('two'), await probe.named('two').assignments())).flatMap(idsOf);
  assert.deepEqual([...mine, ...theirs].sort(), ids);
});

test('an unknown epoch gets a full answer', async () => {
  const { probe } = await ownRegion(1);
  const { revision, epoch } = await probe.assignments();
  for (const given of [`${epoch}.1.2.3`, `${epoch}.1.2.3.-`, `${epoch}.1.zzzzzzzzzz.1.1`, 'x.1.2.3.4'])
    assert.equal((await probe.assignments({ since: revision, epoch: given, wait: 0 })).full, true, given);
});
