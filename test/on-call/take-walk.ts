// Takes walks, each in an organization of its own, on one installation whose jobs run when they are due.
import { newId } from '#src/platform/ids.ts';
import { takeSteps } from '../simulation/turns.ts';
import { judgeScene } from './judge.ts';
import { makeOracle } from './oracle.ts';
import type { Who } from './rotation.ts';
import { type Stage, WITH, WITHOUT } from './stage.ts';
import { makeTime } from './time.ts';
import { MONITORS, type Step, type Walk } from './walk.ts';

/** Takes one walk; resolves to what was wrong, one sentence each. */
export async function takeWalk(stage: Stage, walk: Walk): Promise<string[]> {
  let scene: Scene | null = null;
  try {
    return await takeSteps(async () => {
      scene = await makeScene(stage, walk);
      return scene;
    }, walk.steps);
  } finally {
    await (scene as Scene | null)?.stop();
  }
}

export type Scene = Awaited<ReturnType<typeof makeScene>>;

async function makeScene({ app, mailbox, people, browsers }: Stage, walk: Walk) {
  const { clock, db } = app;
  clock.advance(walk.startMs - clock.ms());
  await app.runTask('partitions');
  const { orgId, projectId } = await app.place(app.alice, WITH);
  const url = (path: string) => `/organizations/${orgId}/${path}`;
  const oracle = makeOracle(
    people.map((_, who) => ({ role: who === 0 ? 'owner' : 'member', push: false, bounces: false })),
    walk.zone,
  );
  const monitorIds: string[] = [];
  for (let i = 0; i < MONITORS; i++) {
    const fields = { name: `Shop ${i}`, type: 'http', config: { url: 'https://shop.example.com/' } };
    const { id } = await app.alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, fields);
    monitorIds.push(id);
  }
  /** Those of the oracle, by their place. */
  const windowIds: string[] = [];
  const { settle, advanceTo, passUntil } = makeTime(app, orgId, oracle, windowIds);
  const idOf = (who: Who) => people[who]?.userId ?? '';
  const ids = people.map(({ userId }) => userId);
  /** How a write is refused, if it is. */
  const refusal = (isInvalid: boolean) => (oracle.state.planned ? isInvalid && 400 : 402);
  mailbox.refuse(null);
  await db.deleteFrom('push_subscriptions').where('user_id', 'in', ids).execute();
  for (const id of ids.slice(1)) await join(id, 'member');
  await app.alice.ok('PUT', url('on-call/settings'), { enabled: true, timezone: walk.zone });
  await setRoster(walk.roster);
  const { url: calendar } = await app.alice.ok<{ url: string }>('POST', url('on-call/calendar'), {
    shifts: 'everybody',
  });

  async function join(userId: string, role: string): Promise<void> {
    await db
      .insertInto('members')
      .values({ org_id: orgId, user_id: userId, role, joined_at: clock.now() })
      .execute();
  }

  /** Asks as alice; what the rules refuse must be refused with this status. */
  async function ask<T>(
    refused: number | false,
    method: string,
    path: string,
    body?: object,
  ): Promise<T | null> {
    const answer = await app.alice.send<T>(method, path, body);
    if (refused === false ? answer.status >= 300 : answer.status !== refused)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return refused === false ? answer.body : null;
  }

  async function setRoster(given: readonly Who[]): Promise<void> {
    const members = given.map((who, position) => ({ position, user_id: idOf(who) }));
    const roster = given.filter(oracle.mayTake);
    const refused = refusal(given.length > 0 && roster.length === 0);
    await ask(refused, 'PUT', url('on-call/members'), { members });
    if (refused === false) Object.assign(oracle.state, { roster, setMs: clock.ms() });
  }

  async function become({ who, role }: Step & { do: 'become' }): Promise<void> {
    const person = oracle.people[who];
    if (!person || person.role === 'owner' || person.role === role) return;
    const path = url(`members/${idOf(who)}`);
    if (role === null) await app.alice.ok('DELETE', path);
    else if (person.role === null) await join(idOf(who), role);
    else await app.alice.ok('PATCH', path, { role });
    person.role = role;
    if (role === null) oracle.leave(who);
  }

  async function subscribe(who: Who, on: boolean): Promise<void> {
    const person = oracle.people[who];
    if (!person || person.push === on) return;
    person.push = on;
    const { endpoint, keys } = browsers[who]?.subscription ?? {
      endpoint: '',
      keys: { p256dh: '', auth: '' },
    };
    if (!on) await db.deleteFrom('push_subscriptions').where('user_id', '=', idOf(who)).execute();
    else
      await db
        .insertInto('push_subscriptions')
        .values({
          ...{ id: newId('psb'), user_id: idOf(who), endpoint, ...keys },
          ...{ browser: 'Firefox', created_at: clock.now() },
        })
        .execute();
  }

  async function act(step: Step): Promise<unknown> {
    const nowMs = clock.ms();
    const { state, settings } = oracle;
    switch (step.do) {
      case 'turn': {
        const turns = [...oracle.dueAfter(nowMs), ...oracle.turnsAfter(nowMs)].sort((a, b) => a - b);
        const chosen = [...new Set(turns)].at(step.later);
        return chosen === undefined ? undefined : passUntil(Math.max(nowMs, chosen + step.ms));
      }
      case 'wait':
        return passUntil(nowMs + step.seconds * 1000);
      case 'away':
        // Whatever falls due meanwhile happens late, at once.
        return advanceTo(nowMs + step.seconds * 1000);
      case 'roster':
        return setRoster(step.people);
      case 'settings': {
        const { enabled, ...change } = step.change;
        const merged = { ...settings, ...change };
        const isEarly = merged.escalation_stage2_minutes < merged.escalation_stage1_minutes;
        const refused = refusal(isEarly);
        await ask(refused, 'PUT', url('on-call/settings'), step.change);
        if (refused !== false) return;
        Object.assign(settings, change);
        state.enabled = enabled ?? state.enabled;
        return;
      }
      case 'name': {
        const refused = refusal(step.who !== null && !oracle.mayTake(step.who));
        const named = step.who === null ? null : idOf(step.who);
        await ask(refused, 'PUT', url('on-call/settings'), { manual_duty_user_id: named });
        if (refused === false) state.named = step.who;
        return;
      }
      case 'plan':
        state.planned = step.has;
        return db
          .updateTable('organizations')
          .set({ plan: step.has ? WITH : WITHOUT })
          .where('id', '=', orgId)
          .execute();
      case 'override': {
        const [turnMs = nowMs] = step.atTurn ? oracle.turnsAfter(nowMs) : [];
        const from = Math.floor(turnMs / 1000) + step.seconds;
        const ends = from + step.lasts;
        const body = { user_id: idOf(step.who), starts_at_unix: from, ends_at_unix: ends };
        const refused = refusal(!oracle.mayTake(step.who) || ends * 1000 <= nowMs);
        await ask(refused, 'POST', url('on-call/overrides'), body);
        if (refused !== false) return;
        const no = (state.overrides.at(-1)?.no ?? 0) + 1;
        state.overrides.push({ no, who: step.who, fromMs: from * 1000, untilMs: ends * 1000 });
        return;
      }
      case 'drop': {
        const listed = await app.alice.ok<{ id: string; user_id: string; starts_at_unix: number }[]>(
          'GET',
          url('on-call/overrides'),
        );
        const dropped = listed[step.override];
        if (!dropped) return;
        await app.alice.ok('DELETE', url(`on-call/overrides/${dropped.id}`));
        const at = oracle.overridesAt(nowMs).at(step.override);
        state.overrides = state.overrides.filter((each) => each !== at);
        return;
      }
      case 'become':
        return become(step);
      case 'push':
        return subscribe(step.who, step.on);
      case 'bounce':
        for (const [who, person] of oracle.people.entries()) person.bounces = who === step.who;
        mailbox.refuse(null);
        if (step.who !== null) mailbox.refuse('550 5.1.1 no such user', people[step.who]?.email);
        return;
      case 'declare': {
        const monitor = step.monitor === null ? {} : { monitor_id: monitorIds[step.monitor] };
        const body = { severity: step.severity, cause: 'It smells of fire', ...monitor };
        const { id } = await app.alice.ok<{ id: string }>('POST', url('incidents'), body);
        return oracle.declare(id, step.severity !== 'degraded', step.monitor);
      }
      case 'hold': {
        const incident = oracle.incidents[step.incident];
        if (!incident?.open) return;
        await app.alice.ok('POST', url(`incidents/${incident.id}/hold`), { seconds: step.seconds });
        incident.heldMs = step.seconds === 0 ? 0 : nowMs + step.seconds * 1000;
        return;
      }
      case 'maintain': {
        const start = Math.floor(nowMs / 1000) + step.seconds;
        const { id } = await app.alice.ok<{ id: string }>('POST', url('maintenance-windows'), {
          ...{ title: 'Move', monitors: [monitorIds[step.monitor]] },
          ...{ scheduled_start: start, scheduled_end: start + step.lasts },
        });
        windowIds.push(id);
        const untilMs = (start + step.lasts) * 1000;
        oracle.windows.push({ monitor: step.monitor, fromMs: start * 1000, untilMs });
        return;
      }
      case 'drill': {
        const isNobody = step.who !== null && !oracle.mayTake(step.who);
        const refused = isNobody ? 400 : oracle.drills.refused(oracle.isAlarmed(), nowMs);
        const body = step.who === null ? {} : { user_id: idOf(step.who) };
        const drill = await ask<{ id: string }>(refused, 'POST', url('on-call/drills'), body);
        if (drill) oracle.drills.start(drill.id, step.who, nowMs);
        return;
      }
      case 'end_drill': {
        const drill = oracle.drills.running();
        const person = people[step.who];
        if (!drill || !person || !oracle.mayTake(step.who)) return;
        const by = step.stop ? 0 : step.who;
        await (step.stop ? app.alice : person).ok(
          'POST',
          url(`on-call/drills/${drill.id}/${step.stop ? 'stop' : 'ack'}`),
        );
        return oracle.drills.end(step.stop ? 'stopped' : 'acknowledged', by, nowMs);
      }
      case 'cancel': {
        const window = oracle.windows.at(-1);
        if (!window || window.untilMs <= nowMs) return;
        await app.alice.ok('POST', url(`maintenance-windows/${windowIds.at(-1)}/cancel`));
        window.untilMs = nowMs;
        return;
      }
      default: {
        const incident = oracle.incidents[step.incident];
        const person = people[step.who];
        if (!incident || !person || !oracle.mayTake(step.who)) return;
        const isAck = step.do === 'acknowledge';
        await person.ok('POST', url(`incidents/${incident.id}/${isAck ? 'ack' : 'resolve'}`));
        return oracle[step.do](incident, step.who, nowMs);
      }
    }
  }

  return {
    app,
    people,
    oracle,
    calendar,
    orgId,
    url,
    async take(step: Step): Promise<void> {
      await act(step);
      await settle();
    },
    judge: () => judgeScene({ app, people, oracle, calendar, orgId, monitorIds, url }),
    /** Leaves nothing that rings: the next walk may go by another time. */
    async stop(): Promise<void> {
      for (const { id, open } of oracle.incidents)
        if (open) await app.alice.ok('POST', url(`incidents/${id}/resolve`));
    },
  };
}
