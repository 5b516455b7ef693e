// A repetition rule is a user's text that the server evaluates: none takes more than a moment, and none creates too many
// windows.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { nextOccurrence, normalRule, occurrencesOf, ruleProblem } from '#src/domain/recurrence.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { scaled } from './scale.ts';

const DAY_MS = 86_400_000;
/** Processor time, so that the load of the machine does not count. */
const MAX_MS = 2_000;

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const numbers = (least: number, most: number) =>
  fc
    .array(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 60 })
    .map((list) => list.join(','));
const days = fc
  .array(
    fc
      .tuple(fc.constantFrom('', '1', '-1', '5', '53'), fc.constantFrom('MO', 'TU', 'SU'))
      .map(([nth, day]) => nth + day),
    { minLength: 1, maxLength: 7 },
  )
  .map((list) => list.join(','));
const optional = (part: string, value: fc.Arbitrary<string>) =>
  fc.option(
    value.map((text) => `${part}=${text}`),
    { nil: null },
  );
const rules = fc
  .tuple(
    fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY').map((freq) => `FREQ=${freq}`),
    optional('INTERVAL', numbers(1, 10_000)),
    optional('BYMONTH', numbers(1, 12)),
    optional('BYMONTHDAY', numbers(-31, 31)),
    optional('BYYEARDAY', numbers(-366, 366)),
    optional('BYWEEKNO', numbers(-53, 53)),
    optional('BYDAY', days),
    optional('BYHOUR', numbers(0, 23)),
    optional('BYMINUTE', numbers(0, 59)),
    optional('BYSECOND', numbers(0, 59)),
    optional('BYSETPOS', numbers(-366, 366)),
    optional('COUNT', numbers(1, 1000)),
  )
  .map((parts) => parts.filter((part) => part !== null).join(';'));

test('no rule occupies the server for long, whether it is accepted, refused or abandoned', () => {
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'UTC'),
      (text, zone) => {
        const rrule = normalRule(text);
        const before = process.cpuUsage();
        if (ruleProblem(rrule) === null) {
          const fromMs = Date.parse('2026-01-31T01:30Z');
          const first = { fromMs, untilMs: fromMs + 3_600_000 };
          const series = { repeat: { rrule, timezone: zone, untilMs: null }, first };
          try {
            nextOccurrence(series, fromMs);
            occurrencesOf(series, fromMs, fromMs + 90 * DAY_MS);
          } catch {
            // Given up, as the limits state.
          }
        }
        const { user, system } = process.cpuUsage(before);
        assert.ok((user + system) / 1000 < MAX_MS, `${rrule} took ${(user + system) / 1000} ms`);
      },
    ),
    { numRuns: scaled(60, 5_000) },
  );
});

test('an organization has a limited number of recurring windows, and is told to end some', async () => {
  const start = Math.floor(app.clock.ms() / 1000) + 3600;
  const plan = (rrule: string) =>
    app.alice.send('POST', `/organizations/${app.home.orgId}/maintenance-windows`, {
      title: 'Often',
      scheduled_start: start,
      scheduled_end: start + 60,
      repeat: { rrule, timezone: 'UTC' },
    });
  const first = await plan('FREQ=DAILY;BYHOUR=1,7,13,19');
  assert.equal(first.status, 201);
  await sql`INSERT INTO maintenance_windows (id, org_id, title, body, scheduled_start, scheduled_end, public_visible,
      created_at, series_id, occurs_at)
    SELECT 'mwn_' || n, w.org_id, w.title, w.body, w.scheduled_start, w.scheduled_end, true, w.created_at, w.series_id, w.occurs_at
    FROM maintenance_windows w, generate_series(1, 19_300) AS n WHERE w.id = ${(first.body as { id: string }).id}`.execute(
    app.db,
  );
  const answer = await plan('FREQ=DAILY;BYHOUR=1,7,13,19');
  assert.deepEqual([answer.status, (answer.body as { error: string }).error], [409, 'limit_reached']);
  assert.equal((await plan('FREQ=WEEKLY')).status, 201);
});
