// `npm run demo`: an installation on a folder of its own, with an organization that has a week behind it, until Ctrl-C.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMIN, startInstallation } from '../harness/installation.ts';
import { newDataDir } from '../harness/prepared-data.ts';
import { startDemoTarget, type Targets } from './targets.ts';

const HELP = `Usage: npm run demo -- [--port N]

Starts Tocsin on a temporary folder with an organization that has a week behind it: monitors of several types, an
outage that goes on, one that is over with its post-mortem, on-call, a status page. The week is reported through the
real ingest, minute by minute; from now on a real probe checks little servers of this machine.

Prints an address to sign in at, and stays until Ctrl-C; then it ends its processes and removes the folder.
Nothing outside this machine is asked.

  --port N   port of the dashboard (default: a free one)
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Says what is done and how long it took. */
async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  process.stdout.write(`${what} … `);
  const since = performance.now();
  const result = await act();
  say(`${((performance.now() - since) / 1000).toFixed(1)} s`);
  return result;
}

/** In a process of its own: its harness is that of tests, which has the last word on what they printed. */
async function fill(dataDir: string, secretKey: string, targets: Targets): Promise<void> {
  const words = [join(import.meta.dirname, 'fill.ts'), dataDir, JSON.stringify(targets)];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SECRET_KEY: secretKey },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the week could not be filled: ${code}`);
}

async function startTargets(stack: AsyncDisposableStack): Promise<Targets> {
  const start = async (status: number, afterMs: number, answer: object) => {
    const target = await startDemoTarget({ status, afterMs, body: JSON.stringify(answer) });
    stack.defer(() => target.stop());
    return target;
  };
  return {
    website: await start(200, 60, { status: 'ok' }),
    checkout: await start(503, 20, { error: 'the payment provider does not answer', request: 'b41c' }),
    api: await start(200, 25, { status: 'ok', bookings_today: 1284 }),
    search: await start(200, 150, { status: 'ok' }),
  };
}

async function demo(port: number | undefined): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const targets = await startTargets(stack);
  const dataDir = await newDataDir();
  const secretKey = randomBytes(32).toString('hex');
  const env = { SECRET_KEY: secretKey, ...(port === undefined ? {} : { PORT: String(port) }) };
  await timed('Making a database, and living through a week', () => fill(dataDir, secretKey, targets));
  const installation = await timed('Starting Tocsin, its dashboard and its probe', () =>
    startInstallation({ dataDir, env }),
  );
  stack.defer(() => installation.remove());
  say(`
  Dashboard    ${installation.url}
  Sign in as   ${ADMIN.email}
  Password     ${ADMIN.password}
  Status page  ${installation.url}/status/meridian

Ctrl-C ends it and removes ${dataDir}.`);
  await Promise.race([interrupted, once(installation.process, 'exit')]);
  say('\nEnding …');
}

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, port: { type: 'string' } },
});
if (values.help) process.stdout.write(HELP);
else await demo(values.port === undefined ? undefined : Number(values.port));
