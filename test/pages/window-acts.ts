// Plans, moves, changes, cancels and deletes maintenance, at the server and in the oracle.
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Client } from '../harness/client.ts';
import type { Oracle } from './oracle.ts';
import type { Window } from './things.ts';
import type { Act } from './walk.ts';

const DAY = 86_400;

type Scene = {
  alice: Client;
  oracle: Oracle;
  windowsPath: string;
  ids: readonly string[];
  text: () => string;
  now: () => number;
};

export function makeWindowActs({ alice, oracle, windowsPath, ids, text, now }: Scene) {
  let series = 0;

  /** Of a window and those of its repetition that a change with this scope is of. */
  const chosen = (window: Window, all: boolean) =>
    all && window.series !== null
      ? oracle.windows.filter((each) => each.series === window.series && !each.cancelled && each.end > now())
      : [window];
  const scope = (all: boolean) => (all ? '?scope=all' : '');

  async function plan(act: Extract<Act, { do: 'plan' }>): Promise<void> {
    const of = act.of.filter((each) => !oracle.monitors[each]!.deleted);
    const [start, end] = [now() + act.from, now() + act.until];
    const [title, body] = [text(), text()];
    const repeat = { rrule: `FREQ=DAILY;COUNT=${act.days}`, timezone: 'UTC' };
    const first = await alice.ok<MaintenanceWindow>('POST', windowsPath, {
      ...{ title, body, scheduled_start: start, scheduled_end: end, public_visible: act.isPublic },
      monitors: of.map((each) => ids[each]),
      ...(act.days > 1 ? { repeat } : {}),
    });
    const made = (id: string, days: number, no: number | null): Window => ({
      ...{ id, series: no, title, body, start: start + days * DAY, end: end + days * DAY },
      ...{ isPublic: act.isPublic, cancelled: false, on: false, of: new Set(of), changed: now() },
    });
    if (act.days === 1) return oracle.plan(made(first.id, 0, null), now());
    series += 1;
    const all = await alice.ok<MaintenanceWindow[]>('GET', `${windowsPath}?limit=1000`);
    const own = all.filter((each) => each.series_id === first.series_id).reverse();
    for (const [days, { id }] of own.entries()) oracle.plan(made(id, days, series), now());
  }

  async function actOnWindow(
    act: Extract<Act, { window: number }>,
    window: Window,
    path: string,
  ): Promise<void> {
    const patch = (body: object, all = false) => alice.ok('PATCH', path + scope(all), body);
    if (act.do === 'unplan') {
      await alice.ok('DELETE', path + scope(act.all));
      const isIn = (each: Window) =>
        act.all && window.series !== null ? each.series === window.series : each === window;
      for (const each of oracle.windows.filter(isIn)) oracle.unplan(each, now());
      return;
    }
    if (act.do === 'cancel') {
      if (window.cancelled) return;
      await alice.ok('POST', `${path}/cancel${scope(act.all)}`);
      for (const each of chosen(window, act.all)) oracle.rewrite(each, { cancelled: true }, now());
      return;
    }
    if (window.cancelled) return;
    switch (act.do) {
      case 'retitle': {
        const title = text();
        await patch({ title }, act.all);
        for (const each of chosen(window, act.all)) oracle.rewrite(each, { title }, now());
        return;
      }
      case 'postpone': {
        const [start, end] = [now() + act.from, now() + act.until];
        await patch({ scheduled_start: start, scheduled_end: end });
        return oracle.rewrite(window, { start, end }, now());
      }
      case 'affect': {
        const of = act.of.filter((each) => !oracle.monitors[each]!.deleted);
        await patch({ monitors: of.map((each) => ids[each]) }, act.all);
        for (const each of chosen(window, act.all)) oracle.rewrite(each, { of: new Set(of) }, now());
        return;
      }
      default:
        await patch({ public_visible: act.do === 'show' });
        return oracle.rewrite(window, { isPublic: act.do === 'show' }, now());
    }
  }

  return { plan, actOnWindow };
}
