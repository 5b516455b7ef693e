// Finds monitors by the names that a file has for them.
import { refuse } from '../platform/refusals.ts';

type Named = { id: string; project: string; name: string };

/** A monitor as reports name it. */
export const fullName = ({ project, name }: Pick<Named, 'project' | 'name'>) => `${project}/${name}`;

/** The monitors of an organization by name; a name is unique within its project. */
export class MonitorNames {
  readonly #byFullName = new Map<string, Named[]>();
  readonly #byName = new Map<string, Named[]>();

  constructor(monitors: Iterable<Named>) {
    for (const monitor of monitors) this.add(monitor);
  }

  add(monitor: Named): void {
    for (const [map, key] of [
      [this.#byFullName, fullName(monitor)],
      [this.#byName, monitor.name],
    ] as const)
      map.set(key, [...(map.get(key) ?? []), monitor]);
  }

  remove(id: string): void {
    for (const map of [this.#byFullName, this.#byName])
      for (const [key, monitors] of map)
        map.set(
          key,
          monitors.filter((monitor) => monitor.id !== id),
        );
  }

  /** The id of a monitor by its project and name; null if there is none. */
  idOf(project: string, name: string): string | null {
    return this.#byFullName.get(fullName({ project, name }))?.find((each) => each.name === name)?.id ?? null;
  }

  /**
   * The monitor that a reference means: one of the same project, else `Project/Monitor`, else the only one of that name in the
   * organization. Refuses with `invalid_request` on `field` one that means none, or several.
   */
  find(reference: string, field: string, project: string | null): string {
    const own = project === null ? null : this.idOf(project, reference);
    if (own !== null) return own;
    const meant = [...(this.#byFullName.get(reference) ?? []), ...(this.#byName.get(reference) ?? [])];
    const [one, other] = meant;
    if (!one)
      return refuse(
        'invalid_request',
        `${field} names ${JSON.stringify(reference)}, and there is no such monitor; write Project/Monitor.`,
        { field },
      );
    if (other)
      return refuse(
        'invalid_request',
        `${field} names ${JSON.stringify(reference)}, which ${fullName(one)} and ${fullName(other)} may both be; write Project/Monitor.`,
        { field },
      );
    return one.id;
  }
}
