// What the benchmarks say to the process that stands for the outside world, and what it says to them.
import { type Child, startChild } from './child.ts';
import type { Context } from './figure.ts';

/** A webhook as it came: when the answer that decided it was given, and when it arrived, on one clock. */
export type Delivery = {
  event: 'opened' | 'resolved';
  incidentId: string;
  decidedAtMs: number;
  atMs: number;
};

export type ToOutside =
  | { kind: 'record' }
  | { kind: 'report' }
  | { kind: 'take turns'; addresses: number[]; apartMs: number }
  | { kind: 'be well' };

export type FromOutside =
  | { kind: 'ready'; url: string; hookUrl: string }
  | { kind: 'arrivals'; arrivals: number[] }
  | { kind: 'delivery'; delivery: Delivery };

export type Arrival = { address: number; atMs: number };

export type Outside = {
  child: Child;
  /** Base address of the watched server; address n of it is `${url}/${n}`. */
  url: string;
  hookUrl: string;
  /** From now on every request is noted. */
  record: () => void;
  /** Stops noting and answers what came. */
  report: () => Promise<Arrival[]>;
  /**
   * These addresses answer 503, 503, 200, 200, 503, … from now on. A request less than `apartMs` after the last one of them
   * is no check: it looks again after an incident opened, and gets the same answer.
   */
  takeTurns: (addresses: number[], apartMs: number) => void;
  /** All answer 200 again. */
  beWell: () => void;
  onDelivery: (onDelivered: (delivery: Delivery) => void) => void;
};

export async function startOutside(context: Context): Promise<Outside> {
  const child = startChild(context, 'outside-process.ts');
  const order = (message: ToOutside) => child.send(message);
  const { url, hookUrl } = await child.next<Extract<FromOutside, { kind: 'ready' }>>('ready');
  return {
    child,
    url,
    hookUrl,
    record: () => order({ kind: 'record' }),
    async report() {
      const reported = child.next<Extract<FromOutside, { kind: 'arrivals' }>>('arrivals');
      order({ kind: 'report' });
      const { arrivals } = await reported;
      const list: Arrival[] = [];
      for (let i = 0; i < arrivals.length; i += 2)
        list.push({ address: arrivals[i]!, atMs: arrivals[i + 1]! });
      return list;
    },
    takeTurns: (addresses, apartMs) => order({ kind: 'take turns', addresses, apartMs }),
    beWell: () => order({ kind: 'be well' }),
    onDelivery: (onDelivered) =>
      child.onMessage((message: FromOutside) => {
        if (message.kind === 'delivery') onDelivered(message.delivery);
      }),
  };
}
