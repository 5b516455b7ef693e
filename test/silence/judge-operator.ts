// What the operator is told about regions and probes, in the dashboard and by mail (docs/rules/regions-and-probes.md#troubles).
import type { Trouble } from '#src/self-monitoring/contract.ts';
import { type Condition, troublesNow } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** Mails come within a minute. */
const WITHIN_MS = 60_000;
const NOT_AGAIN_MS = 10 * 60_000;
/** A refused mail is sent again so much later, at a turn. */
const AGAIN_MS = 35_000;
/** After a time without a watching server, a region is given time to be online again. */
const COME_BACK_MS = 60_000;
/** What has not changed is looked at again after this. */
const POLL_MS = 20_000;
/** Two turns. */
const NOTED_MS = 10_000;

/** What the operator believes of one subject. */
type Notified = { bad: boolean; begunMs: number };

/** `wrong` gets a sentence for each fault. */
export function makeOperatorJudge({ app, mailbox }: Stage, wrong: Set<string>) {
  let read = mailbox.received.length;
  const notified = new Map<string, Notified>();
  /** Since when each subject is as it is. */
  const since = new Map<string, { is: Condition; ms: number }>();
  /** Whether it was bad when that was last certain, at a turn. */
  const wasBad = new Map<string, boolean>();
  let lookedMs = 0;
  const changedMs = (subject: string) => since.get(subject)?.ms ?? Number.NEGATIVE_INFINITY;

  /** `whole`: after a step. What that changed is noted at the next turn; otherwise a turn has just been. */
  async function look(scene: Scene, whole: boolean): Promise<void> {
    const { facts, mail } = scene;
    const nowMs = scene.nowMs();
    const now = troublesNow(facts, nowMs);
    for (const [subject, is] of now) if (since.get(subject)?.is !== is) since.set(subject, { is, ms: nowMs });
    if (whole) return;
    for (const [subject, is] of now) noteGone(subject, is);
    if (nowMs - lookedMs >= POLL_MS || [...since.values()].some(({ ms }) => nowMs - ms <= POLL_MS / 2)) {
      lookedMs = nowMs;
      await judgeDashboard(now, scene);
    }
    readMails(now, nowMs);
    for (const [subject, is] of now) judgeMailed(subject, is, scene, mail.acceptsSinceMs);
  }

  /** Nobody is mailed the end of what is gone. An end of before may still wait for the mail server. */
  function noteGone(subject: string, is: Condition): void {
    const its = notified.get(subject);
    if (is === 'gone' && wasBad.get(subject) && its) its.bad = false;
    if (is !== null) wasBad.set(subject, is === true);
  }

  async function judgeDashboard(now: ReadonlyMap<string, Condition>, { facts }: Scene): Promise<void> {
    const shown = await app.alice.ok<Trouble[]>('GET', '/admin/troubles');
    const named = new Set(shown.map(({ kind, subject }) => `${kind} ${subject}`));
    for (const [subject, is] of now) {
      const mayCome = subject.startsWith('region') && facts.turnMs - facts.watchingMs <= COME_BACK_MS;
      if (is === true && !named.has(subject) && !mayCome) wrong.add(`troubles: ${subject} is not named`);
      if ((is === false || is === 'gone') && named.has(subject)) wrong.add(`troubles: ${subject} is named`);
    }
    for (const subject of named) if (!now.has(subject)) wrong.add(`troubles: ${subject} is named`);
  }

  function readMails(now: ReadonlyMap<string, Condition>, nowMs: number): void {
    const fresh = mailbox.received.slice(read).filter(({ recipients }) => recipients[0] === app.alice.email);
    read = mailbox.received.length;
    for (const { mail } of fresh)
      for (const { subject, bad } of linesOf(mail.subject ?? '', mail.text ?? '')) {
        const before = notified.get(subject);
        if (bad && before?.bad) wrong.add(`mail: ${subject} began twice`);
        if (!bad && !before?.bad) wrong.add(`mail: ${subject} ended, and nobody was told that it began`);
        if (bad && before && nowMs - before.begunMs < NOT_AGAIN_MS - NOTED_MS)
          wrong.add(`mail: ${subject} began again within ten minutes`);
        const is = now.get(subject);
        const isSo = bad ? is !== false && is !== 'gone' : is !== true;
        if (!isSo && nowMs - changedMs(subject) > NOTED_MS)
          wrong.add(`mail: ${subject} ${bad ? 'began' : 'ended'}, and that is not so`);
        notified.set(subject, { bad, begunMs: bad ? nowMs : (before?.begunMs ?? nowMs) });
      }
  }

  function judgeMailed(
    subject: string,
    is: Condition,
    { facts, nowMs }: Scene,
    acceptsSinceMs: number | null,
  ): void {
    const { bad = false, begunMs = Number.NEGATIVE_INFINITY } = notified.get(subject) ?? {};
    if (is === null || is === 'gone' || is === bad || acceptsSinceMs === null) return;
    const fromMs = Math.max(
      changedMs(subject) + WITHIN_MS,
      acceptsSinceMs + AGAIN_MS,
      is ? Math.max(begunMs + NOT_AGAIN_MS, facts.watchingMs + COME_BACK_MS) : 0,
    );
    if (nowMs() > fromMs + NOTED_MS)
      wrong.add(`mail: the operator was not told that ${subject} ${is ? 'began' : 'ended'}`);
  }

  return { look };
}

const LINES = [
  { of: /Region (\S+) is offline/g, kind: 'region_offline', bad: true },
  { of: /Region (\S+) is online again/g, kind: 'region_offline', bad: false },
  {
    of: /Probe (\S+) of region (\S+) (?:is too busy|delivers no results)/g,
    kind: 'probe_lagging',
    bad: true,
  },
  { of: /Probe (\S+) of region (\S+) no longer lags/g, kind: 'probe_lagging', bad: false },
];

/** What a mail says began or ended, in its order. */
function linesOf(subject: string, text: string): { subject: string; bad: boolean }[] {
  if (!subject.startsWith('[Tocsin] ')) return [];
  const found = LINES.flatMap(({ of, kind, bad }) =>
    [...text.matchAll(of)].map(({ index, 1: first, 2: second }) => ({
      index,
      subject: `${kind} ${second === undefined ? first : `${second}/${first}`}`,
      bad,
    })),
  ).sort((a, b) => a.index - b.index);
  return found.filter(
    (each, i) => !found.slice(0, i).some((other) => other.subject === each.subject && other.bad === each.bad),
  );
}
