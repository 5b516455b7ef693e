// The events of a host (docs/rules/agents.md#events-of-a-host).
import { sql } from 'kysely';
import type { AgentEventKind } from '../domain/names.ts';
import type { Page } from '../platform/http/page.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { AgentEvent } from './contract.ts';

type Row = { at: Date; kind: AgentEventKind; detail: string };

/** Unix seconds, or the position of an event among those of its host. */
const CURSOR = /^(\d{1,11})(?:\.(\d{3})\.([a-z]+))?$/;

/** The event as the `before` of the next page: several events may have the same time. */
export const cursorOf = ({ at, kind }: Row): string =>
  `${unix(at)}.${String(at.getUTCMilliseconds()).padStart(3, '0')}.${kind}`;

/** Events of a host, newest first; `before` is Unix seconds or a `cursorOf`. */
export async function listEvents(db: Database, agentNo: number, { limit, before }: Page): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT at, kind, detail FROM agent_events WHERE agent_no = ${agentNo} AND ${since(before)}
    ORDER BY at DESC, kind DESC LIMIT ${limit}`.execute(db);
  return rows;
}

function since(before: string | null) {
  if (before === null) return sql`true`;
  const [, seconds, ms = '000', kind] = CURSOR.exec(before) ?? [];
  if (seconds === undefined)
    refuse('invalid_request', 'before must be Unix seconds, or as the Link header gives it.', {
      field: 'before',
    });
  const at = new Date(Number(`${seconds}${ms}`));
  return kind === undefined ? sql`at < ${at}` : sql`(at, kind) < (${at}, ${kind})`;
}

export const showEvent = ({ at, kind, detail }: Row): AgentEvent => ({ at_unix: unix(at), kind, detail });
