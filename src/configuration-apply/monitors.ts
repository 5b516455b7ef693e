// Projects and their monitors. A project is known by its name, a monitor by its name within its project.
import { inOrder } from '../domain/in-order.ts';
import { visibleName } from '../domain/visible-name.ts';
import { changedFields } from '../monitors/changed-fields.ts';
import { MonitorCreate } from '../monitors/contract.ts';
import { createMonitor } from '../monitors/create.ts';
import { deleteMonitor } from '../monitors/delete.ts';
import { type MonitorRow, selectMonitors } from '../monitors/row.ts';
import { updateMonitor } from '../monitors/update.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { createProject } from '../projects/create.ts';
import { deleteProject } from '../projects/delete.ts';
import { type Applying, attempt, type Became, leftOver, refuseTwice } from './applying.ts';
import type { DeclaredMonitor } from './contract.ts';
import { fullName, MonitorNames } from './monitor-names.ts';

type Stored = MonitorRow & { project: string };
type Declared = { project: string; monitor: DeclaredMonitor; path: string };

/**
 * Applies the section `projects`. What the file lacks is deleted first, so that its places in the plan are free. A project
 * without the field `monitors` keeps its monitors.
 */
export async function applyProjects(applying: Applying): Promise<void> {
  const { file } = applying;
  const stored = await storedMonitors(applying);
  applying.monitors = new MonitorNames([...stored.values()]);
  if (file.projects === undefined) return;
  await removeMonitors(applying, stored);
  await removeProjects(applying);
  await createProjects(applying);
  for (const declared of declaredMonitors(applying, stored)) await applyMonitor(applying, declared, stored);
}

async function storedMonitors({ work, orgId, projects }: Applying): Promise<Map<string, Stored>> {
  const nameOf = new Map([...projects].map(([name, id]) => [id, name]));
  const rows = await selectMonitors(work.tx, work.now)
    .where('monitors.org_id', '=', orgId)
    .where('monitors.example', '=', false)
    .orderBy('monitors.no')
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, project: nameOf.get(row.project_id) ?? '' }]));
}

async function removeMonitors(applying: Applying, stored: Map<string, Stored>): Promise<void> {
  const { work, options, monitors } = applying;
  const complete = new Map(
    applying.file.projects?.map(({ name, monitors: declared }) => [
      visibleName(name),
      declared && new Set(declared.map((monitor) => visibleName(monitor.name))),
    ]),
  );
  for (const { id, project, name } of stored.values()) {
    const declared = complete.get(project);
    if (complete.has(project) && (declared === undefined || declared.has(name))) continue;
    await leftOver(applying, 'monitor', fullName({ project, name }), async () => {
      await deleteMonitor(work, id, options.monitors);
      monitors.remove(id);
    });
  }
}

async function removeProjects(applying: Applying): Promise<void> {
  const { work, projects, file } = applying;
  const declared = new Set(file.projects?.map(({ name }) => visibleName(name)));
  for (const [name, id] of [...projects].filter(([name]) => !declared.has(name)))
    await leftOver(applying, 'project', name, async () => {
      await deleteProject(work, id);
      projects.delete(name);
    });
}

async function createProjects(applying: Applying): Promise<void> {
  const { work, orgId, projects, file } = applying;
  const seen = new Set<string>();
  for (const [i, { name: given }] of (file.projects ?? []).entries())
    await attempt(applying, { kind: 'project', name: given, path: `projects.${i}` }, async () => {
      const name = checkedName(given);
      refuseTwice(seen, name, 'projects');
      if (projects.has(name)) return { changed: [] };
      projects.set(name, (await createProject(work, orgId, name)).id);
      return { changed: null };
    });
}

/**
 * The monitors of the file, each behind those that it names; as far as that allows in the order in which their states are locked
 * (docs/architecture.md).
 */
function declaredMonitors(
  { file, monitors: known }: Applying,
  stored: ReadonlyMap<string, Stored>,
): Declared[] {
  const inFile = (file.projects ?? []).flatMap(({ name: project, monitors = [] }, i) =>
    monitors.map((monitor, k) => ({
      ...{ project: visibleName(project), monitor, path: `projects.${i}.monitors.${k}` },
    })),
  );
  const noOf = ({ project, monitor }: Declared) =>
    stored.get(known.idOf(project, visibleName(monitor.name)) ?? '')?.no ?? Number.MAX_SAFE_INTEGER;
  const declared = inFile.sort((a, b) => noOf(a) - noOf(b));
  const byName = Map.groupBy(declared, ({ monitor }) => visibleName(monitor.name));
  const byFullName = new Map(
    declared.map((each) => [fullName({ project: each.project, name: visibleName(each.monitor.name) }), each]),
  );
  return inOrder(declared, ({ project, monitor }) =>
    [...(monitor.depends_on ?? []), ...(membersOf(monitor) ?? [])].flatMap(
      (reference) =>
        byFullName.get(fullName({ project, name: reference })) ??
        byFullName.get(reference) ??
        byName.get(reference) ??
        [],
    ),
  );
}

function membersOf({ type, config }: DeclaredMonitor): string[] | null {
  const { members } = (config ?? {}) as { members?: unknown };
  if (type !== 'group' || !Array.isArray(members)) return null;
  return members.filter((member) => typeof member === 'string');
}

async function applyMonitor(
  applying: Applying,
  { project, monitor, path }: Declared,
  stored: Map<string, Stored>,
): Promise<void> {
  const name = fullName({ project, name: monitor.name });
  await attempt(applying, { kind: 'monitor', name, path }, async (): Promise<Became> => {
    const { work, orgId, options, monitors, projects } = applying;
    const projectId = projects.get(project);
    if (projectId === undefined) return refuse('invalid_request', 'Its project was refused.');
    const body = bodyOf(applying, project, { ...monitor, name: checkedName(monitor.name) });
    validate(MonitorCreate, body);
    const id = monitors.idOf(project, body.name);
    if (id === null) {
      const made = await createMonitor(work, { orgId, projectId, within: null }, body, options.monitors);
      monitors.add({ id: made.id, project, name: made.name });
      return { changed: null };
    }
    const row = stored.get(id);
    // Created by this file a moment ago.
    if (!row)
      return refuse('invalid_request', `The file has two monitors called ${name}.`, { field: 'name' });
    stored.delete(id);
    const changed = await changedFields(work.tx, row, body, options.monitors);
    if (changed.length > 0) await updateMonitor(work, id, body, options.monitors, null);
    return { changed };
  });
}

/** The declared fields, as the interface takes them. */
function bodyOf(
  { monitors, profiles }: Applying,
  project: string,
  { alert_profile: profile, policy, depends_on: dependsOn, config = {}, ...fields }: DeclaredMonitor,
): MonitorCreate {
  const members = membersOf({ ...fields, config });
  const inherits =
    profile === undefined ? {} : { alert_profile_id: profile === null ? null : profileId(profiles, profile) };
  const written = { ...policy, ...inherits };
  return {
    ...fields,
    config: members
      ? { ...config, members: members.map((member) => monitors.find(member, 'config.members', project)) }
      : config,
    ...(Object.keys(written).length > 0 ? { policy: written } : {}),
    ...(dependsOn == null
      ? {}
      : { depends_on: dependsOn.map((reference) => monitors.find(reference, 'depends_on', project)) }),
  };
}

function profileId(profiles: ReadonlyMap<string, string>, name: string): string {
  return (
    profiles.get(visibleName(name)) ??
    refuse(
      'invalid_request',
      `alert_profile names ${JSON.stringify(name)}, and there is no such alert profile.`,
      {
        field: 'alert_profile',
      },
    )
  );
}
