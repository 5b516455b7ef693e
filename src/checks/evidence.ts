// Makes the evidence of opening incidents from the newest stored checks of every region.
import type { Opened } from '../domain/confirmation.ts';
import { buildEvidence, incidentWords, type LatestCheck } from '../domain/evidence.ts';
import { groupEvidence } from '../domain/group.ts';
import type { Findings } from '../incidents/open.ts';
import { maskConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import type { Work } from '../platform/work.ts';
import { membersOf, ruleOf } from './group-members.ts';
import { type ChecksAhead, latestChecks } from './latest-checks.ts';
import type { LockedMonitor } from './monitored.ts';

export type ToOpen = { monitor: LockedMonitor; opened: Opened };

/** Evidence, cause and summary for each of these incidents to open, in their order. */
export async function evidenceOf(
  work: Work,
  opening: readonly ToOpen[],
  ahead: ChecksAhead,
): Promise<Findings[]> {
  const checks = await latestChecks(work, opening, ahead);
  const found: Findings[] = [];
  for (const each of opening) found.push(await findingsOf(work, each, checks.get(each.monitor.no) ?? []));
  return found;
}

async function findingsOf(work: Work, { monitor, opened }: ToOpen, checks: LatestCheck[]): Promise<Findings> {
  const input = {
    opened,
    monitor: {
      id: monitor.id,
      name: monitor.name,
      type: monitor.type,
      config: maskConfig(rulesOf(monitor.type), monitor.config),
    },
    project: { id: monitor.projectId, name: monitor.projectName },
    checks,
  };
  const evidence = buildEvidence(input);
  if (monitor.type !== 'group') return { evidence, ...incidentWords(input) };
  return groupEvidence(evidence, ruleOf(monitor), await membersOf(work, monitor), opened);
}
