// `tocsin apply -f FILE`.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
// Writes of monitors and policies have consequences in other slices.
import '#src/reactions.ts';
import type { Config } from '#src/config/config.ts';
import { applyConfiguration, refusedThings } from '#src/configuration-apply/apply.ts';
import type { ApplyOptions } from '#src/configuration-apply/applying.ts';
import type { AppliedThing } from '#src/configuration-apply/contract.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { Vault } from '#src/platform/secrets.ts';
import { type Database, runWork } from '#src/platform/work.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { operatorAddresses } from '#src/server/webhook-addresses.ts';
import { printable } from '../columns.ts';
import { type ReadFile, readConfigurationFile } from '../configuration-file.ts';
import { findOrganization, type NamedOrganization } from '../find-organization.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { counted } from '../progress.ts';

export type ApplyCommand = { file: string; organization?: string; dryRun?: boolean; prune?: boolean };

/**
 * Prints a line for each thing that changes, and then how many there are. Returns 1 if anything was refused: then nothing was
 * written.
 */
export async function run({
  file,
  organization,
  dryRun = false,
  prune = false,
}: ApplyCommand): Promise<number> {
  const name = file === '-' ? 'standard input' : file;
  const { file: declared, lineOf } = readNamed(name, await contentOf(file));
  return withInstallation(async ({ config, database: { db }, vault, now }) => {
    await checkSecretKey(db, vault);
    const place = await organizationOf(db, declared.organization, organization);
    const things = await applyConfiguration((act) => runWork(db, now, OPERATOR, act), {
      ...{ orgId: place.id, file: declared, options: optionsOf(config, vault), dryRun, prune },
    });
    return report(things, { name, lineOf, place, dryRun });
  });
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

/** The one that the file or the option names; without either the only one of the installation. */
async function organizationOf(
  db: Database,
  inFile: string | undefined,
  option: string | undefined,
): Promise<NamedOrganization> {
  const [named, other] = await Promise.all(
    [inFile, option].filter((each) => each !== undefined).map((each) => findOrganization(db, each)),
  );
  if (named && other && named.id !== other.id)
    throw new InvalidCommandLine(`--organization is ${other.slug}, and the file is for ${named.slug}`);
  if (named) return named;
  const [only, another] = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .limit(2)
    .execute();
  if (!only) throw new Error('There is no organization yet. Start the server, and finish the set-up first.');
  if (another)
    throw new InvalidCommandLine(
      'the installation has several organizations; name one with --organization, or with the field organization of the file',
    );
  return only;
}

function optionsOf(config: Config, vault: Vault): ApplyOptions {
  const { baseUrl, allowSingleLabelHosts: allowSingleLabel, allowPrivateWebhooks: allowPrivate } = config;
  return {
    monitors: { vault, allowSingleLabel, baseUrl },
    targets: { ...operatorAddresses(config), baseUrl, allowPrivate, vault },
  };
}

type Reported = Pick<ReadFile, 'lineOf'> & { name: string; place: NamedOrganization; dryRun: boolean };

function report(things: readonly AppliedThing[], reported: Reported): number {
  const refused = refusedThings(things);
  if (refused.length > 0) {
    for (const thing of refused) process.stderr.write(`${printable(refusalLine(thing, reported))}\n`);
    const count = counted(refused.length, 'thing');
    process.stderr.write(`Nothing was changed: ${count} of the file cannot be applied.\n`);
    return 1;
  }
  for (const thing of things)
    if (thing.outcome in SIGNS) process.stdout.write(`${printable(changeLine(thing))}\n`);
  if (!reported.dryRun)
    for (const { name, secret } of things)
      if (secret !== undefined)
        process.stdout.write(`The signing secret of ${printable(name ?? '')}, shown only now: ${secret}\n`);
  process.stderr.write(`${summary(things, reported)}\n`);
  return 0;
}

function refusalLine({ kind, name, refusal }: AppliedThing, { name: file, lineOf }: Reported): string {
  const line = refusal?.field === undefined ? null : lineOf(refusal.field);
  return `${file}${line === null ? '' : `:${line}`}: ${labelOf(kind, name)}: ${refusal?.message}`;
}

const SIGNS: Partial<Record<AppliedThing['outcome'], string>> = { created: '+', updated: '~', deleted: '-' };

const changeLine = ({ outcome, kind, name, changed }: AppliedThing) =>
  `${SIGNS[outcome]} ${labelOf(kind, name)}${changed.length > 0 ? `: ${changed.join(', ')}` : ''}`;

const labelOf = (kind: string, name: string | null) =>
  `${kind.replaceAll('_', ' ')}${name === null ? '' : ` ${name}`}`;

function summary(things: readonly AppliedThing[], { place: { name, slug }, dryRun }: Reported): string {
  const count = (outcome: AppliedThing['outcome']) =>
    things.filter((thing) => thing.outcome === outcome).length;
  const parts = (['created', 'updated', 'deleted', 'unchanged'] as const)
    .filter((outcome) => outcome === 'unchanged' || count(outcome) > 0)
    .map((outcome) => `${count(outcome).toLocaleString('en')} ${outcome}`);
  const left = count('not_in_file');
  return [
    `${dryRun ? 'A dry run, nothing was written' : 'Applied'}: ${printable(name)} (${slug}), ${parts.join(', ')}.`,
    ...(left > 0
      ? [
          `${counted(left, 'thing')} not in the file ${left === 1 ? 'was' : 'were'} left alone; --prune deletes.`,
        ]
      : []),
  ].join('\n');
}
