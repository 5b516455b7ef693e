import { readFile } from 'node:fs/promises';
import { canariesIn, DEFAULT_CANARIES } from '../src/domain/canary.ts';
import { createResolver } from '../src/platform/outbound/resolve.ts';
import { surviveLibraryErrors } from './library-faults.ts';
import { stderrLog } from './log.ts';
import { type Probe, startProbe } from './start.ts';

export { type ProbeOptions, startProbe } from './start.ts';
export type { Probe };

/** The options of `tocsin probe`; the rest of its settings comes from the environment. */
export type ProbeCommandOptions = { url: string; token?: string; dataDir?: string };

/**
 * The command `tocsin probe`: runs until SIGTERM or SIGINT, then delivers or spools the remaining results. Resolves to the
 * exit code: 0 after a stop, 1 if it cannot start, 2 for invalid options or variables.
 */
export async function runProbe(
  options: ProbeCommandOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const read = await readSettings(options, env);
  if (typeof read === 'string') {
    process.stderr.write(`tocsin probe: ${read}\nAdd --help to see how it is used.\n`);
    return 2;
  }
  let probe: Probe;
  // Before anybody can know that it runs: no signal may ever end it without an orderly stop.
  const stopped = stopSignal();
  surviveLibraryErrors(stderrLog);
  try {
    probe = await startProbe({ ...read, log: stderrLog });
  } catch (error) {
    process.stderr.write(`tocsin probe: cannot start: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  stderrLog('info', 'Probe started', { probe_id: probe.probeId, url: new URL(read.url).origin });
  const signal = await stopped;
  stderrLog('info', 'Probe stopping', { signal });
  await probe.stop();
  return 0;
}

type Settings = {
  url: string;
  token: string;
  dataDir: string;
  dnsServers: string[] | undefined;
  rdapBaseUrl: string | undefined;
  canaries: readonly string[];
  offLimits: readonly string[];
};

/** A sentence if an option or a variable is invalid. */
async function readSettings(
  options: ProbeCommandOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Settings | string> {
  const { url } = options;
  if (!isHttp(url)) return `--url ${JSON.stringify(url)} is not an http or https address`;
  const given = options.token ?? (env.TOCSIN_PROBE_TOKEN || undefined);
  const token = given ?? (await tokenFromFile(env.TOCSIN_PROBE_TOKEN_FILE));
  if (token instanceof Error) return `TOCSIN_PROBE_TOKEN_FILE cannot be read: ${token.message}`;
  // A header can carry nothing else, and Node's own error would not name the value.
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
    return '--token is missing or is not a probe token: the operator of the server creates one with tocsin region token';
  const dnsServers = env.DNS_SERVERS?.split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '');
  if (dnsServers?.length && !areNameServers(dnsServers))
    return `DNS_SERVERS ${JSON.stringify(env.DNS_SERVERS)} is not a list of IP addresses or address:port, separated by commas`;
  const rdapBaseUrl = env.RDAP_BASE_URL || undefined;
  if (rdapBaseUrl !== undefined && !isHttp(rdapBaseUrl))
    return `RDAP_BASE_URL ${JSON.stringify(rdapBaseUrl)} is not an http or https address`;
  const canaries = env.CANARIES ? canariesIn(env.CANARIES) : DEFAULT_CANARIES;
  if (canaries === undefined)
    return `CANARIES ${JSON.stringify(env.CANARIES)} is neither none nor a list of host:port, separated by commas`;
  const offLimits = (env.CADDY_ADMIN_URL ?? '').split(',').filter((each) => each.trim() !== '');
  if (!offLimits.every(isHttp))
    return `CADDY_ADMIN_URL ${JSON.stringify(env.CADDY_ADMIN_URL)} is not a list of http or https addresses, separated by commas`;
  return {
    url,
    token,
    dataDir: options.dataDir ?? './data/probe',
    dnsServers: dnsServers?.length ? dnsServers : undefined,
    rdapBaseUrl,
    canaries,
    offLimits,
  };
}

const isHttp = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

function areNameServers(servers: readonly string[]): boolean {
  try {
    createResolver({ servers });
    return true;
  } catch {
    return false;
  }
}

async function tokenFromFile(path: string | undefined): Promise<string | Error | undefined> {
  if (path === undefined || path === '') return undefined;
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    return error instanceof Error ? error : new Error('unknown reason');
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}
