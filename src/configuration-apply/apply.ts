// Brings an organization to the state that a file declares, by the verbs of the interface: what one of them refuses, a file
// cannot bring about. All of the file, or nothing.
import { lockConfiguration } from '../monitors/lock-configuration.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { applyAlarmStandard, applyProfiles, removeProfiles } from './alarm-policy.ts';
import { type Applying, type ApplyOptions, RolledBack } from './applying.ts';
import type { AppliedThing, ConfigurationFile } from './contract.ts';
import { MonitorNames } from './monitor-names.ts';
import { applyProjects, pruneProjects } from './monitors.ts';
import { applyOnCall } from './on-call.ts';
import { refusedThings } from './refused-things.ts';
import { applyStatusPages } from './status-pages.ts';
import { applyWebhooks } from './webhooks.ts';

type Run = <T>(act: (work: Work) => Promise<T>) => Promise<T>;
export type Asked = {
  orgId: string;
  file: ConfigurationFile;
  options: ApplyOptions;
  dryRun: boolean;
  prune: boolean;
  /** The most stored monitors that are changed or deleted; null: any number. */
  mostChanges: number | null;
};

/**
 * One transaction. It is rolled back if anything is refused, and with `dryRun`; the report is the same. Returns what became of
 * each thing; `refusedThings` tells whether anything was written.
 */
export async function applyConfiguration(run: Run, asked: Asked): Promise<AppliedThing[]> {
  try {
    return await run(async (work) => {
      const things = await apply(work, asked);
      if (asked.dryRun || refusedThings(things).length > 0) throw new RolledBack(things);
      return things;
    });
  } catch (error) {
    // A secret that was never stored is no secret.
    if (error instanceof RolledBack) return error.things.map(({ secret: _, ...thing }) => thing);
    throw error;
  }
}

async function apply(
  work: Work,
  { orgId, file: given, options, prune, mostChanges }: Asked,
): Promise<AppliedThing[]> {
  // As the database would keep it: -0 is 0.
  const file = JSON.parse(JSON.stringify(given)) as ConfigurationFile;
  await lockConfiguration(work.tx, orgId);
  const applying: Applying = {
    ...{ file, work, orgId, options, prune, things: [], changes: { made: 0, most: mostChanges } },
    ...{
      profiles: new Map(),
      projects: await projectsByName(work, orgId, file),
      monitors: new MonitorNames([]),
    },
  };
  const stored = await pruneProjects(applying);
  await applyAlarmStandard(applying);
  await applyProfiles(applying);
  await applyProjects(applying, stored);
  await removeProfiles(applying);
  await applyWebhooks(applying);
  await applyOnCall(applying);
  await applyStatusPages(applying);
  return applying.things;
}

/** The ids of projects by their names. A renamed project keeps its slug, so two can have one name: a file cannot say which. */
async function projectsByName(
  { tx }: Work,
  orgId: string,
  { projects, webhooks, status_pages }: ConfigurationFile,
): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('projects').select(['id', 'name']).where('org_id', '=', orgId).execute();
  const byName = new Map(rows.map(({ id, name }) => [name, id]));
  const twice = rows.find(({ id, name }) => byName.get(name) !== id);
  if (twice && (projects || webhooks || status_pages))
    refuse(
      'invalid_request',
      `The organization has two projects called ${JSON.stringify(twice.name)}; rename one of them, and apply the file again.`,
    );
  return byName;
}
