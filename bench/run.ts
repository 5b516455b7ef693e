// `npm run bench -- NAME`: measures one figure on this machine and prints one table. Never part of the tests.
import { parseArgs } from 'node:util';
import { nearest } from '../src/domain/nearest.ts';
import { createLog } from '../src/platform/log.ts';
import { StopHooks } from '../src/platform/stop-hooks.ts';
import { listenForSignals } from '../src/supervise/signals.ts';
import type { RunBench } from './figure.ts';
import { loadBefore, machine, versions } from './machine.ts';
import { render } from './table.ts';

const BENCHES: Record<string, { about: string; load: () => Promise<RunBench> }> = {
  checks: {
    about: 'CPU per 1,000 persisted HTTP checks, and checks a second before the schedule slips',
    load: async () => (await import('./checks.ts')).checks,
  },
  ingest: {
    about: 'results a second through the HTTP endpoint, and adding a monitor meanwhile',
    load: async () => (await import('./ingest.ts')).ingest,
  },
  servers: {
    about: 'one, two and three server processes on one database: what a core carries, and what stops them',
    load: async () => (await import('./servers.ts')).servers,
  },
  pooler: {
    about: 'requests and results through PgBouncer, beside direct connections',
    load: async () => (await import('./pooler.ts')).pooler,
  },
  schedule: {
    about: 'how late checks start at 1,000 monitors, drift, and a restart of the probe',
    load: async () => (await import('./schedule.ts')).schedule,
  },
  regions: {
    about: 'how late checks start at 10,000 monitors over three regions, and what a probe weighs',
    load: async () => (await import('./regions.ts')).regions,
  },
  kinds: {
    about: 'checks a second per core of every type, beside a bare connection',
    load: async () => (await import('./kinds.ts')).kinds,
  },
  alarm: {
    about: 'from the failing check to the webhook, idle and under load',
    load: async () => (await import('./alarm.ts')).alarm,
  },
  'one-core': {
    about: 'everything on one core: from the failing check to the webhook, and adding monitors',
    load: async () => (await import('./one-core.ts')).oneCore,
  },
  deliveries: {
    about: 'webhook deliveries a second, beside bare posts of the same bytes',
    load: async () => (await import('./deliveries.ts')).deliveries,
  },
  storm: {
    about: '5,000 incidents at once: until all webhooks have arrived, and what other results feel meanwhile',
    load: async () => (await import('./storm.ts')).storm,
  },
  memory: {
    about: 'memory at 1,000 monitors, bytes on disk per check, time from npm start to serving',
    load: async () => (await import('./memory.ts')).memory,
  },
  access: {
    about: 'what identifying and authorizing a request costs, by session and by key',
    load: async () => (await import('./access.ts')).access,
  },
  dashboard: {
    about:
      'the list of 5,000 monitors in a browser: first rows, scrolling, scrolling while 1,000 a second change',
    load: async () => (await import('./dashboard.ts')).dashboard,
  },
  list: {
    about: 'lists of 1,000 monitors a second',
    load: async () => (await import('./list.ts')).list,
  },
  series: {
    about:
      'charts of 90 days with a year of data, beside the same question asked of hours (--large: 10,000 monitors)',
    load: async () => (await import('./series.ts')).series,
  },
  pages: {
    about: 'visitors of a public status page a second, beside the same bytes from a bare Fastify route',
    load: async () => (await import('./pages.ts')).pages,
  },
  bytes: {
    about: 'bytes on disk per check, raw and rolled up, and what rolling up costs',
    load: async () => (await import('./bytes.ts')).bytes,
  },
  packed: {
    about: 'bytes on disk per packed check, what packing costs, and reading packed checks beside rows',
    load: async () => (await import('./packed.ts')).packed,
  },
  replay: {
    about: 'a changed policy with 30 days of checks: time, memory, and what other requests feel meanwhile',
    load: async () => (await import('./replay.ts')).replay,
  },
  agents: {
    about:
      '2,000 host agents: CPU per heartbeat, a day of all of them coming back, and what checks feel of it',
    load: async () => (await import('./agents.ts')).agents,
  },
  agent: {
    about: 'processor time and memory of a host agent on its machine',
    load: async () => (await import('./agent.ts')).agent,
  },
  'sign-ins': {
    about: 'sign-ins a second, and what others feel meanwhile',
    load: async () => (await import('./sign-ins.ts')).signIns,
  },
};

process.exitCode = await main(process.argv.slice(2));
// exit() rather than an exit code: a broken benchmark must not keep the terminal.
process.exit();

async function main(words: string[]): Promise<number> {
  const { values, positionals, tokens } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', short: 'h' },
      quick: { type: 'boolean' },
      large: { type: 'boolean' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const stranger = tokens.find(
    (token) => token.kind === 'option' && !['help', 'quick', 'large'].includes(token.name),
  );
  if (stranger?.kind === 'option') return refuse(`${stranger.rawName} is not an option.`);
  const [name, ...more] = positionals;
  if (values.help || name === undefined) {
    process.stdout.write(help());
    return values.help ? 0 : 2;
  }
  if (more.length > 0) return refuse(`One name at a time, or "all"; "${more[0]}" is one too many.`);
  if (name !== 'all' && !Object.hasOwn(BENCHES, name)) {
    const meant = nearest(name, [...Object.keys(BENCHES), 'all']);
    return refuse(`"${name}" is not a benchmark.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
  if (process.platform !== 'linux')
    return refuse('The benchmarks read CPU time and memory from /proc: they run on Linux only.');
  for (const each of name === 'all' ? Object.keys(BENCHES) : [name]) {
    const code = await measure(each, { quick: values.quick === true, large: values.large === true });
    if (code !== 0) return code;
  }
  return 0;
}

/** Runs one benchmark; ends everything it started, also if it fails or is interrupted. */
async function measure(name: string, size: { quick: boolean; large: boolean }): Promise<number> {
  const hooks = new StopHooks(createLog('warn'));
  const stop = listenForSignals(() => undefined, false);
  const say = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  const about = [
    machine(),
    versions(),
    `load average before: ${loadBefore()}${size.quick ? '; a quick run, figures mean little' : ''}`,
  ];
  try {
    const run = await BENCHES[name]!.load();
    const running = run({ ...size, say, hooks, signal: stop.signal });
    const result = await Promise.race([running, stop.requested]);
    if (typeof result === 'string') {
      running.catch(() => undefined); // the processes it was using are gone
      say('interrupted; ending what was started');
      return 130;
    }
    process.stdout.write(`${render(name, about, result)}\n`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await hooks.stopAll();
    stop.dispose();
  }
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n${help()}`);
  return 2;
}

function help(): string {
  const lines = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`);
  return [
    'Usage: npm run bench -- NAME [--quick | --large]',
    '',
    'Measures on this machine, on loopback only, with a whole installation in a temporary folder.',
    'Each run takes up to two minutes, with --quick some seconds; the table comes at the end.',
    '',
    ...lines,
    `  ${'all'.padEnd(10)}one after the other`,
    '',
  ].join('\n');
}
