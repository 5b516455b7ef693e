// Commands, their options and their help. What a command does is loaded only when it is the one asked for.
import { parseArgs } from 'node:util';
import { nearest } from './nearest.ts';

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Command = {
  line: string;
  summary: string;
  /** Answers the exit code; gets the words behind the command. */
  run(words: readonly string[]): Promise<number>;
};

const COMMANDS: Record<string, Command> = {
  serve: {
    line: 'serve',
    summary: 'start the server, its database and the probe of the region "local"',
    run: (words) => withoutOptions('serve', words, async () => (await import('./serve.ts')).serve()),
  },
  probe: {
    line: 'probe --url URL --token TOKEN',
    summary: 'check monitors from this machine for a server elsewhere (more: probe --help)',
    run: async (words) => (await import('./run-probe.ts')).runProbeCommand(words),
  },
  migrate: {
    line: 'migrate',
    summary: 'bring the database to the schema of this version (serve does it by itself)',
    run: (words) =>
      withoutOptions('migrate', words, async () => (await import('./run-migrate.ts')).runMigrate()),
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
  try {
    return await command.run(rest);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Error && error.name === 'ConfigError' ? 2 : 1;
  }
}

async function withoutOptions(
  name: string,
  words: readonly string[],
  run: () => Promise<number>,
): Promise<number> {
  const { tokens } = parseArgs({ args: [...words], options: HELP, strict: false, tokens: true });
  const stranger = tokens.find((token) => token.kind !== 'option' || token.name !== 'help');
  if (stranger?.kind === 'option') {
    const meant = nearest(stranger.name, ['help']);
    return refuse(`${stranger.rawName} is not an option of tocsin ${name}.`, meant && '--help');
  }
  if (stranger?.kind === 'positional')
    return refuse(`"${stranger.value}" does not belong after tocsin ${name}.`, null);
  if (tokens.length === 0) return run();
  process.stdout.write(`Usage: tocsin ${COMMANDS[name]!.line}\n\n${COMMANDS[name]!.summary}\n`);
  return 0;
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
