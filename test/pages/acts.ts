// Does what a step says, to the server and to the oracle.
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { Subscriber } from '#src/status-pages/subscriptions/contract.ts';
import type { TestApp } from '../harness/app.ts';
import type { Mailbox, Received } from '../harness/mailbox.ts';
import type { Oracle } from './oracle.ts';
import { isServed, type Page, type Severity, type Subscription } from './things.ts';
import type { Act } from './walk.ts';
import { makeWindowActs } from './window-acts.ts';

/** An hour takes so many requests of a client. */
const REQUESTS = 20;
const SLUG_CHANGES = 3;
const TAG = 'web';

type Scene = {
  app: TestApp;
  mailbox: Mailbox;
  oracle: Oracle;
  orgId: string;
  projects: readonly [string, string];
  ids: readonly string[];
  /** What somebody writes: never the same twice. */
  text: () => string;
  slug: () => string;
  addressOf: (reader: number) => string;
  now: () => number;
  /** Takes what is wrong. */
  found: string[];
};

export function makeActs({ app, mailbox, oracle, orgId, projects, ids, text, addressOf, now, found }: Scene) {
  const { alice } = app;
  const { mails } = oracle;
  const organization = `/organizations/${orgId}`;
  const windowsPath = `${organization}/maintenance-windows`;
  const { plan, actOnWindow } = makeWindowActs({ alice, oracle, windowsPath, ids, text, now });
  const pages: Page[] = [];
  const everyPage: Page[][] = [];
  let requests = 0;

  const expectStatus = (what: string, status: number, must: number) => {
    if (status !== must) found.push(`${what} answered ${status}, not ${must}`);
  };
  const submit = (path: string, fields: [string, string][] = []) =>
    fetch(app.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

  async function newPage(at: number, slug: string): Promise<void> {
    const name = text();
    const { id, slug: kept } = await alice.ok<StatusPage>('POST', `${organization}/status-pages`, {
      name,
      slug,
    });
    const page: Page = {
      ...{ id, slug: kept, name, entries: [], tagged: false, mode: 'draft', enabled: true, autoLink: true },
      ...{ archived: false, slugChanges: 0, subscriptions: [] },
    };
    const { page: stored } = await alice.ok<{ page: StatusPage }>('GET', `/status-pages/${id}`);
    page.enabled = stored.enabled;
    pages[at] = page;
    everyPage[at] = [page, ...(everyPage[at] ?? [])];
    oracle.addPage(page);
  }

  async function change(page: Page, changed: object): Promise<void> {
    const { name, enabled, mode } = page;
    const required = { name, enabled, public_viewable: mode === 'public', access_mode: mode };
    await alice.ok('PATCH', `/status-pages/${page.id}`, { ...required, ...changed });
  }

  /** The walk reads which incidents opened by themselves, since nobody else tells their ids. */
  async function learnIncidents(): Promise<void> {
    for (const incident of oracle.incidents) {
      if (incident.id !== null) continue;
      const all = await alice.ok<IncidentSummary[]>('GET', `/monitors/${ids[incident.of!]}/incidents`);
      const known = oracle.incidents.map(({ id }) => id);
      const own = all.find((each) => !known.includes(each.id) && each.started_at_unix === incident.started);
      if (!own) found.push(`no incident of monitor ${incident.of} began at ${incident.started}`);
      incident.id = own?.id ?? 'inc_missing';
      incident.severity = (own?.severity ?? 'default') as Severity;
    }
  }

  async function actOnIncident(act: Extract<Act, { incident: number }>): Promise<void> {
    const incident = oracle.incidents[act.incident];
    if (!incident) return;
    const path = `${organization}/incidents/${incident.id}`;
    switch (act.do) {
      case 'link':
      case 'unlink': {
        const page = pages[act.page]!;
        const method = act.do === 'link' ? 'PUT' : 'DELETE';
        await alice.ok(method, `${path}/status-pages/${page.id}`);
        if (act.do === 'link') oracle.link(incident, page, now());
        else incident.links.delete(page);
        return;
      }
      case 'note': {
        const body = text();
        const visibility = act.isPublic ? 'public' : 'internal';
        await alice.ok('POST', `${path}/notes`, { body, kind: 'status_update', visibility });
        return oracle.note(incident, body, act.isPublic, now());
      }
      case 'acknowledge':
        if (incident.resolved !== null) return;
        await alice.ok('POST', `${path}/ack`);
        incident.acknowledged = true;
        return;
      case 'resolve':
        await alice.ok('POST', `${path}/resolve`);
        return oracle.resolve(incident, now());
      default:
        if (incident.resolved === null) return;
        await alice.ok('POST', `${path}/${act.do}`);
        incident.discarded = act.do === 'discard';
    }
  }

  async function actOnMonitor(act: Extract<Act, { of: number }>): Promise<void> {
    const { of } = act;
    const monitor = oracle.monitors[of]!;
    if (monitor.deleted) return;
    const path = `/monitors/${ids[of]}`;
    switch (act.do) {
      case 'check':
        if (oracle.check(of, act.status, now())) await app.probe().says(ids[of]!, act.status);
        return;
      case 'switch_off':
      case 'switch_on':
        await alice.ok('PATCH', path, { enabled: act.do === 'switch_on' });
        return oracle.switchTo(of, act.do === 'switch_on', now());
      case 'delete':
        await alice.ok('DELETE', path);
        return oracle.delete(of, now());
      case 'rename': {
        const name = text();
        await alice.ok('PATCH', path, { name });
        monitor.name = name;
        return;
      }
      case 'move': {
        const to = 1 - monitor.project;
        const body = { action: 'move', monitor_ids: [ids[of]], project_id: projects[to] };
        await alice.ok('POST', `${organization}/monitors/bulk`, body);
        monitor.project = to;
        return;
      }
      case 'tag':
        await alice.ok('PATCH', path, { tags: act.on ? [TAG] : [] });
        monitor.tagged = act.on;
        return;
      default:
    }
  }

  async function actOnPage(act: Extract<Act, { page: number }>, page: Page): Promise<void> {
    switch (act.do) {
      case 'list': {
        const there = act.monitors.filter(({ of }) => !oracle.monitors[of]!.deleted);
        const own = text();
        page.entries = there.map(({ of, named, group }) => ({
          of,
          display: named ? text() : null,
          group: group === null ? null : group === 'own' ? own : oracle.projects[1],
        }));
        page.tagged = act.tagged;
        await alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
          monitors: page.entries.map(({ of, display, group }) => ({
            ...{ monitor_id: ids[of], display_name: display, group_label: group },
          })),
          tags: act.tagged ? [TAG] : [],
        });
        return;
      }
      case 'mode':
        if (act.mode === 'shared_password')
          await alice.ok('PUT', `/status-pages/${page.id}/shared-password`, { password: 'open sesame' });
        page.mode = act.mode;
        return change(page, {});
      case 'enable':
        page.enabled = act.on;
        return change(page, {});
      case 'auto_link':
        page.autoLink = act.on;
        return change(page, { auto_link_incidents: act.on });
      case 'rename_page':
        page.name = text();
        return change(page, {});
      case 'slug':
        if (page.slugChanges >= SLUG_CHANGES) return;
        page.slugChanges += 1;
        page.slug = text()
          .toLowerCase()
          .replace('zq', `s${orgId.slice(-8)}`);
        return change(page, { slug: page.slug });
      case 'archive':
        await alice.ok('DELETE', `/status-pages/${page.id}`);
        page.archived = true;
        return newPage(act.page, page.slug);
      case 'remove': {
        const own = await alice.ok<Subscriber[]>('GET', `/status-pages/${page.id}/subscribers`);
        const id = own.find(({ email }) => email === addressOf(act.reader))?.id;
        const alive = page.subscriptions.find((each) => each.alive && each.reader === act.reader);
        expectStatus('the search for a subscriber', id === undefined ? 404 : 200, alive ? 200 : 404);
        if (id !== undefined) await alice.ok('DELETE', `/status-pages/${page.id}/subscribers/${id}`);
        if (alive) alive.alive = false;
        return;
      }
      case 'subscribe': {
        if (requests >= REQUESTS) return;
        const path = `/public/status-pages/${page.slug}/subscriptions`;
        const { status } = await app.visitor().send('POST', path, { email: addressOf(act.reader) });
        const must = !isServed(page) ? 404 : page.mode === 'public' ? 202 : 401;
        expectStatus('a request for mails', status, must);
        if (must !== 202) return;
        requests += 1;
        return mails.request(page, act.reader, now());
      }
      case 'confirm':
      case 'unsubscribe':
      case 'open':
      case 'choose':
        return actOnLink(act);
      default:
    }
  }

  async function actOnLink(
    act: Extract<Act, { do: 'confirm' | 'unsubscribe' | 'open' | 'choose' }>,
  ): Promise<void> {
    const all = everyPage[act.page]!.flatMap(({ subscriptions }) => subscriptions);
    const own = all.filter(({ reader }) => reader === act.reader)[act.ago];
    const isConfirm = act.do === 'confirm';
    const path = isConfirm ? own?.confirmPath : (own?.managePath ?? null);
    if (!own || path == null) return;
    const isGood = own.alive && !own.page.archived;
    if (act.do === 'open') {
      const { status } = await fetch(`${app.url}${path}/unsubscribe`);
      return expectStatus('a link that is only opened', status, isGood ? 200 : 404);
    }
    if (act.do === 'choose') {
      const fields = (act.of ?? []).map((of): [string, string] => ['monitor', ids[of]!]);
      const what: [string, string] = ['what', act.of === null ? 'all' : 'some'];
      const { status } = await submit(path, [what, ...fields]);
      const must = !isGood ? 404 : mails.choose(own, act.of) ? 200 : 400;
      return expectStatus('a choice', status, must);
    }
    const { status } = await submit(isConfirm ? path : `${path}/unsubscribe`);
    expectStatus(isConfirm ? 'a confirmation' : 'unsubscribing', status, isGood ? 200 : 404);
    if (isGood && isConfirm) own.confirmed = true;
    if (isGood && !isConfirm) own.alive = false;
  }

  async function act(step: Act): Promise<void> {
    switch (step.do) {
      case 'rename_project': {
        const name = text();
        await alice.ok('PATCH', `/projects/${projects[0]}`, { name });
        oracle.projects[0] = name;
        return;
      }
      case 'declare': {
        const { of, severity } = step;
        // Of one that was never checked, the first check changes no status: pages hear of it from a watch that no walk runs.
        if (of !== null && (oracle.monitors[of]!.deleted || oracle.monitors[of]!.last === null)) return;
        const { id } = await alice.ok<IncidentDetail>('POST', `${organization}/incidents`, {
          ...{ monitor_id: of === null ? null : ids[of], severity, cause: text(), summary: text() },
        });
        return oracle.declare(id, of, severity, now());
      }
      case 'plan':
        return plan(step);
      case 'refuse': {
        const { how, reader } = step;
        const line = how === 'now' ? '451 4.3.0 try again' : '550 5.1.1 no such user';
        mailbox.refuse(how === null ? null : line, reader === null ? undefined : addressOf(reader));
        return mails.refuse(how === null ? null : { forGood: how === 'for_good', reader });
      }
      default:
    }
    if ('window' in step) {
      const window = oracle.windows[step.window];
      if (window) await actOnWindow(step, window, `${windowsPath}/${window.id}`);
    } else if ('incident' in step) await actOnIncident(step);
    else if ('page' in step) await actOnPage(step, pages[step.page]!);
    else if ('of' in step) await actOnMonitor(step as Extract<Act, { of: number }>);
  }

  /** The links of a mail are those of the subscription that it is about. */
  function keepLinks(to: Subscription, { mail }: Received): void {
    const urls = [...(mail.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url).pathname);
    const confirm = urls.find((path) => path.startsWith('/subscriptions/confirm/'));
    to.confirmPath ??= confirm ?? null;
    to.managePath ??= urls.find((path) => path.startsWith('/subscriptions/') && path !== confirm) ?? null;
  }

  return { act, newPage, learnIncidents, keepLinks };
}
