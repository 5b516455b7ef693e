// Checks the references of monitors to each other and to agents, once all monitors of the file are loaded.
import { agentOf, membersOf, type References } from '../monitors/references.ts';
import type { Tx } from '../platform/work.ts';
import { BrokenLine } from './read-lines.ts';

/** A monitor of the file with its references. */
export type Naming = References & { line: number; id: string; name: string };

/** Refuses a reference to a monitor that is not in the file, to itself, a duplicate, and a cycle. */
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
          `its ${field} names ${strange}, which is not another monitor of the file.`,
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
    // Depth first, without recursion: a file may contain a chain of any length.
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
 * Names of the monitors that watch an agent: agents report to the installation that enrolled them, so these get no
 * results until another agent is chosen. Refuses an agent that exists here: it belongs to another organization.
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
