// Repeats the same requests, in a process of its own.
import { startChild } from './child.ts';
import type { Context } from './figure.ts';

export type RequestsOrder = {
  url: string;
  /** Taken in turn. */
  requests: { method: string; path: string; headers: Record<string, string>; body?: string }[];
  inFlight: number;
  seconds: number;
  /** Any other answer ends the benchmark. */
  status: number;
};

export type RequestsDone = {
  kind: 'done';
  answered: number;
  bytes: number;
  seconds: number;
  tookMs: number[];
};
export type FromRequests = { kind: 'ready' } | RequestsDone;

/** Sends until the order is done; every connection is kept open. */
export async function sendRequests(context: Context, order: RequestsOrder): Promise<RequestsDone> {
  const child = startChild(context, 'requests-process.ts');
  await child.next('ready');
  const done = child.next<RequestsDone>('done');
  child.send(order);
  const result = await done;
  await child.stop();
  return result;
}
