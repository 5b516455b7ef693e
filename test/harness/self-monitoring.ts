// One turn of the watch over the installation, with its mails, for tests that run turns by hand.
import { watchTurn } from '#src/self-monitoring/loop.ts';
import { notifyOperator } from '#src/self-monitoring/notify-operator.ts';
import type { NoticeSenderOptions } from '#src/user-notifications/sender.ts';
import { silent } from './cluster.ts';

const NO_DISK = { resultsPaused: () => false, pausedForMs: () => null, freeBytes: () => null };

export async function watchOnce({
  db,
  clock,
  mail,
  baseUrl,
}: Pick<NoticeSenderOptions, 'db' | 'clock' | 'mail' | 'baseUrl'>): Promise<void> {
  const options = { db, clock, mail, baseUrl, log: silent, disk: NO_DISK };
  await watchTurn(options);
  await notifyOperator(options);
}
