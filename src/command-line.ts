// Commands, their options and their help. What a command does is loaded only when it is the one asked for.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { nearest } from './nearest.ts';

type Command = {
  line: string;
  summary: string;
  options: ParseArgsOptionsConfig;
  /** Answers the exit code. */
  run(values: Record<string, string | boolean | undefined>): Promise<number>;
};

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

const COMMANDS: Record<string, Command> = {
  serve: {
    line: 'serve',
    summary: 'start the server with its database, its dashboard and the probe of the region "local"',
    options: {},
    run: async () => (await import('./serve.ts')).serve(),
  },
  probe: {
    line: 'probe --url URL --token TOKEN [--data-dir DIR]',
    summary: 'check monitors from here for a server elsewhere; the token says for which region',
    options: { url: { type: 'string' }, token: { type: 'string' }, 'data-dir': { type: 'string' } },
    run: async (values) => {
      const { probe } = await import('./run-probe.ts');
      return probe({ url: text(values.url), token: text(values.token), dataDir: text(values['data-dir']) });
    },
  },
  migrate: {
    line: 'migrate',
    summary: 'bring the database to the schema of this version and end (serve does it by itself)',
    options: {},
    run: async () => (await import('./run-migrate.ts')).runMigrate(),
  },
};

/** Exit codes: 0 done, 1 failed, 2 wrong command line or configuration. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(overview());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return refuse(`"${name}" is not a command of Tocsin.`, nearest(name, Object.keys(COMMANDS)));
  const parsed = parse(command, rest);
  if ('problem' in parsed) return refuse(parsed.problem, parsed.meant);
  if (parsed.values.help) {
    process.stdout.write(`Usage: tocsin ${command.line}\n\n${command.summary}\n`);
    return 0;
  }
  try {
    return await command.run(parsed.values);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Error && error.name === 'ConfigError' ? 2 : 1;
  }
}

type Parsed =
  | { values: Record<string, string | boolean | undefined> }
  | { problem: string; meant: string | null };

function parse(command: Command, words: string[]): Parsed {
  const options: ParseArgsOptionsConfig = { ...command.options, ...HELP };
  const { tokens } = parseArgs({ args: words, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      return { problem: `"${token.value}" does not belong here: tocsin ${command.line}`, meant: null };
    }
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!known) {
      const meant = nearest(token.name, Object.keys(options));
      return {
        problem: `${token.rawName} is not an option of tocsin ${command.line}.`,
        meant: meant && `--${meant}`,
      };
    }
    if (known.type === 'string' && !token.value) {
      return { problem: `${token.rawName} needs a value: tocsin ${command.line}`, meant: null };
    }
  }
  const { values } = parseArgs({ args: words, options, strict: false, allowPositionals: true });
  return { values: values as Record<string, string | boolean | undefined> };
}

function refuse(sentence: string, meant: string | null): number {
  const hint = meant ? ` Did you mean ${meant}?` : '';
  process.stderr.write(`${sentence}${hint}\nRun tocsin --help for what there is.\n`);
  return 2;
}

function overview(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ line }) => line.length)) + 2;
  const lines = Object.values(COMMANDS).map(({ line, summary }) => `  ${line.padEnd(width)}${summary}`);
  return [
    'Tocsin watches what you run and calls when it is down.',
    '',
    'Usage: tocsin COMMAND [OPTIONS]      (in a checkout: npm run tocsin -- COMMAND [OPTIONS])',
    '',
    ...lines,
    '',
    'Settings come from the environment (PORT, DATA_DIR, DATABASE_URL, …): see docs/self-hosting.md.',
    '',
  ].join('\n');
}

function text(value: string | boolean | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
