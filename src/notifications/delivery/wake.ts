// Having the desks look: the one of this process at once after the commit, those of others by NOTIFY.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterCommit, type Work } from '#src/platform/work.ts';

export const DELIVERIES_CHANNEL = 'tocsin_deliveries';

/** Names this process to itself: its own desks need no notification of what they know. */
const HERE = randomBytes(8).toString('hex');

const desks = new Set<() => void>();

/** A desk of this process is woken from now on, until the answer is called. */
export function wakeHere(wake: () => void): () => void {
  desks.add(wake);
  return () => void desks.delete(wake);
}

const wakeNow = () => {
  for (const wake of desks) wake();
};

/** Deliveries wait since this unit of work: the desks look as soon as it is committed. */
export async function wakeDesks(work: Work): Promise<void> {
  afterCommit(work, wakeNow);
  // PostgreSQL folds equal notifications of one transaction into one.
  await sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, ${HERE})`.execute(work.tx);
}

/** Whether a notification is news here: what this process has said itself it has seen to already. */
export const isNews = (payload: string): boolean => payload !== HERE;
