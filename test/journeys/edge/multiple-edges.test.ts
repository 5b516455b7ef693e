// Several edges, several servers: edges are kept equal, servers agree, and whatever is away is missed and holds up nobody.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Trouble } from '#src/self-monitoring/contract.ts';
import { SECRET_KEY } from '#test/harness/app.ts';
import { type Caddy, noCaddy, noSecondCaddy, passesTo, startCaddy } from '#test/harness/caddy.ts';
import { tocsin } from '#test/harness/command.ts';
import { newDomain } from '#test/harness/custom-domain.ts';
import { type Edge, served, startEdgeInstallation } from '#test/harness/edge.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands, visit } from '#test/harness/visit.ts';

const skip = noCaddy();

const appsOf = async (caddy: Caddy) => (await caddy.config())?.apps;

const troubles = async ({ app }: Edge) =>
  (await app.alice.ok<Trouble[]>('GET', '/admin/troubles')).filter(({ kind }) => kind === 'edge_failing');

/** What `tocsin doctor` says of the edge, from the same machine. */
async function doctor(t: TestContext, { app, env }: Edge): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-doctor-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const given = { DATABASE_URL: app.databaseUrl, SECRET_KEY, ...env };
  const { out } = await tocsin(dir, ['doctor'], undefined, given);
  return out.replaceAll(/\n {17}/g, ' TO DO: ');
}

/** As if whatever fails now had been failing for a minute longer. */
const aMinuteLater = ({ app }: Edge) =>
  sql`UPDATE edges SET failing_since = failing_since - interval '1 minute'`.execute(app.db);

test('two edges are equal; a killed one is reported, and the other continues', {
  skip: noSecondCaddy(),
}, async (t) => {
  const second = await startCaddy(t, { apart: true });
  const edge = await startEdgeInstallation(t, { adminUrls: [second.adminUrl] });
  const { app, caddy, ports } = edge;
  const first = await newDomain(app, 'first.example.test');
  await served(edge, first.id);
  assert.deepEqual(await appsOf(caddy), await appsOf(second));
  assert.match(await doctor(t, edge), /^OK +edge +The edge at .+; names it serves: 1$/m);

  await second.kill();
  const later = await newDomain(app, 'later.example.test');
  await served(edge, later.id);
  assert.equal(await shakesHands(later.domain, ports.https), true);
  await until(async () => {
    const { rows } = await sql`SELECT FROM edges WHERE failure = 'away'`.execute(app.db);
    return rows.length === 1;
  }, 'it is missed');
  assert.deepEqual(await troubles(edge), [], 'a restart is nobody’s trouble');
  await aMinuteLater(edge);
  await until(async () => (await troubles(edge)).length === 1, 'the operator is notified');
  const [trouble] = await troubles(edge);
  assert.equal(trouble?.reason, 'away');
  assert.match(trouble?.title ?? '', new RegExp(`${second.adminUrl} on .+ does not answer`));
  assert.match(
    await doctor(t, edge),
    new RegExp(`^FAIL +edge +The edge at ${second.adminUrl} does not answer: .+ TO DO: Start`, 'm'),
  );

  await second.start();
  await until(async () => (await troubles(edge)).length === 0, 'it is back');
  assert.deepEqual(await appsOf(caddy), await appsOf(second));
});

test('an edge that rejects its configuration reports the reason', { skip }, async (t) => {
  // Whoever calls meanwhile is hung up on: it closes once nobody is connected.
  const holder = net.createServer((socket) => socket.destroy());
  const edge = await startEdgeInstallation(t);
  const { app, caddy, ports } = edge;
  await newDomain(app, 'status.example.test');
  await until(() => shakesHands('status.example.test', ports.https), 'it serves');
  // The port is somebody else's while Caddy is away.
  await caddy.kill();
  await new Promise<void>((resolve) => holder.listen(ports.https, resolve));
  t.after(() => holder.close());
  await caddy.start();
  await until(async () => {
    const { rows } =
      await sql`SELECT FROM edges WHERE failure = 'refuses' AND sentence LIKE '%in use%'`.execute(app.db);
    return rows.length === 1;
  }, 'what it says is known');
  await aMinuteLater(edge);
  await until(async () => (await troubles(edge))[0]?.reason === 'refuses', 'the operator is notified');
  await new Promise((resolve) => holder.close(resolve));
  await until(() => shakesHands('status.example.test', ports.https), 'it serves again');
  await until(async () => (await troubles(edge)).length === 0, 'the trouble is over');
});

test('two servers on one edge agree, and if one is gone the other serves', { skip }, async (t) => {
  const caddy = await startCaddy(t);
  const counted = { reads: 0, loads: 0 };
  const { hostname: host, port } = new URL(caddy.adminUrl);
  const counting = await passesTo(t, { host, port }, (method) => {
    counted[method === 'GET' ? 'reads' : 'loads'] += 1;
  });
  const edge = await startEdgeInstallation(t, {
    servers: 2,
    caddy,
    adminUrl: `http://127.0.0.1:${counting}`,
  });
  const { app } = edge;
  const { id, domain } = await newDomain(app, 'status.example.test');
  await served(edge, id);
  const visitor = await edge.visitors();
  assert.equal((await visit(domain, visitor)).status, 200);

  const { reads } = counted;
  await until(() => counted.reads >= reads + 2, 'what was under way is over');
  const settled = { ...counted };
  await until(() => counted.reads >= settled.reads + 4, 'both servers look again');
  assert.equal(counted.loads, settled.loads, 'nobody replaces what is right');
  const orders = await app.db.selectFrom('certificate_orders').select('domain').execute();
  assert.deepEqual(orders, [{ domain }], 'one certificate was ordered');

  await edge.stopServer(0);
  for (let i = 0; i < 4; i++) assert.equal((await visit(domain, visitor)).status, 200);
  const added = await newDomain(app, 'added.example.test');
  await until(async () => (await edge.row(added.id)).edge_synced, 'the other server goes on');
});
