// What people are shown at a moment: lists, pages of monitors, overview, wall, status pages, blind spots, troubles and metrics must say
// of which monitors nobody knows how they are, and of no others.
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Overview } from '#src/overview/contract.ts';
import type { BlindSpots } from '#src/self-monitoring/contract.ts';
import type { Wall } from '#src/walls/contract.ts';
import { makeClient } from '../harness/client.ts';
import type { MonitorFacts } from './facts.ts';
import { readOnPage } from './on-page.ts';
import { makeWallMemory } from './on-wall.ts';
import type { Organization } from './place.ts';
import {
  cannotBeMade,
  isChecked,
  isOnline,
  isSilent,
  longMs,
  newestResultMs,
  silentFromMs,
} from './rules.ts';
import type { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** Shortly after a new monitor was made, nobody expects a result (docs/rules/monitor-types.md#monitors-of-all-projects). */
const FIRST_RESULT_MS = 15_000;
/** What a turn notes is as old as two turns of two servers. */
const NOTED_MS = 10_000;
/** What has not changed is looked at again after this. */
const POLL_MS = 20_000;

/** How a monitor must be shown: its states that fit, since when there is no data, and whether it cannot be checked. */
type Expected = { states: readonly string[]; sinceUnix: number | null; cannot: boolean | null };

const KNOWN = ['passed', 'degraded', 'failed'];

/** null: the rules leave it open at this moment. */
function expectedOf({ facts }: Scene, monitor: MonitorFacts, nowMs: number): Expected | null {
  if (!monitor.enabled) return { states: ['paused'], sinceUnix: null, cannot: false };
  const silent = isSilent(facts, monitor, nowMs);
  if (silent === null) return null;
  const first = isChecked(monitor) ? [] : ['pending'];
  if (!silent) return { states: [...KNOWN, ...first], sinceUnix: null, cannot: false };
  const sinceMs = newestResultMs(monitor);
  const cannot = cannotBeMade(facts, monitor, nowMs);
  const waits = nowMs < sinceMs + 3000 * monitor.intervalSeconds + FIRST_RESULT_MS;
  const states = ['no_data', ...(waits ? first : [])];
  return {
    states: cannot === false ? states : ['cannot_check', ...(cannot ? [] : states)],
    sinceUnix: Math.floor(sinceMs / 1000),
    cannot,
  };
}

export type ShownJudge = ReturnType<typeof makeShownJudge>;

/** `wrong` gets a sentence for each fault. */
export function makeShownJudge({ app, secondUrl }: Stage, wrong: Set<string>) {
  const wallMemory = makeWallMemory();
  const people = (url: string, { owner }: Organization) => makeClient(url, { cookie: owner.cookie() });

  function judgeMonitor(
    where: string,
    { name }: MonitorFacts,
    expected: Expected,
    shown: Pick<Monitor, 'no_data_since_unix' | 'cannot_check'>,
  ): void {
    if (shown.no_data_since_unix !== expected.sinceUnix)
      wrong.add(
        `${where}: ${name} is without data since ${shown.no_data_since_unix}, not ${expected.sinceUnix}`,
      );
    if (expected.cannot !== null && (shown.cannot_check !== null) !== expected.cannot)
      wrong.add(`${where}: ${name} has cannot_check ${shown.cannot_check}`);
  }

  function judgeState(
    where: string,
    { name }: MonitorFacts,
    { states }: Expected,
    state: string | undefined,
  ) {
    if (state === undefined || !states.includes(state))
      wrong.add(`${where}: ${name} is ${state}, not ${states.join(' or ')}`);
  }

  let lookedMs = 0;
  let signature = '';

  /** `whole`: also what costs more to read. Otherwise only where something must be shown anew, and from time to time. */
  async function look(scene: Scene, whole: boolean): Promise<void> {
    const nowMs = scene.nowMs();
    const expected = new Map(
      scene.monitors.flatMap(({ facts }) =>
        facts.deleted ? [] : [[facts.id, expectedOf(scene, facts, nowMs)] as const],
      ),
    );
    for (const [id, its] of expected) wallMemory.note(id, its?.states ?? null, nowMs, !whole);
    const now = JSON.stringify([
      [...expected],
      scene.facts.regions.map((each) => isOnline(scene.facts, each, nowMs)),
    ]);
    if (!whole && now === signature && nowMs - lookedMs < POLL_MS) return;
    signature = now;
    lookedMs = nowMs;
    await Promise.all([
      judgeRegions(scene),
      ...scene.organizations.map((organization, i) =>
        lookAt(scene, organization, { expected, whole, second: (nowMs / 1000) % 2 === i }),
      ),
    ]);
  }

  async function lookAt(
    scene: Scene,
    organization: Organization,
    {
      expected,
      whole,
      second,
    }: { expected: ReadonlyMap<string, Expected | null>; whole: boolean; second: boolean },
  ): Promise<void> {
    const nowMs = scene.nowMs();
    const own = scene.monitors.flatMap(({ facts }) =>
      facts.orgId === organization.orgId && !facts.deleted ? [facts] : [],
    );
    const judged = own.flatMap((monitor) => {
      const its = expected.get(monitor.id);
      return its ? [{ monitor, expected: its }] : [];
    });
    // Each server remembers what it showed last.
    const url = second ? secondUrl() : app.url;
    await Promise.all([
      judgeLists(people(url, organization), organization, judged),
      judgeBlindSpots(scene, organization, own),
      ...(whole ? [judgePages(organization, judged, nowMs)] : []),
    ]);
  }

  type Judged = readonly { monitor: MonitorFacts; expected: Expected }[];

  async function judgeLists(
    client: ReturnType<typeof makeClient>,
    { orgId, projectId }: Organization,
    judged: Judged,
  ) {
    const [all, ofProject] = await Promise.all([
      client.ok<ListedMonitor[]>('GET', `/organizations/${orgId}/monitors`),
      client.ok<Monitor[]>('GET', `/projects/${projectId}/monitors`),
    ]);
    for (const { monitor, expected } of judged) {
      const listed = all.find(({ id }) => id === monitor.id);
      judgeState('list of the organization', monitor, expected, listed?.state);
      if (listed) judgeMonitor('list of the organization', monitor, expected, listed);
      const shown = ofProject.find(({ id }) => id === monitor.id);
      if (shown) judgeMonitor('list of the project', monitor, expected, shown);
      else wrong.add(`list of the project: ${monitor.name} is missing`);
    }
  }

  async function judgePages({ orgId, owner, wall, pageId }: Organization, judged: Judged, nowMs: number) {
    const [overview, screen, onPage, silent] = await Promise.all([
      owner.ok<Overview>('GET', `/organizations/${orgId}/overview`),
      wall.ok<Wall>('GET', '/wall'),
      readOnPage(app, pageId),
      owner.ok<ListedMonitor[]>('GET', `/organizations/${orgId}/monitors?state=no_data`),
    ]);
    for (const { monitor, expected } of judged) {
      const shown = await owner.ok<Monitor>('GET', `/monitors/${monitor.id}`);
      judgeMonitor('page of the monitor', monitor, expected, shown);
      // Planned work is shown as that, whatever is known.
      const planned = shown.in_maintenance_until_unix !== null;
      const tiles = planned ? { ...expected, states: [...expected.states, 'maintenance'] } : expected;
      const tile = overview.monitors?.find(({ id }) => id === monitor.id);
      judgeState('overview', monitor, tiles, tile?.state);
      const onScreen = screen.tiles.find(({ name }) => name === monitor.name)?.state;
      const onWall = wallMemory.statesOf(monitor.id, nowMs);
      if (onWall !== null)
        judgeState('wall', monitor, { ...tiles, states: [...tiles.states, ...onWall] }, onScreen);
      judgeOnPage('status page', monitor, { ...expected, planned }, onPage.stateOf(monitor.id));
      judgeOnPage('badge', monitor, { ...expected, planned }, onPage.badgeSays(monitor.id));
      const isNamed = silent.some(({ id }) => id === monitor.id);
      if (isNamed !== expected.states.includes('no_data') && expected.states.length === 1)
        wrong.add(`list of those without data: ${monitor.name} is ${isNamed ? '' : 'not '}in it`);
    }
    const isKnown = onPage.monitorIds.some((id) => onPage.badgeSays(id) !== 'no_data');
    if (isKnown === (onPage.badgeSays(null) === 'no_data'))
      wrong.add(`badge: the page says ${onPage.badgeSays(null)}`);
  }

  /** docs/rules/status-pages.md#states */
  function judgeOnPage(
    where: string,
    { name }: MonitorFacts,
    { states, sinceUnix, planned }: Expected & { planned: boolean },
    state?: string,
  ) {
    const isUnknown = states.includes('paused') || sinceUnix !== null;
    const fits = state === 'no_data' ? isUnknown || states.includes('pending') : !isUnknown;
    if (state === undefined || !(fits || (planned && state === 'maintenance')))
      wrong.add(`${where}: ${name} is ${state}, and the list says ${states.join(' or ')}`);
  }

  /** Whoever has been without data for long is named, and nobody of whom there is data. */
  async function judgeBlindSpots(scene: Scene, { orgId, owner }: Organization, own: readonly MonitorFacts[]) {
    const { facts } = scene;
    const nowMs = scene.nowMs();
    const spots = await owner.ok<BlindSpots>('GET', `/organizations/${orgId}/blind-spots`);
    for (const monitor of own) {
      const named = spots.monitors.find(({ monitor_id }) => monitor_id === monitor.id);
      const silent = isSilent(facts, monitor, nowMs);
      const isLong = nowMs - silentFromMs(facts, monitor) > longMs(monitor) + NOTED_MS;
      if (silent && isLong && !named && facts.turnMs === nowMs)
        wrong.add(`blind spots: ${monitor.name} is not named`);
      if (named && facts.turnMs === nowMs && silent === false)
        wrong.add(`blind spots: ${monitor.name} is named`);
    }
  }

  async function judgeRegions({ facts, nowMs }: Scene): Promise<void> {
    const shown = await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions');
    for (const region of facts.regions) {
      const online = isOnline(facts, region, nowMs());
      if (online !== null && shown.find(({ slug }) => slug === region)?.online !== online)
        wrong.add(`${region} is not shown as ${online ? 'online' : 'offline'}`);
    }
  }

  return { look };
}
