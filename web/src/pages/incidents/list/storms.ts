// Many incidents that began together, as one line. Pure.
import type { IncidentSummary } from '../../../../../src/incidents/contract.ts';

export type Row =
  | { is: 'incident'; incident: IncidentSummary }
  | { is: 'storm'; key: string; incidents: IncidentSummary[]; fromUnix: number };

/** More than this many that begin within SPAN_SECONDS are folded (as they are told together: decisions, section 8). */
export const MOST_APART = 20;
const SPAN_SECONDS = 60;

/** Folds an incident list, newest first; what was not a storm stays as it came. */
export function foldStorms(incidents: readonly IncidentSummary[]): Row[] {
  const rows: Row[] = [];
  let at = 0;
  while (at < incidents.length) {
    const first = incidents[at];
    if (first === undefined) break;
    let end = at + 1;
    while (
      end < incidents.length &&
      first.started_at_unix - (incidents[end]?.started_at_unix ?? 0) < SPAN_SECONDS
    )
      end++;
    const together = incidents.slice(at, end);
    const last = together.at(-1) ?? first;
    if (together.length > MOST_APART) {
      rows.push({ is: 'storm', key: last.id, incidents: together, fromUnix: last.started_at_unix });
      at = end;
    } else {
      rows.push({ is: 'incident', incident: first });
      at++;
    }
  }
  return rows;
}

/**
 * Whether an incident rings as one alarm with others: so do those that open after the twentieth within a minute
 * (src/incidents/groups). Told by what is open now, since incidents do not say it themselves.
 */
export function ringsWithOthers(
  open: readonly IncidentSummary[],
  { id, started_at_unix }: Pick<IncidentSummary, 'id' | 'started_at_unix'>,
): boolean {
  const earlier = open.filter(
    (other) =>
      other.id < id &&
      other.started_at_unix <= started_at_unix &&
      other.started_at_unix > started_at_unix - SPAN_SECONDS,
  );
  return earlier.length >= MOST_APART;
}
