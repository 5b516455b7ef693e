import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Log, stderrLog } from '../probe/log.ts';
import { pause } from '../probe/retry.ts';
import { VERSION } from '../probe/version.ts';
import { isHttp, isSameServer, notHttp } from './address.ts';
import { agentClock } from './clock.ts';
import { openCollector } from './collect/collector.ts';
import { enrol } from './enrol.ts';
import { type Link, openLink } from './link.ts';
import { DEFAULTS, FIRST_SPAN_MS, runLoop } from './loop.ts';
import { machineName } from './machine-name.ts';
import { postOf } from './post.ts';
import { type Identity, openStore, type Store } from './store.ts';
import { timeOfMachine } from './time.ts';
import type { Programs } from './upgrade/programs.ts';
import { openUpgrading, RESTART_CODE } from './upgrade/upgrading.ts';

/** The options of `tocsin agent`. */
export type AgentOptions = {
  url?: string | undefined;
  token?: string | undefined;
  dataDir?: string | undefined;
  labels?: string | undefined;
  /** Replaces the hostname. */
  name?: string | undefined;
  once?: boolean | undefined;
  show?: boolean | undefined;
  /** Ignores upgrades that the server asks for. */
  noUpgrade?: boolean | undefined;
};

export const defaultDataDir = (): string => join(homedir(), '.tocsin-agent');

/**
 * The command `tocsin agent`: enrols this machine unless it is enrolled, and sends heartbeats until SIGTERM or SIGINT. Resolves
 * to the exit code: 0 after a stop, 1 if it is refused or cannot start, 2 for invalid options, 75 to be restarted as the newer
 * version in `programs` (null: this program cannot be replaced).
 */
export async function runAgent(
  options: AgentOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
  programs: Programs | null = null,
): Promise<number> {
  // An empty variable is none.
  const url = options.url ?? (env.TOCSIN_URL || undefined);
  const token = options.token ?? (env.TOCSIN_TOKEN || undefined);
  if (url !== undefined && !isHttp(url)) return refuse(2, notHttp(url));
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (name: NodeJS.Signals) => {
    stderrLog('info', 'Agent stopping', { signal: name });
    stopping.abort();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // A closed log is no reason to stop.
  process.stderr.on('error', () => undefined);
  try {
    const store = openStore(options.dataDir ?? defaultDataDir());
    if (options.show) return await show(store, options);
    const known = store.readIdentity();
    if (known && url !== undefined && !isSameServer(known.url, url))
      return refuse(2, elsewhere(store, known, url));
    const target = known?.url ?? url;
    if (target === undefined || (known === null && token === undefined))
      return refuse(
        2,
        'this machine is not enrolled yet: give --url, and --token with an enrolment token, which Tocsin shows under Hosts. ' +
          'If it is enrolled, give the --data-dir of then',
      );
    const log: Log = stderrLog;
    if (isInTheClear(target))
      log('warn', 'The credential is sent unencrypted: the address of the server is http', { url: target });
    const { steadyNowMs } = timeOfMachine();
    const link = openLink({ url: target, log, steadyNowMs, signal });
    try {
      const identity =
        known ??
        (await enrol({
          ...{ url: target, token: token ?? '', labels: options.labels, machine: machineName(options.name) },
          ...{ agentVersion: VERSION, store, link, log, once: options.once === true, signal },
        }));
      if (identity === null) return 0;
      if (options.once) return await sendOne(identity, store, link);
      const refused = options.noUpgrade ? 'it was started with --no-upgrade' : undefined;
      return await serve({ identity, store, link, stopping, programs, refused });
    } finally {
      link.close();
    }
  } catch (error) {
    return refuse(1, error instanceof Error ? error.message : String(error));
  }
}

type Serving = {
  identity: Identity;
  store: Store;
  link: Link;
  stopping: AbortController;
  programs: Programs | null;
  /** Why it keeps its version. */
  refused: string | undefined;
};

async function serve({ identity, store, link, stopping, programs, refused }: Serving): Promise<number> {
  const time = timeOfMachine();
  const { steadyNowMs } = time;
  const agentVersion = VERSION;
  stderrLog('info', 'Agent started', { agent_id: identity.agentId, url: new URL(identity.url).origin });
  const collector = openCollector({ agentVersion, log: stderrLog, time });
  const upgrading = openUpgrading({
    ...{
      url: identity.url,
      version: VERSION,
      log: stderrLog,
      stop: stopping,
      programs,
      refused,
      steadyNowMs,
    },
  });
  await runLoop({
    ...{ identity, store, link: upgrading.watched(link), collector, time, log: stderrLog },
    ...{ signal: stopping.signal, onUpgrade: upgrading.asked },
  });
  return (await upgrading.ended()) ? RESTART_CODE : 0;
}

/** Sends one heartbeat; the service keeps the ones that could not be delivered before. */
async function sendOne(identity: Identity, store: Store, link: Link): Promise<number> {
  const outcome = await link.heartbeat(identity.credential, await oneBody(store));
  if (outcome.kind === 'ok') return 0;
  if (outcome.kind === 'unknown')
    return refuse(
      1,
      `the server no longer knows this agent: it was removed there (${outcome.message}). ` +
        `To enrol this machine again, remove ${store.credentialPath} and give --url and --token`,
    );
  return refuse(1, `the heartbeat was not accepted: ${outcome.message}`);
}

/** Prints the heartbeat, and sends nothing. */
async function show(store: Store, { labels, name }: AgentOptions): Promise<number> {
  const heartbeat: unknown = JSON.parse(await oneBody(store));
  const enrollment = {
    ...{ token: '(the enrolment token)', ...machineName(name), agent_version: VERSION },
    ...{ enrollment_id: '(a random word)', ...(labels === undefined ? {} : { labels }) },
  };
  const sent =
    store.readIdentity() === null
      ? { 'POST /agent/enroll': enrollment, 'POST /agent/heartbeat': heartbeat }
      : { 'POST /agent/heartbeat': heartbeat };
  process.stdout.write(`${JSON.stringify(sent, null, 2)}\n`);
  return 0;
}

async function oneBody(store: Store): Promise<string> {
  const time = timeOfMachine();
  const { watched, inventoryEnabled, bearings } = store.readSettings() ?? DEFAULTS;
  const collector = openCollector({ agentVersion: VERSION, log: stderrLog, time });
  const clock = agentClock(time, bearings);
  await collector.collect(watched);
  await pause(FIRST_SPAN_MS, new AbortController().signal);
  const beat = await collector.collect(watched);
  const moment = clock.now();
  const entry = { moment, atMs: clock.stamp(moment), beat };
  const inventory = inventoryEnabled ? await collector.inventory() : null;
  return postOf([{ no: 1, entry }], { clock, most: 1, size: 1, inventory }).body;
}

function elsewhere(store: Store, known: Identity, url: string): string {
  return (
    `this machine is enrolled at ${known.url}, and --url says ${url}. Leave --url out to go on there. To enrol at ${url} as well, ` +
    `give another --data-dir and a --token; to move there, remove ${store.credentialPath} first`
  );
}

function refuse(code: number, sentence: string): number {
  process.stderr.write(
    `tocsin agent: ${sentence}\n${code === 2 ? 'Add --help to see how it is used.\n' : ''}`,
  );
  return code;
}

/** Whether it is http to another machine. */
function isInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
