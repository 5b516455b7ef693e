// Time in a walk of one server that looks every second for what has fallen silent. Nearly always it looks in vain: only the turns in which
// something is due are taken.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';

const TURN_MS = 1000;
/** A wait ends early in which so many evaluations are due. */
const MAX_EVALUATIONS = 40;

export type Watched = {
  /** The task of the test application that looks. */
  task: 'heartbeats' | 'agents';
  /** When something is due next, by what is stored or by what is reckoned: infinite if never. */
  dueMs: () => Promise<number>;
  /** A server has looked. */
  looked: (nowMs: number) => void;
};

/** `passUntil` waits, with a server; `away` without one; `ready`: a server has run until now. */
export function makeTurns(app: TestApp, { task, dueMs, looked }: Watched) {
  const { clock, db } = app;

  async function ready(): Promise<void> {
    await sql`UPDATE heartbeat_watch SET watched_at = ${clock.now()}`.execute(db);
  }

  /** A server makes the partitions of the days to come in time. */
  async function advanceTo(ms: number): Promise<void> {
    const isLater = dayOf(ms) > dayOf(clock.ms());
    clock.advance(ms - clock.ms());
    if (isLater) await app.runTask('partitions');
  }

  return {
    ready,
    async passUntil(untilMs: number): Promise<void> {
      for (let evaluations = 0; evaluations < MAX_EVALUATIONS; evaluations++) {
        const turnMs = Math.ceil(Math.max(await dueMs(), clock.ms() + 1) / TURN_MS) * TURN_MS;
        if (turnMs > untilMs) {
          await advanceTo(Math.max(clock.ms(), untilMs));
          break;
        }
        await advanceTo(turnMs);
        await app.runTask(task);
        looked(turnMs);
      }
      await ready();
    },
    /** Resolves after the first turn of the server that is back. */
    async away(ms: number, back: () => void): Promise<void> {
      await advanceTo(clock.ms() + ms);
      await app.runTask('heartbeats_turn');
      back();
      looked(clock.ms());
      await ready();
    },
  };
}

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

/** What a walk compares after a step: collects a sentence for each difference. */
export function makeComparison(app: TestApp) {
  const wrong: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown) => {
    const [is, must] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== must) wrong.push(`${what} at ${app.clock.now().toISOString()}: ${is}, not ${must}`);
  };
  return { wrong, compare };
}

type Scene<Step> = { take: (step: Step) => Promise<void>; judge: () => Promise<string[]> };

/** Takes the steps of a scene until something is wrong; resolves to what it is, one sentence each. */
export async function takeSteps<Step>(
  makeScene: () => Promise<Scene<Step>>,
  steps: readonly Step[],
): Promise<string[]> {
  try {
    const scene = await makeScene();
    for (const step of steps) {
      await scene.take(step);
      const wrong = await scene.judge();
      if (wrong.length > 0) return wrong;
    }
    return [];
  } catch (error) {
    return [String(error instanceof Error ? error.stack : error)];
  }
}
