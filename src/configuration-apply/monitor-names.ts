// Finds monitors by the names that a file has for them.
import { visibleName } from '../domain/visible-name.ts';
import { refuse } from '../platform/refusals.ts';

type Name = { project: string; name: string };
/** `id`: null while the monitor is declared, and not created yet. */
type Named = Name & { id: string | null };

/** A monitor as reports name it. */
export const fullName = ({ project, name }: Name) => `${project}/${name}`;

/**
 * The monitors of an organization by name, those that the file declares included: a reference means the same before they are
 * created and after. A name is unique within its project.
 */
export class MonitorNames {
  readonly #byFullName = new Map<string, Named[]>();
  readonly #byName = new Map<string, Named[]>();

  constructor(stored: Iterable<Name & { id: string }>, declared: Iterable<Name> = []) {
    for (const monitor of stored) this.#insert(monitor);
    for (const { project, name } of declared)
      if (!this.#named(project, name)) this.#insert({ project, name, id: null });
  }

  #listsOf(named: Name) {
    return [
      [this.#byFullName, fullName(named)],
      [this.#byName, named.name],
    ] as const;
  }

  #insert({ project, name, id }: Named): void {
    const named = { project, name, id };
    for (const [map, key] of this.#listsOf(named)) map.set(key, [...(map.get(key) ?? []), named]);
  }

  #named(project: string, name: string): Named | undefined {
    return this.#byFullName.get(fullName({ project, name }))?.find((each) => each.name === name);
  }

  /** A declared monitor is created. */
  created(project: string, name: string, id: string): void {
    const named = this.#named(project, name);
    if (named) named.id = id;
    else this.#insert({ project, name, id });
  }

  remove(project: string, name: string): void {
    const gone = this.#named(project, name);
    for (const [map, key] of this.#listsOf({ project, name }))
      map.set(
        key,
        (map.get(key) ?? []).filter((each) => each !== gone),
      );
  }

  /** The id of a monitor by its project and name; null if it is not there, or not yet. */
  idOf(project: string, name: string): string | null {
    return this.#named(project, name)?.id ?? null;
  }

  /**
   * The monitor that a reference means: one of the same project, else `Project/Monitor`, else the only one of that name in the
   * organization. Refuses with `invalid_request` on `field` one that means none, or several, or one that was refused.
   */
  find(reference: string, field: string, project: string | null): string {
    const { id } = this.#meant(visibleName(reference), field, project);
    if (id !== null) return id;
    return refuse(
      'invalid_request',
      `${field} names ${JSON.stringify(reference)}, which was refused, or refers back to this one.`,
      { field },
    );
  }

  #meant(reference: string, field: string, project: string | null): Named {
    const own = project === null ? undefined : this.#named(project, reference);
    if (own) return own;
    const meant = [...(this.#byFullName.get(reference) ?? []), ...(this.#byName.get(reference) ?? [])];
    const [one, other] = meant;
    if (!one)
      return refuse(
        'invalid_request',
        `${field} names ${JSON.stringify(reference)}, and there is no such monitor; write Project/Monitor.`,
        { field },
      );
    if (!other) return one;
    const how = fullName(one) === fullName(other) ? 'rename one of them' : 'write Project/Monitor';
    return refuse(
      'invalid_request',
      `${field} names ${JSON.stringify(reference)}, which ${quotedName(one)} and ${quotedName(other)} may both be; ${how}.`,
      { field },
    );
  }
}

const quotedName = ({ project, name }: Name) => `${JSON.stringify(name)} of ${JSON.stringify(project)}`;
