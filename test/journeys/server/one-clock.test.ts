// Several servers, one clock: the database's. What their machines say of the time changes nothing.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { startNode } from '#test/harness/app.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { incidentPayload } from '#test/harness/enqueued-events.ts';
import { until } from '#test/harness/until.ts';

/** A receiver that takes what it is sent and answers when it is let go. */
async function holding(t: { after: (fn: () => Promise<void>) => void }) {
  const ids: string[] = [];
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume();
    void gone.then(() => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    letGo();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { ids, letGo, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Every clock of this machine an hour ahead, as after somebody has set it. */
function setMachineClock(t: { after: (fn: () => void) => void }, byMs: number): void {
  const Real = globalThis.Date;
  globalThis.Date = new Proxy(Real, {
    construct: (date, given) =>
      Reflect.construct(date, given.length === 0 ? [Real.now() + byMs] : given) as Date,
    get: (date, name) => (name === 'now' ? () => Real.now() + byMs : Reflect.get(date, name)),
  });
  t.after(() => {
    globalThis.Date = Real;
  });
}

test('two servers send each message once, whatever their machines’ clocks, even if one is an hour ahead', async (t) => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await freshDatabase());
  const receiver = await holding(t);
  const env = { ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'a long enough password' };
  const one = await startNode(stack, database.url, { elapsedMs: () => performance.now() }, env);
  await startNode(stack, database.url, { elapsedMs: () => performance.now() + 60_000 }, env);
  const { rows } = await sql<{ id: string }>`SELECT id FROM organizations`.execute(one.db);
  const orgId = rows[0]?.id ?? '';
  await sql`INSERT INTO webhook_targets (id, org_id, name, kind, url, active, events, secret_hint, created_at)
    SELECT 'wht_' || n, ${orgId}, 'Hook', 'slack', ${receiver.url}, true, '{opened}', '', now()
    FROM generate_series(1, 3) n`.execute(one.db);
  const enqueue = async (id: string) => {
    const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(one.db);
    return runWork(one.db, rows[0]?.now ?? new Date(0), SYSTEM, (work) =>
      enqueueEvents(
        work,
        orgId,
        [{ event: 'opened', projectId: null, monitorNo: null, groupNo: null, incident: incidentPayload(id) }],
        ['chat'],
      ),
    );
  };
  const leases = async () => {
    const { rows } = await sql<{ ahead: number }>`
      SELECT extract(epoch FROM leased_until - clock_timestamp())::float AS ahead FROM delivery_queue
      WHERE leased_until IS NOT NULL`.execute(one.db);
    return rows.map(({ ahead }) => ahead);
  };
  await enqueue('inc_first');
  await until(() => receiver.ids.length === 3, 'each target is told');
  for (const ahead of await leases()) assert.ok(ahead > 0 && ahead <= 30, `a lease runs for ${ahead} s more`);

  setMachineClock(t, 3_600_000);
  await sql`SELECT pg_notify('tocsin_deliveries', 'somebody')`.execute(one.db);
  await enqueue('inc_second');
  await until(() => receiver.ids.length >= 6, 'the second one is told');
  await sql`SELECT pg_notify('tocsin_deliveries', 'somebody')`.execute(one.db);
  const { rows: found } = await sql<{ tries: number }>`
    SELECT max(attempts)::int AS tries FROM delivery_queue`.execute(one.db);
  assert.deepEqual(found, [{ tries: 1 }]);
  receiver.letGo();
  await until(async () => {
    const { rows: left } = await sql`SELECT FROM delivery_queue LIMIT 1`.execute(one.db);
    return left.length === 0;
  }, 'all is delivered');
  assert.equal(receiver.ids.length, 6);
});
