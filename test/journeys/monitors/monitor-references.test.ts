// Monitors that name each other: groups and their members, and what a monitor depends on
// (docs/rules/confirmation.md#dependencies, docs/rules/confirmation.md#groups).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
let path: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
});

type Fields = Record<string, unknown>;

let made = 0;
const named = (fields: Fields) => {
  made += 1;
  return { name: `Monitor ${made}`, type: 'http', config: { url: 'https://shop.example.com' }, ...fields };
};
const create = (fields: Fields = {}, at = path) => app.alice.ok<Monitor>('POST', at, named(fields));
const change = (monitor: Monitor, fields: Fields) =>
  app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, fields);
const read = ({ id }: Monitor) => app.alice.ok<Monitor>('GET', `/monitors/${id}`);
const groupOf = (...members: Monitor[]) => ({
  type: 'group',
  config: { members: members.map(({ id }) => id) },
});
const dependingOn = (...monitors: Monitor[]) => ({ depends_on: monitors.map(({ id }) => id) });
const configOf = (monitor: Monitor) =>
  monitor.config as { members: string[]; rule: string; value: number | null };

/** The two lists in which monitors name each other, written alike and refused alike. */
const LISTS: { field: string; write: (ids: string[]) => Fields; make: () => Promise<Monitor> }[] = [
  { field: 'depends_on', write: (ids) => ({ depends_on: ids }), make: () => create() },
  {
    field: 'config.members',
    write: (members) => ({ type: 'group', config: { members } }),
    make: async () => create(groupOf(await create())),
  },
];

for (const { field, write, make } of LISTS) {
  const refused = { status: 400, error: 'invalid_request', field };

  test(`${field} accepts monitors of the same organization, in any of its projects`, async () => {
    const { id: projectId } = await app.alice.ok<{ id: string }>(
      'POST',
      `/organizations/${place.orgId}/projects`,
      { name: `For ${field.replace(/\W/g, ' ')}` },
    );
    const other = await create({}, `/projects/${projectId}/monitors`);
    await create(write([other.id]));
    const elsewhere = await app.place();
    const foreign = await create({}, `/projects/${elsewhere.projectId}/monitors`);
    const monitor = await make();
    for (const id of [foreign.id, newId('mon'), 'nonsense', '']) {
      const created = await app.alice.send('POST', path, named(write([other.id, id])));
      assertRefused(created, refused, id);
      assert.ok(String((created.body as { message: string }).message).includes(id));
      assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, write([id])), refused, id);
    }
    assert.deepEqual(await read(monitor), monitor);
  });

  test(`${field} contains no duplicates, and not the monitor itself`, async () => {
    const one = await create();
    assertRefused(await app.alice.send('POST', path, named(write([one.id, one.id]))), refused);
    const monitor = await make();
    assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, write([monitor.id])), refused);
  });

  test(`${field} never forms a cycle`, async () => {
    const last = await make();
    const middle = await create(write([last.id]));
    const first = await create(write([middle.id]));
    for (const id of [middle.id, first.id])
      assertRefused(await app.alice.send('PATCH', `/monitors/${last.id}`, write([id])), refused);
    assert.deepEqual(await read(last), last);
    // The same two ends by another way are no cycle.
    await app.alice.ok('PATCH', `/monitors/${first.id}`, write([middle.id, last.id]));
  });

  test(`of two writes that together would close a cycle of ${field}, one is refused`, async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await make(), await make()];
      const answers = await Promise.all([
        app.alice.send('PATCH', `/monitors/${one.id}`, write([other.id])),
        app.alice.send('PATCH', `/monitors/${other.id}`, write([one.id])),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    }
  });

  test(`a narrowed key may add to ${field} only monitors in its scope; existing ones may stay`, async () => {
    const { id: projectId } = await app.alice.ok<{ id: string }>(
      'POST',
      `/organizations/${place.orgId}/projects`,
      { name: `Narrow ${field.replace(/\W/g, ' ')}` },
    );
    const at = `/projects/${projectId}/monitors`;
    const [inside, outside] = [await create({}, at), await create()];
    const key = await makeKeyHolder(app, app.alice, place.orgId, {
      scopes: ['monitors:write'],
      project_ids: [projectId],
    });
    const monitor = await key.ok<Monitor>('POST', at, named(write([inside.id])));
    const forbidden = { status: 403, error: 'forbidden', field };
    assertRefused(await key.send('POST', at, named(write([outside.id]))), forbidden);
    assertRefused(await key.send('PATCH', `/monitors/${monitor.id}`, write([outside.id])), forbidden);
    const both = await app.alice.ok<Monitor>(
      'PATCH',
      `/monitors/${monitor.id}`,
      write([inside.id, outside.id]),
    );
    assert.deepEqual(await key.ok('PATCH', `/monitors/${monitor.id}`, both), both);
    await key.ok('PATCH', `/monitors/${monitor.id}`, write([outside.id]));
  });
}

test('depends_on is in every answer and in the activity log; null keeps it, an empty list clears it', async () => {
  const [one, two] = [await create(), await create()];
  assert.deepEqual(one.depends_on, []);
  const monitor = await create(dependingOn(one));
  assert.deepEqual(monitor.depends_on, [one.id]);
  assert.deepEqual((await change(monitor, { depends_on: null, name: 'Kept' })).depends_on, [one.id]);
  assert.deepEqual((await change(monitor, dependingOn(two, one))).depends_on, [two.id, one.id]);
  const [listed] = await app.alice.ok<Monitor[]>('GET', `${path}?limit=1`);
  assert.deepEqual(listed, await read(monitor));
  const log = `/organizations/${place.orgId}/activity?resource_id=${monitor.id}&limit=1`;
  const [entry] = await app.alice.ok<ActivityEntry[]>('GET', log);
  assert.deepEqual((entry!.before as Monitor).depends_on, [one.id]);
  assert.deepEqual((entry!.after as Monitor).depends_on, [two.id, one.id]);
  assert.deepEqual((await change(monitor, { depends_on: [] })).depends_on, []);
});

test('a monitor depends on at most ten others', async () => {
  const others: Monitor[] = [];
  for (let i = 0; i < 11; i++) others.push(await create());
  await create(dependingOn(...others.slice(1)));
  const answer = await app.alice.send('POST', path, named(dependingOn(...others)));
  assertRefused(answer, { status: 400, error: 'invalid_request', field: 'depends_on' });
});

test('a group may depend on its members, and they on it: membership and dependency are separate', async () => {
  const member = await create();
  const group = await create({ ...groupOf(member), ...dependingOn(member) });
  const other = await create();
  const second = await create(groupOf(other));
  await change(other, dependingOn(second));
  assert.deepEqual(group.depends_on, [member.id]);
});

test('a monitor that is no longer a group closes no cycle', async () => {
  const leaf = await create();
  const inner = await create(groupOf(leaf));
  const outer = await create(groupOf(inner));
  await change(outer, { type: 'http', config: { url: 'https://shop.example.com' } });
  assert.deepEqual(configOf(await change(inner, { config: { members: [outer.id] } })).members, [outer.id]);
});

test('deleting a monitor removes it from the dependencies of others and from its groups', async () => {
  const [gone, stays] = [await create(), await create()];
  const dependent = await create(dependingOn(gone, stays));
  const group = await create(groupOf(stays, gone));
  await app.alice.ok('DELETE', `/monitors/${gone.id}`);
  assert.deepEqual((await read(dependent)).depends_on, [stays.id]);
  assert.deepEqual(configOf(await read(group)).members, [stays.id]);
});

test('a rule that counts failed members is lowered to the number of members left', async () => {
  const members = [await create(), await create(), await create()];
  const { type, config } = groupOf(...members);
  const group = await create({ type, config: { ...config, rule: 'count', value: 3 } });
  await app.alice.ok('DELETE', `/monitors/${members[0]?.id}`);
  assert.equal(configOf(await read(group)).value, 2);
  const two = await change(group, { config: { value: 1 } });
  await app.alice.ok('DELETE', `/monitors/${members[1]?.id}`);
  assert.deepEqual(configOf(await read(two)), { members: [members[2]?.id], rule: 'count', value: 1 });
});

test('a group whose last member was deleted stays, can be renamed and be given others', async () => {
  const member = await create();
  const { type, config } = groupOf(member);
  const group = await create({ type, config: { ...config, rule: 'count', value: 1 } });
  await app.alice.ok('DELETE', `/monitors/${member.id}`);
  const empty = await read(group);
  assert.deepEqual(configOf(empty).members, []);
  assert.deepEqual(await change(empty, { ...empty, name: 'Nobody' }), { ...empty, name: 'Nobody' });
  const other = await create();
  assert.deepEqual(configOf(await change(empty, { config: { members: [other.id] } })).members, [other.id]);
  const again = await app.alice.send('PATCH', `/monitors/${group.id}`, { config: { members: [] } });
  assertRefused(again, { status: 400, error: 'invalid_request', field: 'config.members' });
});

test('a monitor that is referenced while it is being deleted is in no list afterwards', async () => {
  for (let round = 0; round < 5; round++) {
    const gone = await create();
    const answers = await Promise.all([
      app.alice.send('DELETE', `/monitors/${gone.id}`),
      app.alice.send('POST', path, named(dependingOn(gone))),
      app.alice.send('POST', path, named(groupOf(gone))),
    ]);
    for (const { status, body } of answers.slice(1)) {
      assert.ok(status === 201 || status === 400, JSON.stringify(body));
      if (status !== 201) continue;
      const monitor = await read(body as Monitor);
      assert.deepEqual([monitor.depends_on, configOf(monitor).members ?? []], [[], []]);
    }
  }
});
