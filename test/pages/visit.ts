// What a stranger is shown of a page, compared with what the rules call for.

import type { PublicStatusPage } from '#src/status-pages/public/contract.ts';
import type { TestApp } from '../harness/app.ts';
import type { Oracle, State } from './oracle.ts';
import { isServed, type Page } from './things.ts';

type Compare = (what: string, actual: unknown, expected: unknown) => void;
type Shown = ReturnType<Oracle['shown']>;

const WORDS: Readonly<Record<State, string>> = {
  operational: 'Operational',
  degraded: 'Degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  maintenance: 'Maintenance',
  no_data: 'No data',
};
const COMPONENTS: Readonly<Record<State, string>> = {
  operational: 'operational',
  degraded: 'degraded_performance',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
  maintenance: 'under_maintenance',
  no_data: '',
};
/** A refresh may take longer than a visitor is made to wait: one who comes again sees it. */
const VISITS = 5;

/** What people wrote, in the lower case of host names. */
export const textsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/zq\d+q/g))].sort();

export function makeVisits(app: TestApp, oracle: Oracle, ids: readonly string[]) {
  /** The last feed and calendar of a page, and what they were about. */
  const before = new Map<Page, { about: string; rss: string; ics: string }>();
  const get = async (path: string) => {
    const answer = await fetch(app.url + path, { redirect: 'manual' });
    return { status: answer.status, body: await answer.text() };
  };

  async function compareJson(page: Page, compare: Compare, must: Shown): Promise<PublicStatusPage> {
    for (let visit = 1; ; visit++) {
      const { body } = await get(`/public/status-pages/${page.slug}`);
      const json = JSON.parse(body) as PublicStatusPage;
      const said: [string, unknown, unknown][] = [
        ['name', [json.page.name, json.page.slug], [must.name, must.slug]],
        ['state', json.state, must.state],
        [
          'groups',
          groupsOf(json),
          must.groups.map((each) => ({
            ...each,
            monitors: each.monitors.map(([of, ...rest]) => [ids[of], ...rest]),
          })),
        ],
        ['incidents', inOrder(json.incidents.map(incidentOf)), inOrder(must.incidents)],
        [
          'maintenance',
          inOrder(json.maintenance.map(windowOf)),
          inOrder(must.windows.map(({ changed: _, ...each }) => each)),
        ],
      ];
      const wrong = said.filter(([, is, should]) => JSON.stringify(is) !== JSON.stringify(should));
      if (wrong.length > 0 && visit < VISITS) continue;
      for (const each of wrong) compare(`${each[0]} of ${page.slug}`, each[1], each[2]);
      return json;
    }
  }

  async function compareBeside(page: Page, compare: Compare, must: Shown): Promise<void> {
    const path = `/public/status-pages/${page.slug}`;
    const [html, rss, atom, ics, summary, badge] = await Promise.all(
      [
        `/status/${page.slug}`,
        ...['feed.rss', 'feed.atom', 'maintenance.ics', 'summary.json', 'badge.svg'].map(
          (file) => `${path}/${file}`,
        ),
      ].map(get),
    );
    const all = [...must.incidents, ...must.windows].map(({ id }) => id).sort();
    compare(`feed of ${page.slug}`, matches(rss!.body, /<guid[^>]*>([^<]+)</g).sort(), all);
    compare(`Atom feed of ${page.slug}`, matches(atom!.body, /<id>urn:tocsin:([^<]+)</g).sort(), all);
    compare(
      `calendar of ${page.slug}`,
      eventsOf(ics!.body),
      inOrder(
        must.windows.map((each) => [each.id, each.cancelled ? 'CANCELLED' : 'CONFIRMED', each.changed]),
      ),
    );
    compare(`badge of ${page.slug}`, matches(badge!.body, /aria-label="([^"]*)"/g), [
      `${must.name}: ${WORDS[must.state]}`,
    ]);
    const json = JSON.parse(summary!.body) as Summary;
    compare(
      `components of ${page.slug}`,
      json.components.filter(({ group }) => !group).map((each) => [each.name, each.status]),
      must.groups.flatMap(({ monitors }) => monitors.map(([, label, state]) => [label, COMPONENTS[state]])),
    );
    compare(
      `incidents of the summary of ${page.slug}`,
      json.incidents.map(({ id }) => id).sort(),
      must.incidents
        .filter(({ resolved }) => resolved === null)
        .map(({ id }) => id)
        .sort(),
    );
    compare(
      `maintenance of the summary of ${page.slug}`,
      json.scheduled_maintenances.map(({ id }) => id).sort(),
      must.windows
        .filter(({ state }) => state !== 'past')
        .map(({ id }) => id)
        .sort(),
    );
    const isPublic = textsIn(JSON.stringify(must));
    for (const [what, { body }] of Object.entries({ html, rss, atom, ics, summary, badge }) as [
      string,
      { body: string },
    ][]) {
      compare(
        `what ${what} of ${page.slug} gives away`,
        textsIn(body.replaceAll('\r\n ', '')).filter((text) => !isPublic.includes(text)),
        [],
      );
      if (/alice/i.test(body)) compare(`people in ${what} of ${page.slug}`, body, '');
    }
    const labels = textsIn(JSON.stringify(must.groups.map(({ monitors }) => monitors)));
    const seen = textsIn(html!.body);
    compare(
      `labels in the HTML of ${page.slug}`,
      labels.filter((text) => !seen.includes(text)),
      [],
    );
    const about = JSON.stringify([must.name, must.slug, must.incidents, must.windows]);
    const last = before.get(page);
    if (last?.about === about) {
      compare(`feed of ${page.slug} while nothing happens`, rss!.body, last.rss);
      compare(`calendar of ${page.slug} while nothing happens`, ics!.body, last.ics);
    }
    before.set(page, { about, rss: rss!.body, ics: ics!.body });
  }

  return async function visit(
    page: Page,
    compare: Compare,
    now: number,
    areFiguresNew: boolean,
  ): Promise<void> {
    const status = !isServed(page) ? 404 : page.mode === 'public' ? 200 : 401;
    const paths = ['', '/summary.json', '/badge.svg', '/feed.rss', '/maintenance.ics', '/embed'];
    for (const path of status === 200 ? [''] : paths)
      compare(
        `${path} of ${page.slug}`,
        (await get(`/public/status-pages/${page.slug}${path}`)).status,
        status,
      );
    if (status !== 200) {
      const { status: answered, body } = await get(`/status/${page.slug}`);
      compare(`HTML of ${page.slug}`, answered, status);
      const allowed = status === 401 ? [page.name.toLowerCase()] : [];
      compare(
        `what the closed ${page.slug} gives away`,
        textsIn(body).filter((text) => !allowed.includes(text)),
        [],
      );
      return;
    }
    const must = oracle.shown(page, now);
    const json = await compareJson(page, compare, must);
    await compareBeside(page, compare, must);
    for (const { id } of oracle.incidents.slice(0, 2)) {
      const isThere = must.incidents.some((each) => each.id === id);
      compare(
        `incident ${id} of ${page.slug}`,
        (await get(`/status/${page.slug}/incidents/${id}`)).status,
        isThere ? 200 : 404,
      );
    }
    if (!areFiguresNew) return;
    for (const each of json.groups.flatMap(({ monitors }) => monitors)) {
      const expected = oracle.uptime(ids.indexOf(each.id), now);
      if (Math.abs((each.uptime_pct ?? -1) - (expected ?? -1)) > 0.01)
        compare(`uptime of ${each.id} on ${page.slug}`, each.uptime_pct, expected);
    }
  };
}

type Summary = {
  components: { group: boolean; name: string; status: string }[];
  incidents: { id: string }[];
  scheduled_maintenances: { id: string }[];
};

const matches = (text: string, what: RegExp) => [...text.matchAll(what)].map((found) => found[1]!);
const inOrder = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();

const groupsOf = ({ groups }: PublicStatusPage) =>
  groups.map(({ name, state, monitors }) => ({
    ...{ name, state },
    monitors: monitors.map((each) => [each.id, each.label, each.state]),
  }));

const incidentOf = (each: PublicStatusPage['incidents'][number]) => ({
  ...{ id: each.id, labels: each.monitors, started: each.started_at_unix, resolved: each.resolved_at_unix },
  ...{ severity: each.severity, acknowledged: each.acknowledged },
  notes: each.notes.map(({ body, created_at_unix: at }) => [body, at]),
});

const windowOf = (each: PublicStatusPage['maintenance'][number]) => ({
  ...{
    id: each.id,
    title: each.title,
    body: each.body,
    start: each.scheduled_start,
    end: each.scheduled_end,
  },
  ...{ cancelled: each.cancelled, labels: each.monitors.toSorted(), state: each.state },
});

function eventsOf(ics: string): string[] {
  const events = ics.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
  const of = (event: string, name: string) =>
    new RegExp(`^${name}:(.*)$`, 'm').exec(event)?.[1]?.trim() ?? '';
  return inOrder(
    events.map((event) => [
      of(event, 'UID').replace('@tocsin', ''),
      of(event, 'STATUS'),
      unixOf(of(event, 'LAST-MODIFIED')),
    ]),
  );
}

/** `20261128T112759Z` */
const unixOf = (time: string) =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 1000;
