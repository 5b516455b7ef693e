import { FairQueue, type Ticket } from '#src/domain/fair-queue.ts';
import type { Subject } from '../subject.ts';
import type { Watched } from '../watchdog.ts';
import type { AskedOfWorker, Question, WorkerReply } from './asked.ts';
import { type AnswerLimits, type JudgeThread, startJudgeThread } from './thread.ts';

/**
 * What came of a question. ran_out: it was stopped, by its own fault; `place` is the assertion that was judged then (a path in
 * the config), if known. not_reached: it waited in vain; `behindOwn` others of its own organization were in front of it.
 * starved: the machine was too busy to judge it.
 */
export type Verdict =
  | WorkerReply
  | { ran_out: 'time' | 'memory'; place: string | undefined }
  | { not_reached: true; behindOwn: number }
  | { starved: true };

export type Asking = {
  subject: Subject;
  judgeAll: boolean;
  signal?: AbortSignal | undefined;
  /** Does what the main loop has to do for it. */
  watched: Watched;
  /** Called with the milliseconds of processor time it took in a thread. */
  charge?: ((ms: number) => void) | undefined;
};

/** Threads. No organization has more than one while another waits. */
const THREADS = 2;
/** One question may take so much processor time in a thread; an honest one takes milliseconds. */
export const ANSWER_MS = 1_000;
/** And is given this long to get it, which only a machine that is busy with something else needs. */
export const GIVEN_MS = 10_000;
const HONEST_MS = 200;
/** And may wait this long for its turn. */
export const TURN_MS = 10_000;

const LIMITS: AnswerLimits = { ranMs: ANSWER_MS, tookMs: GIVEN_MS, enoughMs: HONEST_MS };

type Waiting = AskedOfWorker &
  Pick<Asking, 'watched' | 'charge'> & { answer: (verdict: Verdict) => void; end: () => void };

const queue = new FairQueue<Waiting>({ places: THREADS, lent: 1 });
const idle: JudgeThread[] = [];
const threads = new Set<JudgeThread>();

/**
 * Answers a question in a worker thread, within a time limit that its waiting is part of. Threads are shared fairly over
 * organizations by the time they take, and replaced when they do not come to an end or die. Called off: undefined.
 */
export function answerApart(question: Question, asking: Asking): Promise<Verdict | undefined> {
  return new Promise((resolve) => {
    const { subject, judgeAll, signal, watched, charge } = asking;
    const { organizationId, ownerId = null } = subject;
    if (signal?.aborted) return resolve(undefined);
    const behindOwn = queue.waitingOf(organizationId) + queue.heldBy(organizationId);
    const giveUp = (verdict: Verdict | undefined) => {
      if (!queue.cancel(ticket)) return;
      waiting.end();
      resolve(verdict);
    };
    const callOff = () => giveUp(undefined);
    const timer = setTimeout(() => giveUp({ not_reached: true, behindOwn }), TURN_MS);
    const waiting: Waiting = {
      ...{ question, judgeAll, watched, charge },
      answer: resolve,
      end() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', callOff);
      },
    };
    signal?.addEventListener('abort', callOff, { once: true });
    const ticket = queue.enqueue(organizationId, waiting, ownerId);
    next();
  });
}

/** Ends the threads (at stop). */
export async function stopJudging(): Promise<void> {
  idle.length = 0;
  await Promise.all([...threads].map((thread) => thread.end()));
}

function next(): void {
  for (let ticket = queue.take(); ticket !== undefined; ticket = queue.take()) {
    ticket.item.end();
    void serve(ticket);
  }
}

async function serve(ticket: Ticket<Waiting>): Promise<void> {
  const { item } = ticket;
  const startedAtMs = performance.now();
  let verdict = await askOne(item);
  // What an earlier question left behind in a thread's memory is nothing to blame this one for.
  if (verdict === 'died_used') verdict = await askOne(item);
  queue.release(ticket, performance.now() - startedAtMs);
  item.answer(typeof verdict === 'string' ? { ran_out: 'memory', place: undefined } : verdict);
  next();
}

async function askOne({
  question,
  judgeAll,
  watched,
  charge,
}: Waiting): Promise<Verdict | 'died' | 'died_used'> {
  const thread = idle.pop() ?? started();
  const wasUsed = thread.used();
  const { reply, ranMs } = await watched(() => thread.ask({ question: tight(question), judgeAll }, LIMITS));
  charge?.(ranMs);
  if (typeof reply === 'object') {
    idle.push(thread);
    return reply;
  }
  threads.delete(thread);
  if (reply === 'timeout') return { ran_out: 'time', place: thread.place() };
  if (reply === 'starved') return { starved: true };
  return wasUsed ? 'died_used' : 'died';
}

/** What crosses to a thread takes its whole buffer along, which may be twice as large or somebody else's. */
function tight(question: Question): Question {
  const { body } = question;
  if (body === null || body.bytes.byteLength === body.bytes.buffer.byteLength) return question;
  return { ...question, body: { ...body, bytes: Uint8Array.from(body.bytes) } };
}

function started(): JudgeThread {
  const thread = startJudgeThread();
  threads.add(thread);
  return thread;
}
