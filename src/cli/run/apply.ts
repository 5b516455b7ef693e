// `tocsin apply -f FILE`.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { SECRET_MASK } from '#src/monitors/types/rules.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { Server } from '../apply/remote.ts';
import { report } from '../apply/report.ts';
import { type ReadFile, readConfigurationFile, writeConfigurationFile } from '../configuration-file.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';

export type ApplyCommand = {
  file?: string;
  print?: boolean;
  url?: string;
  organization?: string;
  dryRun?: boolean;
  prune?: boolean;
};

/**
 * Applies the file to the installation on this machine, or at `url`, and prints what changes; or prints the organization as a
 * file. Returns 1 if anything was refused: then nothing was written.
 */
export async function run(words: ApplyCommand): Promise<number> {
  const { file, print = false, url, organization, dryRun = false, prune = false } = words;
  if ((file === undefined) !== print)
    throw new InvalidCommandLine('give a file with -f, or --print to get one of the organization');
  const server = url === undefined ? null : serverOf(url);
  if (file === undefined) {
    // Each brings half of the program along: only the one that is needed is loaded.
    const described = server
      ? await (await import('../apply/remote.ts')).describeRemotely(organization, server)
      : await (await import('../apply/local.ts')).describeLocally(organization);
    process.stdout.write(`${PRINTED}${writeConfigurationFile(described)}`);
    return 0;
  }
  const name = file === '-' ? 'standard input' : file;
  const { file: declared, lineOf } = readNamed(name, await contentOf(file));
  const asked = { organization, dryRun, prune };
  const applied = server
    ? await (await import('../apply/remote.ts')).applyRemotely(declared, asked, server)
    : await (await import('../apply/local.ts')).applyLocally(declared, asked);
  return report(applied, { name, lineOf, dryRun });
}

const PRINTED = `# Applied to this organization again, this file changes nothing (tocsin apply -f FILE).
# ${SECRET_MASK} is a stored secret, and keeps it. Addresses of chats and keys of paging targets are stored, and not printed.
`;

function serverOf(url: string): Server {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new InvalidCommandLine(`--url ${url} is no address like https://tocsin.example.com`);
  const key = process.env.TOCSIN_API_KEY;
  if (!key)
    throw new InvalidCommandLine(
      '--url needs an API key in TOCSIN_API_KEY, with the scope organization:write and those of the sections',
    );
  return { url, key };
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${error.code}).`);
  });
}

function readNamed(name: string, content: string): ReadFile {
  try {
    return readConfigurationFile(content, process.env);
  } catch (error) {
    if (error instanceof Refusal) throw new Error(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}
