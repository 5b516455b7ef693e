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
import {
  type Applying,
  attempt,
  type Became,
  countChange,
  idNamed,
  leftOver,
  refuseTwice,
} from './applying.ts';
import type { DeclaredMonitor } from './contract.ts';
import { fullName, MonitorNames } from './monitor-names.ts';

type Stored = MonitorRow & { project: string };
type Declared = { project: string; monitor: DeclaredMonitor; path: string };

/**
 * Reports the monitors and projects that the section `projects` lacks, and prunes them: first of all, so that their places in the
 * plan are free, and none of them is in the way of a change. A project without the field `monitors` keeps its monitors. Returns
 * the stored monitors.
 */
export async function pruneProjects(applying: Applying): Promise<Map<string, Stored>> {
  const { file } = applying;
  if (!file.projects && !file.status_pages) return new Map();
  const stored = await storedMonitors(applying);
  applying.monitors = new MonitorNames(stored.values(), declaredNames(applying));
  if (file.projects === undefined) return stored;
  await removeMonitors(applying, stored);
  await removeProjects(applying);
  return stored;
}

/** Creates and changes the projects and monitors of the section `projects`. */
export async function applyProjects(applying: Applying, stored: Map<string, Stored>): Promise<void> {
  if (applying.file.projects === undefined) return;
  await createProjects(applying);
  for (const declared of declaredMonitors(applying, stored)) await applyMonitor(applying, declared, stored);
}

const declaredNames = ({ file }: Applying) =>
  (file.projects ?? []).flatMap(({ name: project, monitors = [] }) =>
    monitors.map(({ name }) => ({ project: visibleName(project), name: visibleName(name) })),
  );

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
      countChange(applying);
      await deleteMonitor(work, id, options.monitors);
      monitors.remove(project, name);
    });
  }
}

async function removeProjects(applying: Applying): Promise<void> {
  const { work, orgId, projects, file } = applying;
  const declared = new Set(file.projects?.map(({ name }) => visibleName(name)));
  const examples = await work.tx
    .selectFrom('monitors')
    .select('project_id')
    .where('org_id', '=', orgId)
    .where('example', '=', true)
    .execute();
  // An example goes by itself; until then its project stays.
  const kept = new Set(examples.map(({ project_id }) => project_id));
  for (const [name, id] of [...projects].filter(([name]) => !declared.has(name)))
    await leftOver({ ...applying, prune: applying.prune && !kept.has(id) }, 'project', name, async () => {
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
    [...(monitor.depends_on ?? []), ...(membersOf(monitor) ?? [])]
      .filter(isText)
      .map(visibleName)
      .flatMap(
        (reference) =>
          byFullName.get(fullName({ project, name: reference })) ??
          byFullName.get(reference) ??
          byName.get(reference) ??
          [],
      ),
  );
}

/** The members of a group; what is no text among them is refused when the group is validated. */
function membersOf({ type, config }: DeclaredMonitor): unknown[] | null {
  const { members } = (config ?? {}) as { members?: unknown };
  return type === 'group' && Array.isArray(members) ? members : null;
}

const isText = (value: unknown) => typeof value === 'string';

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
      monitors.created(project, made.name, made.id);
      return { changed: null };
    }
    const row = stored.get(id);
    // Created by this file a moment ago.
    if (!row)
      return refuse('invalid_request', `The file has two monitors called ${name}.`, { field: 'name' });
    stored.delete(id);
    const changed = await changedFields(work.tx, row, body, options.monitors);
    if (changed.length === 0) return { changed };
    countChange(applying);
    await updateMonitor(work, id, body, { ...options.monitors, declared: true }, null);
    return { changed };
  });
}

/** The declared fields, as the interface takes them. */
function bodyOf(
  { monitors, profiles, file }: Applying,
  project: string,
  { alert_profile: profile, policy, depends_on: dependsOn, config = {}, ...fields }: DeclaredMonitor,
): MonitorCreate {
  const members = membersOf({ ...fields, config });
  const idsOf = (references: readonly unknown[], field: string) =>
    references.map((each, i) => (isText(each) ? monitors.find(each, `${field}.${i}`, project) : each));
  const profileId = () =>
    idNamed(profiles, profile ?? '', {
      field: 'alert_profile',
      what: 'alert profile',
      declared: file.alert_profiles,
    });
  const inherits = profile === undefined ? {} : { alert_profile_id: profile === null ? null : profileId() };
  const written = { ...policy, ...inherits };
  return {
    ...fields,
    config: members ? { ...config, members: idsOf(members, 'config.members') } : config,
    ...(Object.keys(written).length > 0 ? { policy: written } : {}),
    ...(dependsOn == null ? {} : { depends_on: idsOf(dependsOn, 'depends_on') as string[] }),
  };
}
