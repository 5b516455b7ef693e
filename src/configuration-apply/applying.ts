// The state that the parts of applying a file share: the organization, the names that its things have by now, and the report.
import { isDeepStrictEqual } from 'node:util';
import { visibleName } from '../domain/visible-name.ts';
import type { ShownAt } from '../monitors/row.ts';
import type { MonitorOptions } from '../monitors/validate.ts';
import type { TargetOptions } from '../notifications/targets/targets.ts';
import { type Refusal, refuse } from '../platform/refusals.ts';
import { EndedByRefusal, refusedWithin } from '../platform/refused-within.ts';
import type { Work } from '../platform/work.ts';
import type { AppliedKind, AppliedThing, ConfigurationFile } from './contract.ts';
import type { MonitorNames } from './monitor-names.ts';

export type ApplyOptions = { monitors: MonitorOptions & ShownAt; targets: TargetOptions };

export type Applying = {
  file: ConfigurationFile;
  work: Work;
  orgId: string;
  options: ApplyOptions;
  /** Delete what the sections of the file do not contain. */
  prune: boolean;
  /** Ids by name, of what there is by now. */
  profiles: Map<string, string>;
  projects: Map<string, string>;
  monitors: MonitorNames;
  things: AppliedThing[];
  /** Stored monitors that were changed or deleted, and the most that may be; null: any number. */
  changes: { made: number; most: number | null };
};

/** What became of a thing: the changed fields of one that was there, or null for one that was created. */
export type Became = { changed: readonly string[] | null; secret?: string };

type Declared = { kind: AppliedKind; name: string | null; path: string };

/** Carries the report out of a transaction that is rolled back. */
export class RolledBack extends Error {
  readonly things: AppliedThing[];
  constructor(things: AppliedThing[]) {
    super('rolled back');
    this.things = things;
  }
}

/** Applies one thing of the file, and reports it. A refused one is reported, and the others are tried too. */
export async function attempt(
  applying: Applying,
  { kind, name, path }: Declared,
  act: () => Promise<Became>,
): Promise<void> {
  const thing: AppliedThing = {
    ...{ kind, name, outcome: 'created', changed: [], path, refusal: null },
  };
  applying.things.push(thing);
  await report(applying, thing, async () => {
    const { changed, secret } = await act();
    if (changed !== null) thing.outcome = changed.length > 0 ? 'updated' : 'unchanged';
    thing.changed = [...(changed ?? [])];
    if (secret !== undefined) thing.secret = secret;
  });
}

/** Reports what the organization has and the file has not; deletes it if that was asked for. */
export async function leftOver(
  applying: Applying,
  kind: AppliedKind,
  name: string,
  remove: () => Promise<void>,
): Promise<void> {
  const thing: AppliedThing = {
    ...{ kind, name, outcome: 'not_in_file', changed: [], path: null, refusal: null },
  };
  applying.things.push(thing);
  if (!applying.prune) return;
  thing.outcome = 'deleted';
  await report(applying, thing, remove);
}

/** Runs `act`, and marks the thing as refused if it was. Throws RolledBack if nothing more can be tried. */
async function report(
  { work, things }: Applying,
  thing: AppliedThing,
  act: () => Promise<void>,
): Promise<void> {
  const mark = (refusal: Refusal) => {
    const { error, message } = refusal.body();
    // The field of such a refusal is a capability.
    const field = error === 'plan_capability' ? undefined : refusal.details.field;
    thing.outcome = 'refused';
    const place = [thing.path, field].filter((each) => each != null).join('.');
    thing.refusal = { error, message, ...(place === '' ? {} : { field: place }) };
  };
  try {
    const refusal = await refusedWithin(work, act);
    if (refusal) mark(refusal);
  } catch (error) {
    if (!(error instanceof EndedByRefusal)) throw error;
    mark(error.refusal);
    throw new RolledBack(things);
  }
}

/** Refuses a name that two things of one kind have in the file. */
export function refuseTwice(seen: Set<string>, name: string, what: string): void {
  if (seen.has(name))
    refuse('invalid_request', `The file has two ${what} called ${JSON.stringify(name)}.`, { field: 'name' });
  seen.add(name);
}

/**
 * Counts a stored monitor that is changed or deleted. Refuses more than may be: their states are locked until all of the file is
 * written, and results of checks wait for that.
 */
export function countChange({ changes }: Applying): void {
  changes.made += 1;
  if (changes.most !== null && changes.made > changes.most)
    refuse(
      'payload_too_large',
      `A request changes or deletes at most ${changes.most} monitors; apply the file on the machine of the installation, or in parts.`,
      { limit: changes.most },
    );
}

/** The id of a named thing. Refuses a name that nothing has, or a thing of the file that was refused itself. */
export function idNamed(
  ids: ReadonlyMap<string, string>,
  name: string,
  {
    field,
    what,
    declared = [],
  }: { field: string; what: string; declared?: readonly { name: string }[] | undefined },
): string {
  const id = ids.get(visibleName(name));
  if (id !== undefined) return id;
  const why = declared.some((each) => visibleName(each.name) === visibleName(name))
    ? 'which was refused'
    : `and there is no such ${what}`;
  return refuse('invalid_request', `${field} names ${JSON.stringify(name)}, ${why}.`, { field });
}

/** The names of the given fields whose values differ from the ones there are; a field that is not given stays. */
export function changedAmong(
  given: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(given).flatMap(([field, value]) =>
    value === undefined || isDeepStrictEqual(value, before[field] ?? null) ? [] : [field],
  );
}
