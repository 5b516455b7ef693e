// `install`, `uninstall` and `enrol` of the agent as a single file.
import { parseArgs } from 'node:util';
import { isHttp, notHttp } from '../address.ts';
import { enrolMachine } from './enrol-machine.ts';
import { gatherFacts } from './facts.ts';
import { carryOut, thisMachine } from './machine.ts';
import { type Plan, planInstall, planUninstall } from './plan.ts';
import { asScript, TOKEN_VARIABLE } from './steps.ts';

const COMMANDS = { install, uninstall, enrol } as const;

/** Whether a word names one of these commands. */
export const isServiceCommand = (word: string | undefined): word is keyof typeof COMMANDS =>
  word !== undefined && Object.hasOwn(COMMANDS, word);

/** `own`: the file of this program. Resolves to the exit code: 0, 1 after a failure, 2 for an invalid command line. */
export async function runServiceCommand(
  command: keyof typeof COMMANDS,
  words: readonly string[],
  own: string,
): Promise<number> {
  try {
    return await COMMANDS[command](words, own);
  } catch (error) {
    const isWrongWord =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    process.stderr.write(
      `tocsin agent ${command}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return isWrongWord ? 2 : 1;
  }
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

async function install(words: readonly string[], own: string): Promise<number> {
  const options = {
    url: text,
    token: text,
    labels: text,
    name: text,
    print: flag,
    help: { ...flag, short: 'h' },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  if (values.help) return said(INSTALL_HELP);
  return installService(values, own);
}

export type InstallOptions = {
  url?: string | undefined;
  token?: string | undefined;
  labels?: string | undefined;
  name?: string | undefined;
  /** Only prints the steps. */
  print?: boolean | undefined;
};

/** Enrols this machine, and installs `own`, the agent as a single file, as a service; returns the exit code. */
export function installService(options: InstallOptions, own: string): number {
  const { url, labels, name, print = false, token = givenToken() } = options;
  // Before the first step: half an installation is harder to read than a sentence.
  if (url !== undefined && !isHttp(url)) {
    process.stderr.write(`tocsin agent install: ${notHttp(url)}\n`);
    return 2;
  }
  return follow(planInstall(gatherFacts(own), { url, labels, name }), { print, token });
}

async function uninstall(words: readonly string[], own: string): Promise<number> {
  const options = { print: flag, yes: flag, help: { ...flag, short: 'h' } } as const;
  const { values } = parseArgs({ args: [...words], options });
  if (values.help) return said(UNINSTALL_HELP);
  return uninstallService(values, own);
}

/** Removes everything that `installService` has created, if `yes` is set; returns the exit code. */
export function uninstallService(
  { print = false, yes = false }: { print?: boolean | undefined; yes?: boolean | undefined },
  own: string,
): number {
  const plan = planUninstall(gatherFacts(own));
  if (!yes && !print && 'steps' in plan)
    return said(`This would be done; nothing was, since --yes is missing:\n\n${asScript(plan.steps)}`, 1);
  return follow(plan, { print, token: undefined });
}

async function enrol(words: readonly string[]): Promise<number> {
  const options = { url: text, 'data-dir': text, labels: text, name: text } as const;
  const { values } = parseArgs({ args: [...words], options });
  const { url, labels, name, 'data-dir': dataDir } = values;
  return said(await enrolMachine({ url, labels, name, dataDir, token: givenToken() }));
}

/** An empty variable is none. */
const givenToken = () => process.env[TOKEN_VARIABLE] || undefined;

function follow(plan: Plan, { print, token }: { print: boolean; token: string | undefined }): number {
  if ('instead' in plan) {
    process.stderr.write(`${plan.instead}\n`);
    return 1;
  }
  if (print) return said(asScript(plan.steps));
  carryOut(plan.steps, thisMachine, token);
  return 0;
}

function said(words: string, code = 0): number {
  process.stdout.write(words.endsWith('\n') ? words : `${words}\n`);
  return code;
}

const INSTALL_HELP = `Usage: node tocsin-agent.mjs install --url URL --token TOKEN [options]

Enrols this machine, and installs the agent as a service: as root one of the system, with a user of its own; as anybody else
one of that user. Once more, it takes over this file, and keeps the enrolment.

  --url URL        Address of the server; needed once
  --token TOKEN    An enrolment token; needed once. Better in ${TOKEN_VARIABLE}: other users see the options of a process
  --labels LABELS  Labels separated by commas, key=value or bare
  --name NAME      The name of the host, instead of its hostname
  --print          Print every file and command as a script, and change nothing
`;
const UNINSTALL_HELP = `Usage: node tocsin-agent.mjs uninstall --yes

Stops the service, and removes it with the agent's files, its data and its user. Asks nothing; without --yes it prints what it would do.

  --print          Print every command, and change nothing
`;
