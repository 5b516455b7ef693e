// The organization of a walk, and the acts of people and probes in it.
import type { Monitor } from '#src/monitors/contract.ts';
import { makeAgent } from '../harness/agents.ts';
import type { Person, Place } from '../harness/app.ts';
import { ownThing } from './own-things.ts';
import type { Stage } from './stage.ts';
import { BOLD, USUAL } from './usual.ts';
import type { Act } from './walk.ts';

export type Scene = Awaited<ReturnType<typeof makeScene>>;

const WINDOW_SECONDS = 3600;

export async function makeScene({ app, people }: Stage, hasHost: boolean) {
  const { alice, clock } = app;
  const { orgId, projectId } = await app.place(alice, 'unlimited');
  const host = hasHost ? await makeAgent(app, { orgId, projectId }) : null;
  const at = `/organizations/${orgId}`;
  /** On a plan that lacks nearly everything. */
  let isSmall = false;
  const ids = {
    project: [projectId],
    monitor: [] as string[],
    target: [] as string[],
    page: [] as string[],
    profile: [] as string[],
  };
  const pick = (of: readonly string[], number: number): string | undefined => of[number % of.length];
  const now = () => Math.floor(clock.ms() / 1000);

  async function send<T>(act: Act, method: string, path: string, body?: unknown): Promise<T | null> {
    const answer = await alice.send<T & { error?: string }>(method, path, body);
    if (answer.status < 300) return answer.body;
    const { error = '' } = answer.body;
    if (answer.status < 500 && (isSmall || BOLD.has(act.do) || USUAL.has(error))) return null;
    throw new Error(
      `${JSON.stringify(act)}: ${method} ${path} ${JSON.stringify(body)} answered ${JSON.stringify(answer.body)}`,
    );
  }

  async function make(act: Act, kind: keyof typeof ids, path: string, body: unknown): Promise<string | null> {
    const made = await send<{ id: string }>(act, 'POST', path, body);
    if (made) ids[kind].push(made.id);
    return made?.id ?? null;
  }

  const someOf = (of: readonly string[], numbers: readonly number[]) => [
    ...new Set(numbers.flatMap((number) => pick(of, number) ?? [])),
  ];

  async function monitor(act: Extract<Act, { do: 'monitor' }>): Promise<void> {
    const { type, config, members, fields } = act.made;
    const named = someOf(ids.monitor, members);
    if (type === 'group' && named.length === 0) return;
    const profile = act.profile === null ? undefined : pick(ids.profile, act.profile);
    const { policy, ...rest } = fields as { policy?: object };
    const written = { ...policy, ...(profile ? { alert_profile_id: profile } : {}) };
    const own =
      type === 'group' ? { members: named } : 'agent_id' in config ? { agent_id: host?.id ?? '' } : {};
    await make(act, 'monitor', `/projects/${pick(ids.project, act.project)}/monitors`, {
      ...{ name: act.name, type, config: { ...config, ...own } },
      ...rest,
      ...(Object.keys(written).length > 0 ? { policy: written } : {}),
      depends_on: someOf(ids.monitor, act.dependsOn),
    });
  }

  async function people_(act: Extract<Act, { do: 'person' }>): Promise<void> {
    const { userId } = people[act.person % people.length]!;
    const { db } = app;
    const isMember = await db
      .selectFrom('members')
      .select('role')
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (act.role === null) await send(act, 'DELETE', `${at}/members/${userId}`);
    else if (isMember) await send(act, 'PATCH', `${at}/members/${userId}`, { role: act.role });
    else
      await db
        .insertInto('members')
        .values({ org_id: orgId, user_id: userId, role: act.role, joined_at: clock.now() })
        .execute();
  }

  const pathOf = {
    project: (id: string) => `/projects/${id}`,
    monitor: (id: string) => `/monitors/${id}`,
    target: (id: string) => `${at}/webhooks/${id}`,
    page: (id: string) => `/status-pages/${id}`,
    profile: (id: string) => `${at}/alert-profiles/${id}`,
  };

  async function incident(act: Extract<Act, { do: 'incident' }>): Promise<void> {
    const incidents = await alice.ok<{ id: string }[]>('GET', `${at}/incidents`);
    const id = pick(
      incidents.map((each) => each.id),
      act.of,
    );
    if (id === undefined) return;
    const path = `${at}/incidents/${id}`;
    if (act.verb === 'note')
      await send(act, 'POST', `${path}/notes`, {
        body: 'We look at it',
        kind: 'status_update',
        visibility: 'public',
      });
    else if (act.verb === 'postmortem')
      await send(act, 'PUT', `${path}/postmortem`, {
        title: 'How it came',
        summary: '# x',
        visibility: 'public',
      });
    else if (act.verb === 'link') {
      const page = pick(ids.page, act.of);
      if (page) await send(act, 'PUT', `${path}/status-pages/${page}`);
    } else await send(act, 'POST', `${path}/${act.verb}`);
  }

  async function say(of: number, status: 'up' | 'degraded' | 'down'): Promise<void> {
    const id = pick(ids.monitor, of);
    if (id === undefined) return;
    const { type, enabled, regions } = await alice.ok<Monitor>('GET', `/monitors/${id}`);
    if (['group', 'heartbeat', 'agent', 'service'].includes(type) || !enabled) return;
    clock.advance(1000);
    for (const region of regions) await app.probe(region).says(id, status);
  }

  async function act(step: Act): Promise<void> {
    switch (step.do) {
      case 'project':
        return void (await make(step, 'project', `${at}/projects`, { name: step.name }));
      case 'monitor':
        return monitor(step);
      case 'profile':
        return void (await make(step, 'profile', `${at}/alert-profiles`, {
          name: step.name,
          ...step.fields,
        }));
      case 'standard':
        return void (await send(step, 'PUT', `${at}/alarm-standard`, step.fields));
      case 'target': {
        const project_ids = someOf(ids.project, step.projects);
        return void (await make(step, 'target', `${at}/webhooks`, { ...step.fields, project_ids }));
      }
      case 'on_call': {
        const duty = step.duty === null ? null : pick(await rosterable(), step.duty);
        const body = { ...step.fields, manual_duty_user_id: duty ?? null };
        return void (await send(step, 'PUT', `${at}/on-call/settings`, body));
      }
      case 'roster': {
        const members = someOf(await rosterable(), step.people).map((user_id, position) => ({
          user_id,
          position,
        }));
        return void (await send(step, 'PUT', `${at}/on-call/members`, { members }));
      }
      case 'override': {
        const starts_at_unix = now() + step.from;
        const user_id = pick(await rosterable(), step.person);
        const body = { user_id, starts_at_unix, ends_at_unix: starts_at_unix + WINDOW_SECONDS };
        return void (await send(step, 'POST', `${at}/on-call/overrides`, body));
      }
      case 'page': {
        const id = await make(step, 'page', `${at}/status-pages`, {
          name: step.name,
          slug: `p-${ids.page.length}-${orgId}`,
        });
        if (id)
          await send(step, 'PATCH', pathOf.page(id), {
            name: step.name,
            public_viewable: false,
            ...step.fields,
          });
        return;
      }
      case 'shown': {
        const id = pick(ids.page, step.of);
        const chosen = new Map(step.shown.map(({ of, fields }) => [pick(ids.monitor, of), fields]));
        const monitors = [...chosen].flatMap(([monitor_id, fields]) =>
          monitor_id ? [{ monitor_id, ...fields }] : [],
        );
        if (id) await send(step, 'PUT', `${pathOf.page(id)}/monitors`, { monitors, tags: step.tags });
        return;
      }
      case 'window': {
        const start = now() + step.from;
        await send(step, 'POST', `${at}/maintenance-windows`, {
          ...{ title: 'New disks', monitors: someOf(ids.monitor, step.of), tags: step.tags },
          ...{ scheduled_start: start, scheduled_end: start + WINDOW_SECONDS, repeat: step.repeat },
        });
        return;
      }
      case 'person':
        return people_(step);
      case 'change': {
        const id = pick(ids.monitor, step.of);
        if (id) await send(step, 'PATCH', pathOf.monitor(id), step.fields);
        return;
      }
      case 'rename': {
        const id = pick(ids[step.what], step.of);
        const page = step.what === 'page' ? { public_viewable: false, enabled: true } : {};
        if (id) await send(step, 'PATCH', pathOf[step.what](id), { name: step.name, ...page });
        return;
      }
      case 'move': {
        const [id, project_id] = [pick(ids.monitor, step.of), pick(ids.project, step.project)];
        if (id)
          await send(step, 'POST', `${at}/monitors/bulk`, { action: 'move', monitor_ids: [id], project_id });
        return;
      }
      case 'delete': {
        const list = ids[step.what];
        const id = pick(list, step.of);
        if (id === undefined || (step.what === 'project' && list.length === 1)) return;
        const gone = await alice.send('DELETE', pathOf[step.what](id));
        if (gone.status < 300) list.splice(list.indexOf(id), 1);
        return;
      }
      case 'say':
        return say(step.of, step.status);
      case 'beat': {
        const id = pick(ids.monitor, step.of);
        if (id === undefined) return;
        const { type, config } = await alice.ok<Monitor>('GET', `/monitors/${id}`);
        const { ping_url: url } = config as { ping_url?: string };
        clock.advance(1000);
        if (type === 'heartbeat' && url) await fetch(url.replace(/^https?:\/\/[^/]+/, app.url));
        return;
      }
      case 'declare': {
        const about = {
          monitor_id: pick(ids.monitor, step.of) ?? null,
          severity: 'critical',
          cause: 'Smoke',
        };
        return void (await send(step, 'POST', `${at}/incidents`, about));
      }
      case 'incident':
        return incident(step);
      case 'wall':
      case 'view':
      case 'report': {
        const { path, body } = ownThing(step, (kind, number) => pick(ids[kind], number));
        return void (await send(step, 'POST', `${at}/${path}`, body));
      }
      case 'beat_host':
        clock.advance(1000);
        return void (await host?.beat({ cpu_pct: step.cpu }));
      case 'plan':
        isSmall = step.plan === 'free';
        return void (await app.db
          .updateTable('organizations')
          .set({ plan: step.plan })
          .where('id', '=', orgId)
          .execute());
      case 'wait':
        clock.advance(step.seconds * 1000);
        await app.runTask('partitions');
        return;
    }
  }

  /** Members who can be on duty. */
  async function rosterable(): Promise<string[]> {
    const members = await alice.ok<{ user_id: string; email: string; role: string }[]>(
      'GET',
      `${at}/members`,
    );
    return members
      .filter(({ role }) => role !== 'viewer')
      .sort((a, b) => (a.email < b.email ? -1 : 1))
      .map(({ user_id }) => user_id);
  }

  /** What applying a file made or deleted has the ids of now. */
  async function learn(): Promise<void> {
    const lists = {
      project: 'projects',
      monitor: 'monitors?limit=1000',
      target: 'webhooks',
      page: 'status-pages',
      profile: 'alert-profiles',
    };
    for (const [kind, path] of Object.entries(lists) as [keyof typeof ids, string][]) {
      const there = (await alice.ok<{ id: string }[]>('GET', `${at}/${path}`)).map(({ id }) => id);
      const kept = ids[kind].filter((id) => there.includes(id));
      ids[kind] = [...kept, ...there.filter((id) => !kept.includes(id)).sort()];
    }
  }

  return { app, by: alice as Person, place: { orgId, projectId } as Place, at, host, act, learn };
}
