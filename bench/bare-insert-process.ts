// The baseline of ingest: the same rows, inserted in batches into a table like that of checks, and nothing else.
import pg from 'pg';
import type { BareInsertDone, BareInsertOrder } from './ingest.ts';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: BareInsertOrder) => {
  run(order).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      process.stderr.write(`bare insert: ${String(error)}\n`);
      process.exit(1);
    },
  );
});

const TABLE = 'bench_bare_checks';

async function run({
  databaseUrl,
  monitorNos,
  batch,
  inFlight,
  seconds,
}: BareInsertOrder): Promise<BareInsertDone> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: inFlight });
  await pool.query(`CREATE TABLE ${TABLE} (LIKE checks INCLUDING ALL) PARTITION BY RANGE (checked_at)`);
  await pool.query(`CREATE TABLE ${TABLE}_all PARTITION OF ${TABLE} DEFAULT`);
  const startedWallMs = Date.now();
  let next = 0;
  let inserted = 0;
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  const worker = async () => {
    while (performance.now() < endsAtMs) {
      const nos: number[] = [];
      const times: number[] = [];
      for (let i = 0; i < batch; i++) {
        nos.push(monitorNos[next % monitorNos.length]!);
        times.push(startedWallMs + Math.floor(next / monitorNos.length));
        next += 1;
      }
      const constant = (value: number) => `{${new Array(batch).fill(value).join(',')}}`;
      const { rowCount } = await pool.query(
        `INSERT INTO ${TABLE} (checked_at, monitor_no, latency_ms, connect_ms, first_byte_ms, region_no, response_code, status)
         SELECT to_timestamp(at_ms::float8 / 1000), no, latency, connect, first_byte, 1, code, 0
         FROM unnest($1::int[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::smallint[])
           AS b (no, at_ms, latency, connect, first_byte, code)`,
        [
          `{${nos.join(',')}}`,
          `{${times.join(',')}}`,
          constant(23),
          constant(1),
          constant(21),
          constant(200),
        ],
      );
      inserted += rowCount ?? 0;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  const { rows } = await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${TABLE}`);
  if (Number(rows[0]?.n) !== inserted) throw new Error(`${inserted} were inserted, ${rows[0]?.n} are there`);
  await pool.query(`DROP TABLE ${TABLE}`);
  await pool.end();
  return { kind: 'done', inserted, seconds: tookSeconds };
}
