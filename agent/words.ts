// The command line of the agent as a single file. Pure.
import { parseArgs } from 'node:util';
import { nearest } from '../src/domain/nearest.ts';
import type { AgentOptions } from './command.ts';

export type Words =
  /** `service`: a service manager restarts it. */
  | { kind: 'run'; options: AgentOptions; service: boolean }
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  | { kind: 'wrong'; sentence: string };

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  'data-dir': { type: 'string' },
  labels: { type: 'string' },
  name: { type: 'string' },
  once: { type: 'boolean' },
  service: { type: 'boolean' },
  'no-upgrade': { type: 'boolean' },
  show: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** Parses the arguments. */
export function readWords(words: readonly string[]): Words {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(OPTIONS, token.name)
      ? OPTIONS[token.name as keyof typeof OPTIONS]
      : undefined;
    if (!known)
      return wrong(
        unknown(
          token.rawName,
          Object.keys(OPTIONS).map((name) => `--${name}`),
        ),
      );
    // `--url --once`: one of our options is not the value of another.
    const swallowed = token.inlineValue === false && token.value.startsWith('--');
    if (known.type === 'string' && (token.value === undefined || token.value === '' || swallowed))
      return wrong(`${token.rawName} needs a value`);
    if (known.type === 'boolean' && token.value !== undefined)
      return wrong(`${token.rawName} takes no value`);
  }
  if (values.help) return { kind: 'help', text: HELP };
  if (values.version) return { kind: 'version' };
  const [stranger] = positionals;
  if (stranger !== undefined) return wrong(`${JSON.stringify(stranger)} is one word too many`);
  const { url, token, labels, name, once, show, service, ...dashed } = values as Record<string, never>;
  const { 'data-dir': dataDir, 'no-upgrade': noUpgrade } = dashed;
  return {
    kind: 'run',
    service: service === true,
    options: { url, token, dataDir, labels, name, once, show, noUpgrade },
  };
}

const wrong = (sentence: string): Words => ({ kind: 'wrong', sentence });

function unknown(word: string, known: readonly string[]): string {
  const meant = nearest(word, [...known]);
  return `${word} is not an option.${meant ? ` Did you mean ${meant}?` : ''}`;
}

const HELP = `Usage: tocsin-agent --url URL --token TOKEN [options]     enrols this machine, and watches it
       tocsin-agent [options]                             watches it, once it is enrolled
       tocsin-agent install | uninstall --help            has a service manager run it

Sends how this machine is doing to a Tocsin server, once a minute, until it is stopped. Needs no root.

  --url URL        Address of the server, for example https://tocsin.example.com (or TOCSIN_URL)
  --token TOKEN    An enrolment token, which Tocsin shows under Hosts; needed once. Better in TOCSIN_TOKEN: other
                   users see the options of a process
  --data-dir DIR   Where the agent keeps its credential and what it could not send (default: ~/.tocsin-agent)
  --labels LABELS  For the enrolment: labels separated by commas, key=value or bare
  --name NAME      For the enrolment: the name of this host, instead of its hostname
  --once           Send one heartbeat, and exit: with 0 if the server accepted it, else with 1
  --no-upgrade     Stay this version, whatever the server asks for
  --service        Exit with 75 after an upgrade: a service manager starts the agent again
  --show           Print exactly what would be sent, and send nothing
  -h, --help       Print this
  -V, --version    Print the version
`;
