// `tocsin import DIR`.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { type Imported, importOrganization } from '#src/organization-export/import.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { counted, progressLines } from '../progress.ts';

/** Returns the exit code. Invitations, which somebody must pass on, are printed to standard output, once. */
export async function run(from: string, options: { slug?: string }): Promise<number> {
  const path = await linesFile(resolve(from));
  return withInstallation(async ({ config, database, vault, now, stop }) => {
    await checkSecretKey(database.db, vault);
    const printProgress = progressLines();
    const imported = await importOrganization({
      db: database.db,
      vault,
      path,
      slug: options.slug ?? null,
      plan: config.defaultPlan,
      now,
      actor: OPERATOR,
      progress: (done, of) => printProgress(() => `… ${done.toLocaleString('en')} of ${counted(of, 'line')}`),
      signal: stop,
    });
    process.stderr.write(report(imported, config.defaultPlan));
    for (const { email, role, token } of imported.invited)
      process.stdout.write(`${email} (${role}): ${config.baseUrl}/app/invitation#token=${token}\n`);
    return 0;
  });
}

async function linesFile(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code}).`);
  });
  const file = found.isDirectory() ? join(path, LINES_FILE) : path;
  await stat(file).catch(() => {
    throw new Error(`There is no ${LINES_FILE} in ${path}: it is not the folder of an export.`);
  });
  return file;
}

function report(imported: Imported, plan: string): string {
  const { organization, lines, leftOut, members, invited, ownedBy, madeRegions, withoutAgent } = imported;
  const sentences = [
    `Imported ${organization.slug} (${organization.id}): ${counted(lines, 'line')}, ${counted(members, 'member')}, plan ${plan}.`,
  ];
  if (leftOut > 0)
    sentences.push(`${counted(leftOut, 'line')} were skipped: they are older than the retention here.`);
  if (ownedBy) sentences.push(`None of its owners has an account here: ${ownedBy} owns it now.`);
  if (madeRegions.length > 0)
    sentences.push(
      `These regions were created, and have no probe yet: ${madeRegions.join(', ')}. Start one in each: tocsin probe --help`,
    );
  if (withoutAgent.length > 0)
    sentences.push(
      `These monitors watch agents, and agents report to the installation they were enrolled at. They get no results until you choose an agent of this installation for them: ${withoutAgent.join(', ')}.`,
    );
  if (invited.length > 0)
    sentences.push('Send these links to the people invited. Each is shown only once and works for 7 days:');
  return `${sentences.join('\n')}\n`;
}
