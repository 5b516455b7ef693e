// Posts of heartbeats: their number and content (docs/rules/agents.md#buffering). Pure.
import type { Heartbeat } from '../src/agents/protocol-contract.ts';
import type { Kept } from './buffer.ts';
import type { Clock } from './clock.ts';
import type { Inventory } from './heartbeat.ts';
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from './limits.ts';

export type Post = {
  body: string;
  /** Heartbeats in it. */
  count: number;
  lastNo: number;
  inventory: Inventory | null;
};

export type PostOptions = {
  clock: Pick<Clock, 'place' | 'nowMs'>;
  /** The most heartbeats of the post. */
  most: number;
  /** The number of buffered heartbeats: the last of them is the newest, and is sent with the inventory. */
  size: number;
  inventory: Inventory | null;
};

/** A heartbeat at most this old is current, and is sent alone. */
const PRESENT_MS = 2_000;

/**
 * A post of the first buffered heartbeats, at least one, each later than the one before. Each is serialized before the next is
 * read: a day of them is never in memory as objects.
 */
export function postOf(kept: Iterable<Kept>, { clock, most, size, inventory }: PostOptions): Post {
  const names = inventory === null ? '' : JSON.stringify(inventory);
  const texts: string[] = [];
  let bytes = 200 + Buffer.byteLength(names);
  let values = 10 + commasOf(names);
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastNo = 0;
  for (const { no, entry } of kept) {
    const { atMs, moment, beat } = entry;
    const sentMs = Math.max(atMs ?? clock.place(moment), lastMs + 1);
    const heartbeat: Heartbeat = { sent_at_ms: sentMs, ...beat };
    const text = JSON.stringify(heartbeat);
    bytes += Buffer.byteLength(text) + 1;
    values += commasOf(text) + 1;
    if (texts.length > 0 && (bytes > MAX_BODY_BYTES || values > MAX_BODY_VALUES)) break;
    texts.push(text);
    [lastMs, lastNo] = [sentMs, no];
    if (texts.length >= most) break;
  }
  const sent = texts.length === size ? inventory : null;
  if (sent !== null) texts.push(`${texts.pop()?.slice(0, -1)},${names.slice(1)}`);
  const nowMs = clock.nowMs();
  const isPresent = texts.length === 1 && Math.abs(nowMs - lastMs) <= PRESENT_MS;
  const body = isPresent
    ? texts.join()
    : `{"sent_at_ms":${Math.max(nowMs, lastMs)},"heartbeats":[${texts.join(',')}]}`;
  return { body, count: texts.length, lastNo, inventory: sent };
}

/** At least as many as there are between values: commas within texts count, too. */
function commasOf(text: string): number {
  let commas = 0;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) commas += 1;
  return commas;
}
