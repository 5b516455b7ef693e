// What a status page and its badges show. Servers keep pages in memory by a clock of their own, so this reads what they would read.
import { badgeOf } from '#src/status-pages/public/badge.ts';
import { readSnapshot } from '#src/status-pages/public/read-snapshot.ts';
import { readShownMonitors, readShownPage } from '#src/status-pages/public/shown-page.ts';
import type { TestApp } from '../harness/app.ts';

export type OnPage = {
  /** The state of a monitor on the page; undefined: it is not there. */
  stateOf: (id: string) => string | undefined;
  /** The same by what a badge says: of a monitor, or of the page (null). */
  badgeSays: (id: string | null) => string | undefined;
  monitorIds: readonly string[];
};

export async function readOnPage({ db, clock }: TestApp, pageId: string): Promise<OnPage> {
  const [page, shown] = await Promise.all([readShownPage(db, pageId), readShownMonitors(db, pageId)]);
  if (page === null) throw new Error('the page is gone');
  const now = clock.now();
  const figures = { at: now, byNo: new Map() };
  const { snapshot } = await readSnapshot(db, { page, monitors: shown, figures, canMail: true }, now);
  const monitors = snapshot.groups.flatMap((group) => group.monitors);
  return {
    monitorIds: monitors.map(({ id }) => id),
    stateOf: (id) => monitors.find((each) => each.id === id)?.state,
    badgeSays: (monitorId) => {
      const svg = badgeOf(snapshot, { monitorId, metric: 'status', style: 'flat' });
      const said = /aria-label="[^"]*: ([^":]*)"/.exec(svg ?? '')?.[1];
      return said?.toLowerCase().replace(' ', '_');
    },
  };
}
