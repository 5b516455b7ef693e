// What the monitors of a file name: each other, and agents. Looked at when all of them are there.
import { agentOf, membersOf, type References } from '../monitors/references.ts';
import type { Tx } from '../platform/work.ts';
import { BrokenLine } from './read-lines.ts';

/** A monitor of the file, by what it names. */
export type Naming = References & { line: number; id: string; name: string };

/** Refuses what names a monitor that is not in the file, itself, one twice, or one that leads back to it. */
export function refuseStrangeReferences(monitors: readonly Naming[]): void {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  for (const [field, namedBy] of [
    ['depends_on', ({ dependsOn }: Naming) => dependsOn],
    ['config.members', membersOf],
  ] as const) {
    for (const monitor of monitors) {
      const ids = namedBy(monitor);
      const strange = ids.find((id, i) => !byId.has(id) || ids.indexOf(id) !== i);
      if (strange !== undefined)
        throw new BrokenLine(
          monitor.line,
          `its ${field} names ${strange}, which is no other monitor of the file.`,
        );
    }
    const ring = inRing(monitors, (id) => namedBy(byId.get(id)!));
    if (ring) throw new BrokenLine(ring.line, `its ${field} leads back to itself.`);
  }
}

/** A monitor that is reached from itself; each is walked through once. */
function inRing(monitors: readonly Naming[], next: (id: string) => readonly string[]): Naming | undefined {
  const done = new Set<string>();
  return monitors.find((monitor) => {
    // Depth first, without recursion: a file may have a chain as long as it likes.
    const path = [{ id: monitor.id, left: [...next(monitor.id)] }];
    const onPath = new Set([monitor.id]);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const id = last.left.pop();
      if (id === undefined) {
        done.add(last.id);
        onPath.delete(last.id);
        path.pop();
      } else if (onPath.has(id)) return true;
      else if (!done.has(id)) {
        path.push({ id, left: [...next(id)] });
        onPath.add(id);
      }
    }
    return false;
  });
}

/**
 * Names of the monitors that watch an agent: agents report to the installation that they were enrolled at, so these get no
 * results before another one is chosen. Refuses an agent that is here: it is another organization's.
 */
export async function monitorsWithoutAgent(tx: Tx, monitors: readonly Naming[]): Promise<string[]> {
  const watching = monitors.filter((monitor) => agentOf(monitor) !== null);
  if (watching.length === 0) return [];
  const ids = watching.map((monitor) => agentOf(monitor) ?? '');
  const foreign = await tx.selectFrom('agents').select('id').where('id', 'in', ids).executeTakeFirst();
  const stranger = foreign && watching.find((monitor) => agentOf(monitor) === foreign.id);
  if (stranger)
    throw new BrokenLine(
      stranger.line,
      `its config.agent_id ${foreign.id} is an agent of another organization.`,
    );
  return watching.map(({ name }) => name);
}
