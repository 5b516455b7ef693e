// What owners and admins are mailed about monitors without data (docs/rules/regions-and-probes.md#troubles): one mail for all of them,
// one when the last of them reports again, and nothing twice.
import { sql } from 'kysely';
import type { MonitorFacts } from './facts.ts';
import type { Organization } from './place.ts';
import { canBeSilent, isSilent, longMs, silentFromMs } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

const NOT_AGAIN_MS = 10 * 60_000;
/** Two turns. */
const NOTED_MS = 10_000;

type Notice = {
  no: number;
  userId: string;
  kind: 'monitors_silent' | 'monitors_report';
  at: Date;
  ids: string[];
  total: number;
};

/** An occasion of which people have been told. */
type Occasion = { ids: readonly string[]; begunMs: number; ended: boolean };

/** `wrong` gets a sentence for each fault. */
export function makePeopleJudge({ app }: Stage, wrong: Set<string>) {
  let seen = 0;
  const occasions = new Map<string, Occasion[]>();
  /** Since when it is as it is, by monitor. */
  const since = new Map<string, { silent: boolean | null; ms: number }>();

  const of = ({ orgId }: Organization): Occasion[] => {
    const own = occasions.get(orgId) ?? [];
    occasions.set(orgId, own);
    return own;
  };
  const forMs = ({ id }: MonitorFacts, nowMs: number) => nowMs - (since.get(id)?.ms ?? nowMs);

  async function look(scene: Scene): Promise<void> {
    const { facts } = scene;
    const nowMs = scene.nowMs();
    for (const monitor of facts.monitors) {
      const silent = isSilent(facts, monitor, nowMs);
      if (since.get(monitor.id)?.silent !== silent) since.set(monitor.id, { silent, ms: nowMs });
    }
    if (facts.turnMs !== nowMs) return;
    const { rows } = await sql<Notice & { orgId: string }>`
      SELECT no, org_id AS "orgId", user_id AS "userId", kind, created_at AS at, (data ->> 'total')::int AS total,
        ARRAY(SELECT m ->> 'id' FROM jsonb_array_elements(data -> 'monitors') m) AS ids
      FROM notices WHERE no > ${seen} AND kind IN ('monitors_silent', 'monitors_report') ORDER BY no`.execute(
      app.db,
    );
    seen = rows.at(-1)?.no ?? seen;
    for (const organization of scene.organizations) {
      const own = rows.filter(({ orgId }) => orgId === organization.orgId);
      for (const kind of ['monitors_report', 'monitors_silent'] as const)
        judgeOccasion(
          scene,
          organization,
          own.filter((notice) => notice.kind === kind),
        );
      judgeUntold(scene, organization);
    }
  }

  /** Everybody is told the same at the same moment, once. */
  function judgeOccasion(scene: Scene, organization: Organization, notices: readonly Notice[]): void {
    const [first] = notices;
    if (!first) return;
    const notified = notices.map(({ userId }) => userId).sort();
    const expected = organization.mailed.map(({ userId }) => userId).sort();
    if (notified.join() !== expected.join())
      wrong.add(`mail: ${first.kind} went to ${notified.length} people`);
    if (first.kind === 'monitors_silent') judgeBegun(scene, organization, first);
    else judgeEnded(scene, organization, first);
  }

  function judgeBegun({ facts, nowMs }: Scene, organization: Organization, { ids, total }: Notice): void {
    const now = nowMs();
    const own = of(organization);
    const last = own.at(-1);
    if (last && now - last.begunMs < NOT_AGAIN_MS)
      wrong.add('mail: two mails about silence within ten minutes');
    const named = facts.monitors.filter(({ id }) => ids.includes(id));
    if (total !== named.length) wrong.add(`mail: ${total} are silent, and ${named.length} are named`);
    for (const monitor of named) {
      if (since.get(monitor.id)?.silent === false) wrong.add(`mail: ${monitor.name} is named as silent`);
      // One that reported again meanwhile and fell silent anew belongs to a new occasion.
      const isNotified = own.some((each) => !each.ended && each.ids.includes(monitor.id));
      if (isNotified && forMs(monitor, now) > now - (last?.begunMs ?? now) + NOTED_MS)
        wrong.add(`mail: ${monitor.name} is named twice`);
    }
    const longest = Math.max(...named.map((monitor) => now - silentFromMs(facts, monitor) - longMs(monitor)));
    if (longest < 0) wrong.add(`mail: nothing has been silent for long, it is ${-longest / 1000} s early`);
    own.push({ ids, begunMs: now, ended: false });
  }

  function judgeEnded({ facts }: Scene, organization: Organization, { ids }: Notice): void {
    const occasion = of(organization).find((each) => !each.ended && ids.every((id) => each.ids.includes(id)));
    if (!occasion) {
      wrong.add('mail: monitors report again of which nobody was told');
      return;
    }
    occasion.ended = true;
    for (const monitor of facts.monitors.filter(({ id }) => occasion.ids.includes(id)))
      if (canBeSilent(monitor) !== ids.includes(monitor.id))
        wrong.add(`mail: ${monitor.name} is ${ids.includes(monitor.id) ? '' : 'not '}said to report`);
  }

  /** Nobody is left untold of a beginning or an end. */
  function judgeUntold({ facts, nowMs }: Scene, organization: Organization): void {
    const now = nowMs();
    const own = of(organization);
    const begunMs = own.at(-1)?.begunMs ?? Number.NEGATIVE_INFINITY;
    for (const monitor of facts.monitors) {
      if (monitor.orgId !== organization.orgId || !since.get(monitor.id)?.silent) continue;
      const silentMs = forMs(monitor, now);
      const isNotified = own.some(
        (each) => each.ids.includes(monitor.id) && now - each.begunMs <= silentMs + NOTED_MS,
      );
      const isDue = now - silentFromMs(facts, monitor) > longMs(monitor) + NOTED_MS && silentMs > NOTED_MS;
      if (isDue && !isNotified && now - begunMs > NOT_AGAIN_MS + NOTED_MS)
        wrong.add(`mail: nobody was told that ${monitor.name} is silent`);
    }
    for (const occasion of own) {
      const named = facts.monitors.filter(({ id }) => occasion.ids.includes(id));
      // Where nobody checks any of them there is nothing to tell.
      if (!named.some(canBeSilent)) occasion.ended = true;
      const isOver = named.every(
        (monitor) => since.get(monitor.id)?.silent === false && forMs(monitor, now) > NOTED_MS,
      );
      if (!occasion.ended && isOver) wrong.add('mail: nobody was told that monitors report again');
    }
  }

  const unsent = sql<{ state: string; kind: string }>`
    SELECT state, kind FROM notices WHERE kind IN ('monitors_silent', 'monitors_report') AND state <> 'sent'`;
  const isMailWaiting = async () =>
    (await unsent.execute(app.db)).rows.some(({ state }) => state === 'pending');

  /** At the end, when mails are accepted: whatever was to be sent was sent. */
  async function finish(): Promise<void> {
    const { rows } = await unsent.execute(app.db);
    for (const { kind, state } of rows) wrong.add(`mail: ${kind} is ${state}`);
  }

  return { look, isMailWaiting, finish };
}
