import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { outliveLibraryFaults } from './library-faults.ts';
import { stderrLog } from './log.ts';
import { type Probe, startProbe } from './start.ts';

export { type ProbeOptions, startProbe } from './start.ts';
export type { Probe };

const HELP = `Usage: tocsin probe --url ADDRESS --token TOKEN [--data-dir DIRECTORY]

Checks monitors from this machine for one region and reports to a Tocsin server. Any number of
probes may serve a region: they share its monitors, and what one of them had is taken over by
the others at once when it stops, and within 30 seconds when it dies.

  --url ADDRESS        the server, for example https://tocsin.example.com
  --token TOKEN        a probe token of the region, from the server's operator
                       (tocsin region token SLUG); several probes may use the same;
                       better in TOCSIN_PROBE_TOKEN, or in a file named by
                       TOCSIN_PROBE_TOKEN_FILE, where a process list cannot show it
  --data-dir DIRECTORY where unsent results are kept (default ./data/probe);
                       one directory per probe: it holds the probe's name, too
  --help               this text

DNS_SERVERS (host or host:port, separated by commas) replaces the machine's name servers.
RDAP_BASE_URL (http or https) replaces the registries' own RDAP servers in checks of domains.
`;

/**
 * The command `tocsin probe`: runs until SIGTERM or SIGINT, then delivers or spools what is left. Resolves to the exit
 * code: 0 after a stop, 1 where it cannot
 * start, 2 for arguments that cannot be used.
 */
export async function runProbe(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const read = await readArguments(argv, env);
  if (typeof read === 'string') {
    process.stderr.write(`tocsin probe: ${read}\nSee tocsin probe --help.\n`);
    return 2;
  }
  if (read === null) {
    process.stdout.write(HELP);
    return 0;
  }
  let probe: Probe;
  // Before anybody can know that it runs: a signal must never end it out of order.
  const stopped = stopSignal();
  outliveLibraryFaults(stderrLog);
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

type Arguments = {
  url: string;
  token: string;
  dataDir: string;
  dnsServers: string[] | undefined;
  rdapBaseUrl: string | undefined;
};

async function readArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Arguments | string | null> {
  let values: { url?: string; token?: string; 'data-dir'?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : 'the arguments cannot be read';
  }
  if (values.help) return null;
  const { url } = values;
  if (url === undefined) return '--url is missing: the address of the server';
  if (!isHttp(url)) return `--url ${JSON.stringify(url)} is not an http or https address`;
  const token = values.token ?? env.TOCSIN_PROBE_TOKEN ?? (await tokenFromFile(env.TOCSIN_PROBE_TOKEN_FILE));
  if (token instanceof Error) return `TOCSIN_PROBE_TOKEN_FILE cannot be read: ${token.message}`;
  // A header cannot carry anything else, and node's own refusal would not say which value it was.
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
    return '--token is missing or not a token: the operator of the server has one for each region';
  const dnsServers = env.DNS_SERVERS?.split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '');
  const rdapBaseUrl = env.RDAP_BASE_URL || undefined;
  if (rdapBaseUrl !== undefined && !isHttp(rdapBaseUrl))
    return `RDAP_BASE_URL ${JSON.stringify(rdapBaseUrl)} is not an http or https address`;
  return {
    url,
    token,
    dataDir: values['data-dir'] ?? './data/probe',
    dnsServers: dnsServers?.length ? dnsServers : undefined,
    rdapBaseUrl,
  };
}

const isHttp = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

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
