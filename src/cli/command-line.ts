// The command line: finds the command that is meant, reads its words and options, prints help.
import { parseArgs } from 'node:util';
import { nearest } from '../domain/nearest.ts';
import { readVersion } from '../platform/version.ts';
import { COMMANDS, type Command, type Given } from './commands.ts';
import { WrongWords } from './wrong-words.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong command line or configuration. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === 'help' && words.length > 1) return runCommandLine([...words.slice(1), '--help']);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    process.stdout.write(overview());
    return 0;
  }
  if (first === '--version' || first === '-v') {
    process.stdout.write(`tocsin ${await readVersion()}\n`);
    return 0;
  }
  const family = subWords(first).map((word) => `${first} ${word}`);
  if (!Object.hasOwn(COMMANDS, first) && family.length > 0 && /^(--help|-h)$/.test(words[1] ?? '')) {
    process.stdout.write(`${commandLines(family).join('\n')}\n`);
    return 0;
  }
  const found = find(words);
  if ('sentence' in found) return refuse(found.sentence, found.meant, '');
  const { name, command, rest } = found;
  try {
    if ('runWords' in command) return await command.runWords(rest);
    const given = read(name, command, rest);
    if (given !== 'help') return await command.run(given);
    process.stdout.write(helpOf(name, command));
    return 0;
  } catch (error) {
    if (error instanceof WrongWords) return refuse(error.message, null, `${name} `);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Error && error.name === 'ConfigError' ? 2 : 1;
  }
}

type Found = { name: string; command: Command; rest: readonly string[] };

/** A command is one word or two; the longer name wins. */
function find(words: readonly string[]): Found | { sentence: string; meant: string | null } {
  const [first = '', second = ''] = words;
  for (const [name, count] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command) return { name, command, rest: words.slice(count) };
  }
  const under = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));
  if (under.length > 0) {
    const meant = nearest(second, subWords(first));
    const sentence = `tocsin ${first} needs a word behind it: ${under.join(', ')}.`;
    return { sentence, meant: meant && `tocsin ${first} ${meant}` };
  }
  const names = Object.keys(COMMANDS).flatMap((name) => name.split(' ', 1));
  return { sentence: `"${first}" is not a command of Tocsin.`, meant: nearest(first, names) };
}

function read(name: string, { words, options }: Command, rest: readonly string[]): Given | 'help' {
  const known = Object.fromEntries(
    Object.entries(options).map(([option, { value }]) => [
      option,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...rest],
    options: { ...known, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') return 'help';
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      const meant = nearest(token.name, [...Object.keys(options), 'help']);
      throw new WrongWords(
        `${token.rawName} is not an option of tocsin ${name}.${meant ? ` Did you mean --${meant}?` : ''}`,
      );
    }
    if (option.value && !token.value)
      throw new WrongWords(`${token.rawName} needs a value: ${option.value}.`);
    if (!option.value && token.inlineValue) throw new WrongWords(`${token.rawName} takes no value.`);
    const before = values.get(token.name) ?? [];
    if (before.length > 0 && !option.repeated) throw new WrongWords(`${token.rawName} is given twice.`);
    values.set(token.name, [...before, token.value ?? '']);
  }
  const tooMuch = positionals[words.length];
  if (tooMuch !== undefined) {
    const [meant] = Object.keys(COMMANDS).filter(
      (other) => other === `${name} ${nearest(tooMuch, subWords(name))}`,
    );
    throw new WrongWords(
      `"${tooMuch}" does not belong after tocsin ${[name, ...positionals.slice(0, words.length)].join(' ')}.` +
        (meant ? ` Did you mean tocsin ${meant}?` : ''),
    );
  }
  const missing = words[positionals.length];
  if (missing !== undefined) throw new WrongWords(`tocsin ${name} needs ${missing}.`);
  return {
    words: positionals,
    value: (option) => values.get(option)?.[0] ?? null,
    values: (option) => values.get(option) ?? [],
    has: (option) => values.has(option),
  };
}

const subWords = (name: string) =>
  Object.keys(COMMANDS).flatMap((other) =>
    other.startsWith(`${name} `) ? [other.slice(name.length + 1)] : [],
  );

function refuse(sentence: string, meant: string | null, of: string): number {
  const hint = meant ? ` Did you mean ${meant}?` : '';
  process.stderr.write(`${sentence}${hint}\nRun tocsin ${of}--help for what there is.\n`);
  return 2;
}

const optionOf = (name: string, value: string | undefined) => `--${name}${value ? ` ${value}` : ''}`;

/** The command with its words and the options that stand for something; the others are in its own help. */
function lineOf(name: string, { words, options }: Command): string {
  const valued = Object.entries(options).filter(([, { value }]) => value);
  const shown = valued.map(([option, { value, optional, repeated }]) => {
    const text = `${optionOf(option, value)}${repeated ? ' …' : ''}`;
    return optional ? `[${text}]` : text;
  });
  return [name, ...words, ...shown].join(' ');
}

function helpOf(name: string, command: Command): string {
  const options = Object.entries(command.options);
  const width = Math.max(0, ...options.map(([option, { value }]) => optionOf(option, value).length)) + 2;
  const lines = options.map(
    ([option, { value, about }]) => `  ${optionOf(option, value).padEnd(width)}${about}`,
  );
  return [
    `Usage: tocsin ${[name, ...command.words].join(' ')}${options.length > 0 ? ' [OPTIONS]' : ''}`,
    '',
    command.summary,
    ...(command.more ? ['', command.more] : []),
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}

/** A line for each of these commands: how it is written, and what it does. */
function commandLines(names: readonly string[]): string[] {
  const commands = names.flatMap((name) => {
    const command = COMMANDS[name];
    return command ? [{ line: lineOf(name, command), summary: command.summary }] : [];
  });
  const width = Math.max(...commands.map(({ line }) => line.length)) + 2;
  return commands.map(({ line, summary }) => `  ${line.padEnd(width)}${summary}`);
}

function overview(): string {
  return [
    'Tocsin watches what you run and calls when it is down.',
    '',
    'Usage: tocsin COMMAND [OPTIONS]      (in a checkout: npm run tocsin -- COMMAND [OPTIONS])',
    '',
    ...commandLines(Object.keys(COMMANDS)),
    '',
    'tocsin COMMAND --help says more; tocsin --version which version this is.',
    'Settings come from the environment (PORT, DATA_DIR, DATABASE_URL, …): see docs/self-hosting.md.',
    '',
  ].join('\n');
}
