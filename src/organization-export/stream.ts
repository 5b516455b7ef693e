// Streams rows out of the database and text into a file, with backpressure.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** Rows fetched at a time. */
const BATCH = 500;

/** Streams the rows of a statement through a cursor. */
export async function eachRow<R extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  parameters: readonly unknown[],
  take: (row: R) => Promise<void>,
): Promise<void> {
  await client.query(`DECLARE line NO SCROLL CURSOR FOR ${sql}`, [...parameters]);
  for (;;) {
    const { rows } = await client.query<R>(`FETCH ${BATCH} FROM line`);
    for (const row of rows) await take(row);
    if (rows.length < BATCH) break;
  }
  await client.query('CLOSE line');
}

/** Writes to a stream and waits for it; throws its error. */
export function writer(out: Writable): (text: string) => Promise<void> {
  let failed: Error | null = null;
  out.once('error', (error) => {
    failed = error;
  });
  return async (text) => {
    if (failed) throw failed;
    if (!out.write(text)) await once(out, 'drain');
  };
}

/** Ends a stream and waits until it has taken everything. */
export async function ended(out: Writable): Promise<void> {
  out.end();
  if (!out.writableFinished) await once(out, 'finish');
}
