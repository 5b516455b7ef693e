// The messages between the benchmarks and the process that receives and counts webhooks.
import { type Child, startChild } from './child.ts';
import type { Context } from './figure.ts';

export type ToHooks = { kind: 'expect'; howMany: number };
export type FromHooks =
  | { kind: 'ready'; url: string }
  /** On the wall clock, in milliseconds; `body` is the first one's. */
  | { kind: 'arrived'; firstAtMs: number; lastAtMs: number; body: string };

export type Hooks = {
  url: string;
  child: Child;
  /** Counts from now on; resolves when this many have arrived. */
  expect: (howMany: number) => Promise<Extract<FromHooks, { kind: 'arrived' }>>;
};

export async function startHooks(context: Context): Promise<Hooks> {
  const child = startChild(context, 'hooks-process.ts');
  const { url } = await child.next<Extract<FromHooks, { kind: 'ready' }>>('ready');
  return {
    url,
    child,
    expect(howMany) {
      const arrived = child.next<Extract<FromHooks, { kind: 'arrived' }>>('arrived');
      child.send({ kind: 'expect', howMany } satisfies ToHooks);
      return arrived;
    },
  };
}
