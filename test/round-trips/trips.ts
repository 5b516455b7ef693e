// Takes the organization of a walk out and puts it back, and says what the rules do not allow for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '#src/cli/open-installation.ts';
import type { AppliedThing, ApplyReport, ConfigurationFile } from '#src/configuration-apply/contract.ts';
import type { ImportReport } from '#src/configuration-import/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import { insertAgent } from '../harness/agents.ts';
import type { TestApp } from '../harness/app.ts';
import { asBrought, withRoster } from './brought.ts';
import { addressOf } from './contents.ts';
import { lacking, sorted } from './files.ts';
import { differences, lookAt, unlike } from './look.ts';
import { comparedAfterMove, linesOf } from './moved.ts';
import { plainOf } from './plain.ts';
import type { Scene } from './scene.ts';
import type { Stage } from './stage.ts';
import { mayRefuse } from './usual.ts';
import type { Act, Trip } from './walk.ts';

const MASK = '••••';

export async function takeTrip(stage: Stage, scene: Scene, trip: Trip): Promise<string[]> {
  switch (trip.do) {
    case 'again':
      return again(scene);
    case 'elsewhere':
      return elsewhere(stage, scene);
    case 'drift':
    case 'race':
      return drift(scene, trip);
    case 'transfer':
      return transfer(stage, scene);
    case 'bring':
      return bring(stage, scene);
  }
}

const fileOf = ({ by, at }: Pick<Scene, 'by' | 'at'>) =>
  by.ok<ConfigurationFile>('GET', `${at}/configuration`);
const twice = (names: readonly string[]) => new Set(names).size < names.length;

/** A file cannot say which of two is meant: the rules refuse it. */
async function isRefused({ by, at }: Scene): Promise<boolean> {
  const names = async (path: string, nameOf: (each: { kind: string; name: string }) => string) =>
    (await by.ok<{ kind: string; name: string }[]>('GET', `${at}/${path}`)).map(nameOf);
  return (
    twice(await names('projects', ({ name }) => name)) ||
    twice(await names('webhooks', ({ kind, name }) => `${kind} ${name}`))
  );
}

const apply = ({ by, at }: Pick<Scene, 'by' | 'at'>, file: ConfigurationFile, query = '') =>
  by.send<ApplyReport>('POST', `${at}/apply${query}`, file);

const linesIn = (things: readonly AppliedThing[]) =>
  things.map(({ kind, name, outcome, changed, refusal }) =>
    [outcome, kind, name, changed.join(','), refusal?.message].filter((each) => each).join(' '),
  );
const changing = (things: readonly AppliedThing[]) =>
  linesIn(things.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'not_in_file'));

/** The file of the organization changes nothing: no thing of it, no state, no entry of the log. */
async function again(scene: Scene): Promise<string[]> {
  const { by, place } = scene;
  const before = await lookAt(by, place.orgId, false);
  const file = await fileOf(scene);
  const refused = await isRefused(scene);
  const { status, body } = await apply(scene, file, '?prune=true');
  const after = differences(before, await lookAt(by, place.orgId, false));
  if (refused)
    return status === 400 ? after : [`a name that two things have was answered ${status}`, ...after];
  if (status !== 200) return [`the file of the organization was answered ${JSON.stringify(body)}`];
  return [...linesIn(body.things.filter(({ outcome }) => outcome !== 'unchanged')), ...after];
}

/** The file makes the same organization of an empty one. */
async function elsewhere({ app, people }: Stage, scene: Scene): Promise<string[]> {
  if (await isRefused(scene)) return [];
  const place = await app.place(scene.by, 'unlimited');
  const toTwin = await twinOf(app, scene, place.orgId);
  const { organization: _, ...file } = toTwin(await fileOf(scene));
  for (const { userId: user_id } of people) {
    const member = { org_id: place.orgId, user_id, role: 'member', joined_at: app.clock.now() };
    await app.db.insertInto('members').values(member).execute();
  }
  const given = forElsewhere(file, place.orgId);
  const there = { by: scene.by, at: `/organizations/${place.orgId}` };
  const first = await apply(there, given);
  // A group whose members were all deleted cannot be made anew.
  const isEmptied = JSON.stringify(file.projects ?? []).includes('"members":[]');
  if (isEmptied) return first.status === 400 ? [] : [`a group of nobody answered ${first.status}`];
  if (first.status !== 200) return [`an empty organization answered ${JSON.stringify(first.body)}`];
  const plain = unlike(
    toTwin(await plainOf(scene.by, scene.place.orgId)),
    await plainOf(scene.by, place.orgId),
    'plain',
  );
  const second = await apply(there, given);
  const { organization: __, ...copy } = await fileOf(there);
  const shop = copy.projects?.find(({ name, monitors }) => name === 'Shop' && monitors?.length === 0);
  const expected = forElsewhere(file, place.orgId);
  for (const target of expected.webhooks ?? []) {
    for (const field of Object.keys(addressOf(target.kind)))
      if (
        field !== 'region' &&
        !(file.webhooks ?? []).some((each) => field in each && each.kind === target.kind)
      )
        delete (target as Record<string, unknown>)[field];
  }
  // The empty one had a project already.
  const isMore = shop && !expected.projects?.some(({ name }) => name === 'Shop');
  const own = isMore ? { ...copy, projects: copy.projects?.filter((each) => each !== shop) } : copy;
  // A file leaves out a roster in which somebody has no place any more; in the other one nobody ever had.
  if (file.on_call && !file.on_call.roster) delete own.on_call?.roster;
  return [
    ...plain,
    ...changing(second.body.things),
    ...unlike(sorted(masked(expected)), sorted(masked(own)), 'file'),
  ];
}

/** Writes the id of a host of the other organization in place of the own one, as somebody has to who takes a file there. */
async function twinOf(app: TestApp, { host }: Scene, orgId: string): Promise<<T>(value: T) => T> {
  if (!host) return (value) => value;
  const { id } = await insertAgent(app.db, { orgId, at: app.clock.now() });
  return (value) => JSON.parse(JSON.stringify(value).replaceAll(host.id, id));
}

/** Secrets and addresses that a file leaves out, and slugs that are taken, as somebody would write them in. */
function forElsewhere(file: ConfigurationFile, suffix: string): ConfigurationFile {
  // A list has names of monitors, which may look like a mask.
  const copy = JSON.parse(JSON.stringify(file), function (this: unknown, key: string, value: unknown) {
    const isSecret = value === MASK && key !== 'name' && key !== 'display_name' && !Array.isArray(this);
    return isSecret ? 'a secret' : value;
  }) as ConfigurationFile;
  const webhooks = copy.webhooks?.map((each) => ({ ...each, ...addressOf(each.kind) }));
  const pages = copy.status_pages?.map((page, i) => ({
    ...page,
    slug: `q-${i}-${suffix}`.replaceAll('_', '-'),
  }));
  return {
    ...copy,
    ...(webhooks ? { webhooks } : {}),
    ...(pages ? { status_pages: pages } : {}),
  } as ConfigurationFile;
}

const masked = (file: ConfigurationFile): unknown =>
  JSON.parse(JSON.stringify(file), (_, value) => (value === 'a secret' ? MASK : value));

/** People change something after the file was written, or while it is applied: then it is as the file says. */
async function drift(
  scene: Scene,
  { do: kind, acts, prune }: { do: string; acts: readonly Act[]; prune: boolean },
) {
  const file = await fileOf(scene);
  const query = prune ? '?prune=true' : '';
  let raced = 200;
  const own = await ownThingsOf(scene);
  const change = async () => {
    for (const act of acts) await scene.act(act);
  };
  if (kind === 'race')
    [raced] = await Promise.all([apply(scene, file, query).then(({ status }) => status), change()]);
  else await change();
  await scene.learn();
  const wrong = raced >= 500 ? [`applying meanwhile answered ${raced}`] : [];
  if (await isRefused(scene)) return wrong;
  const plan = await apply(scene, file, `?dry_run=true${prune ? '&prune=true' : ''}`);
  const done = await apply(scene, file, query);
  await scene.learn();
  if (plan.status !== 200) return [`a dry run answered ${JSON.stringify(plan.body)}`];
  const refusals = changing(plan.body.things).filter((line) => line.startsWith('refused'));
  if (done.status !== 200)
    return refusals.length > 0 ? mayRefuse(acts, refusals) : [JSON.stringify(done.body)];
  const second = await apply(scene, file, query);
  const is = await fileOf(scene);
  return [
    ...wrong,
    ...unlike(linesIn(plan.body.things), linesIn(done.body.things), 'report'),
    ...(second.status === 200 ? changing(second.body.things) : [JSON.stringify(second.body)]).map(
      (each) => `again: ${each}`,
    ),
    ...lacking(sorted(file), sorted(is), 'file'),
    ...unlike(own, await ownThingsOf(scene), 'what no file has'),
  ];
}

/** Links to the wall and saved views: people's, whatever becomes of what they name. */
const ownThingsOf = async ({ by, at }: Scene) => [
  await by.ok('GET', `${at}/wall-links`),
  await by.ok('GET', `${at}/monitor-views`),
];

/** The export of an organization, which another installation imports, is the same organization there. */
async function transfer(stage: Stage, scene: Scene): Promise<string[]> {
  const { app, other } = stage;
  const { orgId } = scene.place;
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-round-trip-'));
  try {
    await exportTo(app, orgId, dir, 'first');
    const path = join(dir, `first-${LINES_FILE}`);
    await other.runTask('partitions');
    const { db, vault, clock } = other;
    const { plan } = await app.db
      .selectFrom('organizations')
      .select('plan')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    await importOrganization({ db, vault, path, slug: null, plan, now: clock.now(), actor: OPERATOR });
    await exportTo(other, orgId, dir, 'second');
    // Without a probe there are no data; one that has asked for long and delivered nothing has stalled, and begins anew.
    for (const each of [app, other])
      for (const region of ['local', 'fra']) {
        await each.probe(region).leave();
        await each.probe(region).assignments();
      }
    const before = await lookAt(scene.by, orgId);
    const after = await lookAt(other.alice, orgId);
    const compared = comparedAfterMove(stage);
    return [
      ...differences(before, after, compared.clean),
      ...unlike(
        linesOf(path, compared.named.before),
        linesOf(join(dir, `second-${LINES_FILE}`), compared.named.after),
        'export',
      ),
    ];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const exportTo = (app: TestApp, organizationId: string, dir: string, name: string) =>
  exportOrganization({
    ...{ url: app.databaseUrl, organizationId, vault: app.vault, version: '0.0.0', now: app.clock.now() },
    file: (file, write) => writePrivateFile(join(dir, `${name}-${file}`), write),
  });

/** The configuration in an export makes the same one of an empty organization, apart from what has to be looked at. */
async function bring({ app, other }: Stage, scene: Scene): Promise<string[]> {
  const file = await scene.by.send<string>('POST', `${scene.at}/export`);
  if (file.status !== 200) return [`an export answered ${JSON.stringify(file.body)}`];
  const place = await other.place(other.alice, 'unlimited');
  for (const { email, role } of await scene.by.ok<{ email: string; role: string }[]>(
    'GET',
    `${scene.at}/members`,
  )) {
    const user = await other.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    const member = { org_id: place.orgId, user_id: user?.id ?? '', role, joined_at: app.clock.now() };
    if (email !== other.alice.email) await other.db.insertInto('members').values(member).execute();
  }
  const there = { by: other.alice, at: `/organizations/${place.orgId}` };
  await other.alice.ok('DELETE', `/projects/${place.projectId}`);
  const report = await other.alice.send<ImportReport>('POST', `${there.at}/import`, file.body);
  if (report.status !== 200) return [`an import answered ${JSON.stringify(report.body)}`];
  // A window of monitors that are all deleted is not imported.
  const refused = report.body.things.filter(
    ({ outcome, refusal }) => outcome === 'refused' && !/None of its monitors/.test(refusal?.message ?? ''),
  );
  const projects = await scene.by.ok<{ name: string }[]>('GET', `${scene.at}/projects`);
  // Two projects of one name become one.
  if (twice(projects.map(({ name }) => name))) return [];
  const again = await other.alice.ok<ImportReport>('POST', `${there.at}/import`, file.body);
  const targets = await other.alice.ok<WebhookTarget[]>('GET', `${there.at}/webhooks`);
  return [
    ...refused.map((thing) => `refused: ${JSON.stringify(thing)}`),
    ...again.things
      .filter(({ outcome }) => outcome === 'made')
      .map((thing) => `again: ${JSON.stringify(thing)}`),
    ...targets.filter(({ active }) => active).map(({ name }) => `${name} is on`),
    ...unlike(
      asBrought(await withRoster(scene, await fileOf(scene), report.body)),
      asBrought(await fileOf(there)),
      'file',
    ),
  ];
}
