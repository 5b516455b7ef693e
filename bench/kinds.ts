// The cost of a check of every type for the probe: checks a second on one core, beside a bare connection.
import { startChild } from './child.ts';
import { type Context, count, type Row, type RunBench, times } from './figure.ts';

/** The check: a type, and the config as the server would assign it. */
export type KindOfCheck = { name: string; type: string; config: Record<string, unknown> };
export type KindsReady = { kind: 'ready'; checks: KindOfCheck[]; barePort: number };
export type KindsOrder = { check: KindOfCheck | null; barePort: number; howMany: number; atOnce: number };
export type KindsDone = { kind: 'done'; cpuSeconds: number; seconds: number; failed: string | null };

const AT_ONCE = 16;

export const kinds: RunBench = async (context) => {
  const howMany = context.quick ? 100 : 4_000;
  const servers = startChild(context, 'kinds-servers-process.ts');
  const { checks, barePort } = await servers.next<KindsReady>('ready');
  context.hooks.add('database servers', async () => {
    const ended = servers.next('ended');
    servers.send('end');
    await ended;
  });
  const bare = await run(context, null, barePort, howMany);
  const rows: Row[] = [];
  for (const check of checks) {
    // A ping starts a process and a sign-in hashes, so fewer of them are enough.
    const some = ['ping', 'database', 'mail'].includes(check.type) ? Math.ceil(howMany / 8) : howMany;
    const { perCore, costMs } = await run(context, check, barePort, some);
    rows.push({
      figure: `${check.name}: checks a second per core (CPU each)`,
      tocsin: `${count(perCore)} (${costMs.toFixed(2)} ms)`,
      beside: `${count(bare.perCore)} bare connections`,
      ratio: times(costMs, bare.costMs),
    });
  }
  return {
    rows,
    notes: [
      `CPU is user and system time of the process that makes the checks, ${AT_ONCE} at a time, over ${count(howMany)} checks (an eighth of that for ping, mail and databases) after a warm-up of a tenth; the servers are a process of their own on the same machine and are not counted. The ratio is CPU beside CPU.`,
      'Beside it: connecting to a listening socket and closing, with node:net and nothing around it. Storing and scheduling are not in these figures; `npm run bench -- checks` has them.',
      'A ping is the system’s ping program, which is a process each: its own CPU is counted as that of a child.',
    ],
  };
};

async function run(
  context: Context,
  check: KindOfCheck | null,
  barePort: number,
  howMany: number,
): Promise<{ perCore: number; costMs: number }> {
  context.say(`${count(howMany)} × ${check?.name ?? 'a bare connection'}`);
  const child = startChild(context, 'kinds-process.ts');
  await child.next('ready');
  const done = child.next<KindsDone>('done');
  const order: KindsOrder = { check, barePort, howMany, atOnce: AT_ONCE };
  child.send(order);
  const { cpuSeconds, failed } = await done;
  await child.stop();
  if (failed !== null) throw new Error(`${check?.name}: a check did not pass: ${failed}`);
  const costMs = (cpuSeconds / howMany) * 1000;
  return { perCore: 1000 / costMs, costMs };
}
