import { type RawBuilder, sql } from 'kysely';

/**
 * The project of the monitor with this number, for a statement that inserts its incident. It is read under the lock of the
 * monitor's state: a statement that waited for that lock still sees the project from before a move.
 */
export const projectOf = (monitorNo: RawBuilder<unknown>) => sql<string>`
  (SELECT m.project_id FROM monitors m WHERE m.no = ${monitorNo})`;
