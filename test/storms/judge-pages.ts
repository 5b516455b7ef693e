// What must hold for the pages of one target at every moment (docs/rules/notifications.md#storms).
import type { Incident, Moment } from './incidents.ts';
import type { Page } from './pagers.ts';

/** Tocsin gathers the incidents of a storm for so long. */
const GATHERED_MS = 6_000;
/** Messages about a storm are so far apart. */
const APART_MS = 62_000;

type Alert = 'triggered' | 'acknowledged' | 'resolved';

/**
 * `isOff`: the target is switched off, or may just be. `isRetried`: something may still wait for its next try. `gets`: whether it
 * is subscribed to an event. `wasReplayed`: whether a person had a page of an incident sent again, needed or not.
 */
export type TargetState = {
  isOff: boolean;
  isRetried: boolean;
  mixed: boolean;
  gets: (event: string) => boolean;
  wasReplayed: (incidentId: string) => boolean;
};

/** What must not stay so. `event`: the one that ends it. */
type Fault = {
  isSo: boolean;
  mayLastMs: number;
  what: string;
  event: string;
  isOver?: boolean;
  isMissed?: boolean;
};

/** Judges the pages of an organization's target; `wrong` gets a sentence for each fault. */
export function makePageJudge(name: string, orgId: string, wrong: Set<string>) {
  const alerts = new Map<string, Alert>();
  /** Since when something is as it should not stay. */
  const since = new Map<string, number>();
  /** What was as it should not stay while the target was off: it starts with new events. */
  const missed = new Set<string>();
  let seen = 0;
  let lastPageMs = Number.NEGATIVE_INFINITY;

  const groupKeyOf = ({ alarmNo }: Incident) => `group:${orgId}:${alarmNo}`;
  const keysOf = (incident: Incident) => [incident.id, groupKeyOf(incident)];
  const say = (what: string) => wrong.add(`${name}: ${what}`);

  /** Applies a page that has just arrived. One that wakes people must be about something that needs somebody. */
  function apply(
    { action, key }: Page,
    { incidents, needing, before }: Moment,
    { mixed, wasReplayed }: TargetState,
  ): void {
    const was = alerts.get(key) ?? 'resolved';
    const own = (some: readonly Incident[]) => some.filter((one) => keysOf(one).includes(key));
    if (action === 'trigger') {
      const needed = own([...incidents, ...before.incidents]).some(
        ({ id }) => needing.has(id) || before.needing.has(id) || wasReplayed(id),
      );
      if (was === 'resolved' && !mixed && !needed)
        say(`${key} was triggered although nobody needs to respond to it`);
      alerts.set(key, was === 'acknowledged' ? was : 'triggered');
      return;
    }
    if (was === 'resolved') return;
    alerts.set(key, action === 'resolve' ? 'resolved' : 'acknowledged');
    if (action !== 'resolve') return;
    // Pages of single incidents are closed when that of their storm replaces them.
    const still = own(incidents).filter((one) => one.open && (one.groupNo === null || key !== one.id));
    const stillBefore = new Set(own(before.incidents).flatMap(({ id, open }) => (open ? [id] : [])));
    const left = still.filter(({ id }) => stillBefore.has(id));
    if (left.length > 0 && !mixed) say(`${key} was closed, and ${left[0]?.id} is open`);
  }

  /** Judges a moment. `pages` are all that the target has accepted so far, `moment` knows only what concerns it. */
  function look(pages: readonly Page[], moment: Moment, state: TargetState): void {
    const { atMs, incidents, needing } = moment;
    for (const page of pages.slice(seen)) {
      lastPageMs = atMs;
      apply(page, moment, state);
    }
    seen = pages.length;

    /**
     * Says `what` if it has been so for longer than `mayLastMs`. What the target misses while it is off, or not subscribed to the
     * event that ends it, counts again once it `isOver`.
     */
    function mustEnd({ isSo, mayLastMs, what, event, isOver = !isSo, isMissed = isSo }: Fault): void {
      const misses = state.isOff || !state.gets(event);
      if (isOver) missed.delete(what);
      else if (isMissed && misses) missed.add(what);
      if (!isSo || misses || state.isRetried || missed.has(what)) {
        since.delete(what);
        return;
      }
      const from = since.get(what) ?? atMs;
      since.set(what, from);
      if (atMs - from > mayLastMs) say(what);
    }
    const is = (key: string, ...states: Alert[]) => states.includes(alerts.get(key) ?? 'resolved');

    for (const one of incidents) {
      const [own, group] = keysOf(one) as [string, string];
      // A storm that has just paged for something else waits for the minute.
      const spareMs = Math.max(GATHERED_MS, lastPageMs + APART_MS - atMs);
      const isPaged = is(own, 'triggered') || is(group, 'triggered');
      mustEnd({
        isSo: needing.has(one.id) && !isPaged,
        mayLastMs: spareMs,
        what: `${one.id} needs somebody, and no page of it is open`,
        event: 'opened',
        isOver: isPaged || !one.open,
        // Once its alarm has started, no page comes when a pause of the alarm ends.
        isMissed: !isPaged && (needing.has(one.id) || one.alarmNo !== null),
      });
      mustEnd({
        isSo: one.open && !is(own, 'resolved') && !is(group, 'resolved'),
        mayLastMs: APART_MS,
        what: `${one.id} has a page of its own, and one with its storm`,
        event: 'opened',
      });
    }
    for (const key of alerts.keys()) {
      const open = incidents.filter((one) => one.open && keysOf(one).includes(key));
      mustEnd({
        isSo: !is(key, 'resolved') && open.length === 0,
        mayLastMs: APART_MS,
        what: `the page ${key} is not closed, and no incident of it is open`,
        event: 'resolved',
      });
      const isAcknowledged = open.length > 0 && open.every(({ acknowledged }) => acknowledged);
      mustEnd({
        isSo: isAcknowledged && is(key, 'triggered') && !state.wasReplayed(key),
        mayLastMs: APART_MS,
        what: `the page ${key} still calls, and all its incidents are acknowledged`,
        event: 'acknowledged',
      });
    }
  }

  return { look };
}
