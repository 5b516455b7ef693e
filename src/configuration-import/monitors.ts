// Projects and monitors. A project of the same name takes the monitors in; a monitor of the same name in it stays as it is.
import { inOrder } from '../domain/in-order.ts';
import { slugFrom } from '../domain/slug.ts';
import { MonitorCreate } from '../monitors/contract.ts';
import { prepareMonitor, writeMonitor } from '../monitors/create.ts';
import { isRegionless } from '../monitors/entitlements.ts';
import { updateMonitor } from '../monitors/update.ts';
import type { DataOf } from '../organization-export/format.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import { createProject as createProjectContract } from '../projects/contract.ts';
import { createProject } from '../projects/create.ts';
import type { ImportedThing } from './contract.ts';
import { attempt, type Importing, type Note } from './importing.ts';

type Line = DataOf<'monitor'>;

export async function importProjects(importing: Importing): Promise<void> {
  const { work, orgId, given, projects } = importing;
  const rows = await work.tx
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute();
  const find = (name: string) =>
    rows.find((row) => row.name === name) ?? rows.find(({ slug }) => slug === slugFrom(name));
  for (const { id, name: givenName } of given.project)
    await attempt(importing, 'project', givenName, async () => {
      const name = checkedName(givenName);
      validate(createProjectContract.body!, { name });
      const existing = find(name);
      const project = existing ?? (await createProject(work, orgId, name));
      if (!existing) rows.push(project);
      projects.set(id, project.id);
      return { exists: existing !== undefined };
    });
}

export async function importMonitors(importing: Importing): Promise<void> {
  const { work, orgId, given, monitors } = importing;
  const regions = await usableRegions(importing);
  const rows = await work.tx
    .selectFrom('monitors')
    .select(['id', 'project_id', 'name'])
    .where('org_id', '=', orgId)
    .where('example', '=', false)
    .execute();
  const existing = new Map(rows.map(({ id, project_id, name }) => [`${project_id} ${name}`, id]));
  const inFile = new Set(given.monitor.map(({ id }) => id));
  const later: { line: Line; id: string; thing: ImportedThing }[] = [];
  for (const line of membersFirst(given.monitor)) {
    let waiting: string | null = null;
    const thing = await attempt(importing, 'monitor', line.name, async () => {
      const projectId = importing.projects.get(line.project_id);
      if (projectId === undefined)
        return refuse('invalid_request', 'Its project is not in the file, or was refused.', {
          field: 'project_id',
        });
      const name = checkedName(line.name);
      const known = existing.get(`${projectId} ${name}`);
      if (known !== undefined) {
        monitors.set(line.id, known);
        return { exists: true };
      }
      const { body, notes, waits } = bodyOf(importing, { ...line, name }, { regions, inFile });
      validate(MonitorCreate, body);
      const place = { orgId, projectId, within: null };
      const options = importing.options.monitors;
      const admitted = await prepareMonitor(work.tx, place, body, options);
      const { id } = await writeMonitor(work, place, { ...admitted, example: false }, options);
      monitors.set(line.id, id);
      importing.made.add(id);
      existing.set(`${projectId} ${name}`, id);
      if (waits) waiting = id;
      return { notes };
    });
    if (waiting !== null) later.push({ line, id: waiting, thing });
  }
  for (const each of later) await dependOnLaterOnes(importing, each);
}

/** Slugs that a monitor here may name. */
async function usableRegions({ work }: Importing): Promise<Set<string>> {
  const rows = await work.tx.selectFrom('regions').select('slug').where('internal', '=', false).execute();
  return new Set(rows.map(({ slug }) => slug));
}

/** `waits`: it depends on a monitor that comes after it. */
function bodyOf(
  { monitors, profiles }: Importing,
  line: Line,
  { regions: usable, inFile }: Record<'regions' | 'inFile', ReadonlySet<string>>,
) {
  const notes: Note[] = [];
  const { alert_profile_id: profileId, ...policy } = line.policy;
  const profile = profileId == null ? null : (profiles.get(profileId) ?? null);
  if (profileId != null && profile === null) notes.push('references_left_out');
  const regions = line.regions.filter((slug) => usable.has(slug));
  if (!isRegionless(line.type) && regions.length < line.regions.length)
    notes.push(regions.length === 0 ? 'local_region' : 'regions_left_out');
  if (line.type === 'heartbeat') notes.push('new_address');
  const dependsOn = line.depends_on ?? [];
  const known = named(monitors, dependsOn);
  const comesLater = dependsOn.some((id) => !monitors.has(id) && inFile.has(id));
  if (known.length < dependsOn.length && !comesLater) notes.push('references_left_out');
  const config = { ...line.config };
  if (line.type === 'group' && Array.isArray(config.members)) {
    const members = named(monitors, config.members as string[]);
    if (members.length < config.members.length) notes.push('references_left_out');
    config.members = members;
  }
  const body = {
    name: line.name,
    type: line.type,
    config,
    enabled: line.enabled,
    interval_seconds: line.interval_seconds,
    // Without any that there is here, the one that a monitor has whose creator named none.
    ...(isRegionless(line.type) ? { regions: line.regions } : regions.length > 0 ? { regions } : {}),
    policy: { ...policy, alert_profile_id: profile },
    ...(line.alarm_gate ? { alarm_gate: line.alarm_gate } : {}),
    ...(known.length > 0 ? { depends_on: known } : {}),
    severity: line.severity ?? 'critical',
    tags: line.tags ?? [],
  } as MonitorCreate;
  return { body, notes, waits: comesLater };
}

/** Ids here of those that the file names; two of the file may be one here. */
export const named = (known: ReadonlyMap<string, string>, ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => known.get(id) ?? [])),
];

/** Members come before their groups; a ring of groups is left as it is, and refused where it closes. */
function membersFirst(lines: readonly Line[]): Line[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return inOrder(lines, ({ type, config }) =>
    type === 'group' && Array.isArray(config.members)
      ? config.members.flatMap((id) => byId.get(id as string) ?? [])
      : [],
  );
}

/** A dependency may come later in the file than its monitor, or may have been refused. */
async function dependOnLaterOnes(
  { work, monitors, options }: Importing,
  { line, id, thing }: { line: Line; id: string; thing: ImportedThing },
): Promise<void> {
  const wanted = line.depends_on ?? [];
  const dependsOn = named(monitors, wanted);
  let isWhole = dependsOn.length === wanted.length;
  try {
    if (dependsOn.length > 0)
      await updateMonitor(work, id, { depends_on: dependsOn }, options.monitors, null);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    isWhole = false;
  }
  if (!isWhole && !thing.notes.includes('references_left_out')) thing.notes.push('references_left_out');
}
