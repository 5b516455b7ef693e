import { FairQueue, type Ticket } from '#src/domain/fair-queue.ts';
import type { Tenant } from '../tenant.ts';
import type { Watched } from '../watchdog.ts';
import type { AskedOfWorker, Question, WorkerReply } from './asked.ts';
import { type AnswerLimits, type JudgeThread, startJudgeThread } from './thread.ts';

/**
 * The outcome of a question. ran_out: it used up its time; `path` is the assertion being judged then (a path in the config), if
 * known. not_reached: its turn never came; `behindOwn` others of its own organization were ahead of it. starved: the machine
 * was too busy.
 */
export type JudgeOutcome =
  | WorkerReply
  | { ran_out: 'time' | 'memory'; path: string | undefined }
  | { not_reached: true; behindOwn: number }
  | { starved: true };

export type JudgeRequest = {
  tenant: Tenant;
  judgeAll: boolean;
  signal?: AbortSignal | undefined;
  /** Runs the main loop's work for the question. */
  watched: Watched;
  /** Called with the milliseconds of processor time that the question used in a thread. */
  charge?: ((ms: number) => void) | undefined;
};

/** Threads. No organization has more than one while another waits. */
const THREADS = 2;
/** The most processor time of one question in a thread; a normal one takes milliseconds. */
export const ANSWER_MS = 1_000;
/** The most wall time in which it gets that; only a machine that is busy with something else needs so much. */
export const GIVEN_MS = 10_000;
const HONEST_MS = 200;
/** The longest wait for its turn. */
export const TURN_MS = 10_000;

const LIMITS: AnswerLimits = { ranMs: ANSWER_MS, tookMs: GIVEN_MS, enoughMs: HONEST_MS };

type Waiting = AskedOfWorker &
  Pick<JudgeRequest, 'watched' | 'charge'> & { answer: (outcome: JudgeOutcome) => void; end: () => void };

const queue = new FairQueue<Waiting>({ slots: THREADS, maxHeldPerFree: 1 });
const idle: JudgeThread[] = [];
const threads = new Set<JudgeThread>();

/**
 * Answers a question in a worker thread, within a time limit that includes its wait. Threads are shared fairly over
 * organizations by the time they use, and replaced if they do not finish or die. Cancelled: undefined.
 */
export function answerInWorker(question: Question, asking: JudgeRequest): Promise<JudgeOutcome | undefined> {
  return new Promise((resolve) => {
    const { tenant, judgeAll, signal, watched, charge } = asking;
    const { organizationId, ownerId = null } = tenant;
    if (signal?.aborted) return resolve(undefined);
    const behindOwn = queue.waitingOf(organizationId) + queue.heldBy(organizationId);
    const giveUp = (outcome: JudgeOutcome | undefined) => {
      if (!queue.cancel(ticket)) return;
      waiting.end();
      resolve(outcome);
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
  let outcome = await askOne(item);
  // A thread's memory may be full because of an earlier question; this one is not to blame for that.
  if (outcome === 'died_used') outcome = await askOne(item);
  queue.release(ticket, performance.now() - startedAtMs);
  item.answer(typeof outcome === 'string' ? { ran_out: 'memory', path: undefined } : outcome);
  next();
}

async function askOne({
  question,
  judgeAll,
  watched,
  charge,
}: Waiting): Promise<JudgeOutcome | 'died' | 'died_used'> {
  const thread = idle.pop() ?? started();
  const wasUsed = thread.used();
  const { reply, ranMs } = await watched(() => thread.ask({ question: tight(question), judgeAll }, LIMITS));
  charge?.(ranMs);
  if (typeof reply === 'object') {
    idle.push(thread);
    return reply;
  }
  threads.delete(thread);
  if (reply === 'timeout') return { ran_out: 'time', path: thread.path() };
  if (reply === 'starved') return { starved: true };
  return wasUsed ? 'died_used' : 'died';
}

/** A message to a thread carries its whole buffer, which may be twice as large or belong to another check. */
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
