// The week that the organization of the demo has behind it: reported minute by minute through the real ingest, on a clock of its
// own, so that every incident, figure and timeline is what Tocsin made of it.
import type { TestApp } from '#test/harness/app.ts';
import { resultOf, type Said } from '#test/harness/probe.ts';

export type Watched = {
  id: string;
  /** Milliseconds of a usual answer. */
  usualMs: number;
};

/** Something that was wrong with a monitor, in minutes before now; `until` 0: it still is. */
export type Trouble = { monitor: string; from: number; until: number; said: Said };

/** What people did, in minutes before now. */
export type Action = { at: number; act: () => Promise<unknown> };

const MINUTE_MS = 60_000;
/** Results of a post, where nothing is wrong. */
const BATCH = 420;

/** Numbers that look random, and are the same for every demo. */
function makeChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Lives through the minutes up to now; calls `newDay` after each day. */
export async function liveThrough(
  app: TestApp,
  minutes: number,
  {
    watched,
    troubles,
    actions,
  }: { watched: readonly Watched[]; troubles: readonly Trouble[]; actions: readonly Action[] },
  newDay: () => Promise<void>,
): Promise<void> {
  const chance = makeChance(7);
  const probe = app.probe();
  let batch: ReturnType<typeof resultOf>[] = [];
  const post = async () => {
    if (batch.length === 0) return;
    const answer = await probe.post(batch);
    if (answer.status !== 200)
      throw new Error(`results answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    batch = [];
  };
  for (let left = minutes; left >= 1; left--) {
    app.clock.advance(MINUTE_MS);
    const wrong = troubles.filter(({ from, until }) => left <= from + 3 && left >= until - 5);
    for (const { id, usualMs } of watched) {
      const trouble = wrong.find(
        ({ monitor, from, until }) => monitor === id && left <= from && left > until,
      );
      batch.push(resultOf(id, app.clock.ms(), trouble?.said ?? passed(usualMs, app.clock.ms(), chance)));
    }
    const due = actions.filter(({ at }) => at === left);
    // What is wrong is reported as it happens, else an incident would open late.
    if (wrong.length > 0 || due.length > 0 || batch.length >= BATCH || left === 1) await post();
    for (const { act } of due) await act();
    if (left % 1440 === 0) await newDay();
  }
}

/** A usual answer: slower by day than by night, and now and then for no reason. */
function passed(usualMs: number, atMs: number, chance: () => number): Said {
  const hour = (atMs / 3_600_000) % 24;
  const busy = 1 + 0.35 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
  const odd = chance() < 0.01 ? 2.5 : 1;
  const latency = Math.round(usualMs * busy * odd * (0.85 + chance() * 0.3));
  return { status: 'up', latency_ms: Math.max(1, latency) };
}
