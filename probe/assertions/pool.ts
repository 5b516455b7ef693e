import { FairQueue, type Ticket } from '#src/domain/fair-queue.ts';
import type { Subject } from '../subject.ts';
import type { AskedOfWorker, Question, WorkerReply } from './asked.ts';
import { type JudgeThread, startJudgeThread } from './thread.ts';

/**
 * What came of a question. ran_out: it was stopped, by its own fault; `place` is the assertion that was judged then (a path in
 * the config), if known. not_reached: it waited in vain; `behindOwn` others of its own organization were in front of it.
 */
export type Verdict =
  | WorkerReply
  | { ran_out: 'time' | 'memory'; place: string | undefined }
  | { not_reached: true; behindOwn: number };

export type Asking = { subject: Subject; judgeAll: boolean; signal?: AbortSignal | undefined };

/** Threads. No organization has more than one while another waits. */
const THREADS = 2;
/** One question may take this long in a thread; an honest one takes milliseconds. */
export const ANSWER_MS = 1_000;
/** And may wait this long for its turn. */
export const TURN_MS = 10_000;

type Waiting = AskedOfWorker & { answer: (verdict: Verdict) => void; end: () => void };

const queue = new FairQueue<Waiting>({ places: THREADS, lent: 1 });
const idle: JudgeThread[] = [];
const threads = new Set<JudgeThread>();

/**
 * Answers a question in a worker thread, within a time limit that its waiting is part of. Threads are shared fairly over
 * organizations by the time they take, and replaced when they do not come to an end or die. Called off: undefined.
 */
export function answerApart(question: Question, asking: Asking): Promise<Verdict | undefined> {
  return new Promise((resolve) => {
    const { subject, judgeAll, signal } = asking;
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
      question,
      judgeAll,
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
  const { question, judgeAll, answer } = ticket.item;
  const startedAtMs = performance.now();
  let verdict = await askOne(question, judgeAll);
  // What an earlier question left behind in a thread's memory is nothing to blame this one for.
  if (verdict === 'died_used') verdict = await askOne(question, judgeAll);
  queue.release(ticket, performance.now() - startedAtMs);
  answer(typeof verdict === 'string' ? { ran_out: 'memory', place: undefined } : verdict);
  next();
}

async function askOne(question: Question, judgeAll: boolean): Promise<Verdict | 'died' | 'died_used'> {
  const thread = idle.pop() ?? started();
  const wasUsed = thread.used();
  const reply = await thread.ask({ question: tight(question), judgeAll }, ANSWER_MS);
  if (typeof reply === 'object') {
    idle.push(thread);
    return reply;
  }
  threads.delete(thread);
  if (reply === 'timeout') return { ran_out: 'time', place: thread.place() };
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
