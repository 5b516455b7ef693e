// The state that the parts of an import share: its destination, the ids created so far, and the report.
import type { ShownAt } from '../monitors/row.ts';
import type { MonitorOptions } from '../monitors/validate.ts';
import type { TargetOptions } from '../notifications/targets/targets.ts';
import { refuse } from '../platform/refusals.ts';
import { refusedWithin } from '../platform/refused-within.ts';
import type { Work } from '../platform/work.ts';
import type { ImportedThing, ThingKind } from './contract.ts';
import type { Given } from './read-file.ts';

export type ImportOptions = { monitors: MonitorOptions & ShownAt; targets: TargetOptions };
export type Note = ImportedThing['notes'][number];

export type Importing = {
  work: Work;
  orgId: string;
  given: Given['of'];
  options: ImportOptions;
  /** Ids of the file to those of this organization. Nothing else is ever named by an id of the file. */
  profiles: Map<string, string>;
  projects: Map<string, string>;
  monitors: Map<string, string>;
  /** Ids here of the monitors that this import has made. */
  made: Set<string>;
  /** The organization had monitors before: what would change their alarms does not come in, or switched off. */
  hadMonitors: boolean;
  things: ImportedThing[];
};

/** The outcome for one resource: whether it existed already, and its differences from the file. */
export type Became = { exists?: boolean; notes?: Iterable<Note> };

/**
 * Brings one thing in, and reports it. A refusal leaves the thing out and nothing else: `act` throws it before its first
 * write.
 */
export async function attempt(
  { work, things }: Importing,
  kind: ThingKind,
  name: string | null,
  act: () => Promise<Became>,
): Promise<ImportedThing> {
  const thing: ImportedThing = { kind, name, outcome: 'made', notes: [], refusal: null };
  things.push(thing);
  const refusal = await refusedWithin(work, async () => {
    const { exists = false, notes = [] } = await act();
    thing.notes.push(...new Set(notes));
    if (exists) thing.outcome = 'exists';
  });
  if (refusal) {
    const { error, message, field, limit } = refusal.body();
    thing.outcome = 'refused';
    thing.refusal = { error, message, ...(field ? { field } : {}), ...(limit == null ? {} : { limit }) };
  }
  return thing;
}

/** An instant of the file in Unix seconds. */
export function unixOf(instant: string, field: string): number {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) refuse('invalid_request', `${field} is no time that there is.`, { field });
  return Math.floor(ms / 1000);
}
