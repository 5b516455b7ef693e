import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { cancelSuperseded } from './superseded.ts';

/** With bodies as long as those of real events: the sizes of the tables decide the plan. */
const PAGES = 5_000;
const KEY = 'wht_1:group:1';

test('an acknowledgement in a storm does not run into the time limit of a statement before the planner has statistics', async () => {
  await using database = await freshDatabase();
  const now = new Date();
  await sql`
    INSERT INTO outbox (id, created_at, org_id, event, incident_id, body)
    SELECT 'evt_' || i, ${now}, 'org_1', 'opened', 'inc_' || i, repeat('-', 1500) FROM generate_series(1, ${PAGES}::int) i`.execute(
    database.db,
  );
  await sql`
    INSERT INTO deliveries (id, created_at, org_id, target_id, lane, event_id, event, state, attempts)
    SELECT 'dlv_' || i, ${now}, 'org_1', 'wht_1', ${KEY}, 'evt_' || i, 'opened', 'pending', 1
    FROM generate_series(1, ${PAGES}::int) i`.execute(database.db);
  await sql`
    INSERT INTO delivery_queue
      (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, attempts, next_attempt_at)
    SELECT seq, id, created_at, event_id, org_id, target_id, lane, 0, attempts, created_at + interval '1 hour'
    FROM deliveries`.execute(database.db);
  await runWork(database.db, now, SYSTEM, (work) =>
    cancelSuperseded(work, [{ lane: KEY, event: 'acknowledged', incidentId: 'inc_7' }]),
  );
  const { rows } = await sql`SELECT id FROM deliveries WHERE state = 'cancelled'`.execute(database.db);
  assert.deepEqual(rows, [{ id: 'dlv_7' }]);
});

test('what waited behind a page that is dropped is due at once, so that it does not hold back what overtook the page', async () => {
  await using database = await freshDatabase();
  const now = new Date();
  const key = 'wht_1:inc_1';
  const deliveries = [
    { id: 'page', event: 'escalated', attempts: 1 },
    { id: 'note', event: 'updated', attempts: 0 },
  ];
  for (const { id, event, attempts } of deliveries) {
    await sql`INSERT INTO outbox (id, created_at, org_id, event, incident_id, body)
      VALUES (${id}, ${now}, 'org_1', ${event}, 'inc_1', '')`.execute(database.db);
    await sql`
      WITH made AS (
        INSERT INTO deliveries (id, created_at, org_id, target_id, lane, event_id, event, state, attempts)
        VALUES (${id}, ${now}, 'org_1', 'wht_1', ${key}, ${id}, ${event}, 'pending', ${attempts}) RETURNING *
      )
      INSERT INTO delivery_queue
        (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, attempts, next_attempt_at)
      SELECT seq, id, created_at, event_id, org_id, target_id, lane, 0, attempts, created_at + interval '1 hour' FROM made`.execute(
      database.db,
    );
  }
  await runWork(database.db, now, SYSTEM, (work) =>
    cancelSuperseded(work, [{ lane: key, event: 'acknowledged', incidentId: 'inc_1' }]),
  );
  const { rows } = await sql`SELECT delivery_id, next_attempt_at FROM delivery_queue`.execute(database.db);
  assert.deepEqual(rows, [{ delivery_id: 'note', next_attempt_at: now }]);
});
