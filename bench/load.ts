// Results posted by a process of its own.
import { type Child, startChild } from './child.ts';
import type { Context } from './figure.ts';

export type LoadOrder = {
  url: string;
  token: string;
  monitorIds: string[];
  /** Results per post. */
  batch: number;
  /** Concurrent posts. */
  inFlight: number;
  /** Results a second; null: at full speed. */
  perSecond: number | null;
  seconds: number;
  /** Every n-th monitor reports failures; null: all pass. */
  downEvery: number | null;
};

/** `accepted` results, each committed and evaluated before its post was answered; `tookMs` is per post. */
export type LoadDone = { kind: 'done'; accepted: number; seconds: number; tookMs: number[] };
export type FromLoad = { kind: 'ready' } | LoadDone;

/** Posts results until the order is done. */
export async function postResults(
  context: Context,
  order: LoadOrder,
  onStart: (child: Child) => void = () => undefined,
): Promise<LoadDone> {
  const child = startChild(context, 'load-process.ts');
  await child.next('ready');
  onStart(child);
  const done = child.next<LoadDone>('done');
  child.send(order);
  const result = await done;
  await child.stop();
  return result;
}
