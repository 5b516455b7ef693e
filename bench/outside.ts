// The messages between the benchmarks and the process that stands for the outside world.
import { type Child, startChild } from './child.ts';
import type { Context } from './figure.ts';

/** A received webhook: the time of the deciding answer and the time of arrival, on one clock. */
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
  /** Records every request from now on. */
  record: () => void;
  /** Stops recording and returns the requests. */
  report: () => Promise<Arrival[]>;
  /**
   * These addresses answer 503, 503, 200, 200, 503, … from now on. A request less than `apartMs` after the last counted one is
   * no scheduled check: it is the extra check after an incident opened, and gets the same answer.
   */
  takeTurns: (addresses: number[], apartMs: number) => void;
  /** All addresses answer 200 again. */
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
