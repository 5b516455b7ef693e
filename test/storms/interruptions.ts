// Servers that die while they send, and workers that get their answers so late that another one has taken over.
import type { Clock } from '../harness/app.ts';
import type { Silence } from '../harness/silence.ts';
import { until } from '../harness/until.ts';

/** What a worker is sending: an event or a notice. Those of one message have the same `message`. */
export type Lease = { id: number; what: string; message: string; untilMs: number };

/** How something is sent. */
export type Sender = {
  /** Sends what is due, with a worker of its own. */
  send: () => Promise<void>;
  /** Expired ones included. */
  leases: () => Promise<Lease[]>;
  /** Takes these away from their workers, which record nothing then; resolves to them. */
  disown: (ids: readonly number[]) => Promise<Lease[]>;
};

/** What happens to the next that is sent. `lateMs`: it is answered so long after the lease has expired; null: a server dies with it. */
export type Interruption = { silence: Silence; lateMs: number | null };

export type Interruptions = ReturnType<typeof makeInterruptions>;

export function makeInterruptions(clock: Clock, { send, leases, disown }: Sender) {
  let coming: Interruption | null = null;
  /** What is no longer being sent, until when it is leased all the same. */
  const lost = new Map<number, number>();
  let late: { atMs: number; end: () => Promise<void> } | null = null;

  /** What is being sent by workers that live, and are not late. */
  async function living(): Promise<Lease[]> {
    for (const [id, untilMs] of lost) if (untilMs <= clock.ms()) lost.delete(id);
    return (await leases()).filter(({ id, untilMs }) => untilMs > clock.ms() && !lost.has(id));
  }

  /** Answers what is late, and waits until that is recorded, or left to the worker that has taken over. */
  async function end(silence: Silence, kept: readonly Lease[], sending: Promise<void>): Promise<void> {
    if (silence.arrives) silence.accept();
    else silence.refuse();
    await sending;
    await until(async () => {
      const now = await leases();
      return kept.every(({ id, untilMs }) => now.every((each) => each.id !== id || each.untilMs !== untilMs));
    }, 'what came late is recorded');
  }

  async function giveLate(): Promise<void> {
    const ending = late;
    late = null;
    await ending?.end();
  }

  return {
    living,
    /** The next that is sent is interrupted so, unless something else is to be already. */
    begin(make: () => Interruption): void {
      if (late === null) coming ??= make();
    },
    /** Interrupts what is to be sent now, if something is; resolves to that, and whether it arrived. */
    async meet(): Promise<(Lease & { arrived: boolean })[]> {
      if (coming === null) return [];
      const { silence, lateMs } = coming;
      let isIdle = false;
      const sending = send().then(() => {
        isIdle = true;
      });
      let kept: Lease[] = [];
      const haveArrived = async () => {
        kept = await living();
        const messages = new Set(kept.map(({ message }) => message)).size;
        return messages === silence.count() && (isIdle || messages > 0);
      };
      await until(haveArrived, 'every message that is being sent has arrived');
      if (kept.length === 0) return [];
      coming = null;
      silence.lift();
      // Meanwhile another server may have sent one more: what waits for an answer is what is interrupted, and nothing else.
      await until(haveArrived, 'every message that waits for an answer is known');
      if (lateMs === null) kept = await disown(kept.map(({ id }) => id));
      for (const { id, untilMs } of kept) lost.set(id, untilMs);
      if (lateMs === null) {
        silence.refuse();
        await sending;
      } else late = { atMs: kept[0]!.untilMs + lateMs, end: () => end(silence, kept, sending) };
      return kept.map((lease) => ({ ...lease, arrived: silence.arrives }));
    },
    /** When late answers come; infinite: none is to come. */
    dueMs: () => late?.atMs ?? Number.POSITIVE_INFINITY,
    /** Gives late answers that are due. */
    async answer(): Promise<void> {
      if (late !== null && late.atMs <= clock.ms()) await giveLate();
    },
    /** Lets nothing wait any more, and interrupts nothing further. */
    async stop(): Promise<void> {
      coming?.silence.lift();
      coming = null;
      await giveLate();
    },
  };
}
