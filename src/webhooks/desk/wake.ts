// Having the desks look: the one of this process at once after the commit, those of others by NOTIFY.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterCommit, type Work } from '../../platform/work.ts';

export const DELIVERIES_CHANNEL = 'tocsin_deliveries';

/** Names this process to itself: its own desks need no notification of what they know. */
const HERE = randomBytes(8).toString('hex');

/** `oldest` is when the oldest delivery was made that is waiting now, where that is known not to be this moment. */
export type Wake = (oldest?: Date) => void;

const desks = new Set<Wake>();

/** A desk of this process is woken from now on, until the answer is called. */
export function wakeHere(wake: Wake): () => void {
  desks.add(wake);
  return () => void desks.delete(wake);
}

const wakeNow = () => {
  for (const wake of desks) wake();
};

/** Deliveries were made in this unit of work: the desks look as soon as it is committed. */
export async function wakeDesks(work: Work): Promise<void> {
  afterCommit(work, wakeNow);
  // PostgreSQL folds equal notifications of one transaction into one.
  await sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, ${HERE})`.execute(work.tx);
}

/** A delivery from `madeAt` waits again: desks have to look that far back. */
export async function wakeDesksFor(work: Work, madeAt: Date): Promise<void> {
  afterCommit(work, () => {
    for (const wake of desks) wake(madeAt);
  });
  await sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, ${`${HERE} ${madeAt.toISOString()}`})`.execute(work.tx);
}

/** What a notification asks for; null: this process has seen to it already. */
export function readWake(payload: string): { oldest?: Date } | null {
  const [from, madeAt] = payload.split(' ');
  if (from === HERE) return null;
  return madeAt === undefined ? {} : { oldest: new Date(madeAt) };
}
