// The command line of the probe as a single file. In an installation, `tocsin probe` is the command.
import { parseArgs } from 'node:util';
import { runProbe } from './main.ts';
import { VERSION } from './version.ts';

const HELP = `Checks monitors from this machine for one region and reports to a Tocsin server.

  node tocsin-probe.mjs --url URL [--token TOKEN] [--data-dir DIR]

  --url URL        address of the server, for example https://tocsin.example.com
  --token TOKEN    a probe token of the region; better in TOCSIN_PROBE_TOKEN, or in the file that
                   TOCSIN_PROBE_TOKEN_FILE names: a process list shows this option
  --data-dir DIR   where unsent results and the probe's name are kept (default: ./data/probe)
  --version        prints the version
  --help           prints this

It ends itself when it stands still, so have a service manager restart it (docs: self-hosting, "A probe as one file").
DNS_SERVERS, RDAP_BASE_URL and CANARIES work as for tocsin probe.
`;

/** Runs until a signal stops it; resolves to the exit code: 0 after a stop, 1 if it cannot start, 2 for wrong words. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const read = wordsIn(words);
  if (read instanceof Error) {
    process.stderr.write(`tocsin-probe: ${read.message}\n`);
    return 2;
  }
  const { url, token, help, version } = read;
  if (help || version || words.length === 0) {
    process.stdout.write(help || !version ? HELP : `${VERSION}\n`);
    return 0;
  }
  if (url === undefined) {
    process.stderr.write('tocsin-probe: --url is missing: the address of the server. See --help.\n');
    return 2;
  }
  const dataDir = read['data-dir'];
  return runProbe({
    url,
    ...(token === undefined ? {} : { token }),
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}

function wordsIn(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { url: text, token: text, 'data-dir': text, help: { ...flag, short: 'h' }, version: flag },
    }).values;
  } catch (error) {
    return error instanceof Error ? error : new Error('the command line cannot be read');
  }
}
