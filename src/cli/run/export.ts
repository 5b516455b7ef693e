// `tocsin export --organization SLUG --to DIR`.
import { join, resolve } from 'node:path';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { makePrivateFolder, refuseExisting, writePrivateFile } from '#src/platform/private-file.ts';
import { readVersion } from '#src/platform/version.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { findOrganization } from '../find-organization.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { withInstallation } from '../open-installation.ts';
import { counted, progressLines } from '../progress.ts';

/** Returns the exit code. */
export async function run(options: {
  organization: string;
  to: string;
  checksDays?: string;
  force?: true;
}): Promise<number> {
  const checksDays = daysIn(options.checksDays);
  const dir = resolve(options.to);
  await refuseExisting(join(dir, LINES_FILE), options.force ?? false);
  return withInstallation(async ({ url, database, vault, now, stop }) => {
    await checkSecretKey(database.db, vault);
    const organization = await findOrganization(database.db, options.organization);
    await makePrivateFolder(dir);
    const printProgress = progressLines();
    const { lines, files, breaks } = await exportOrganization({
      url,
      organizationId: organization.id,
      vault,
      version: await readVersion(),
      now,
      checksDays,
      file: (name, write) => writePrivateFile(join(dir, name), write),
      progress: (done) => printProgress(() => `… ${counted(done, 'line')} so far`),
      signal: stop,
    });
    process.stderr.write(
      `Exported ${organization.slug} to ${dir}: ${files.join(', ')} (${counted(lines, 'line')}).\n` +
        'It contains the secrets of monitors and webhooks in clear text: protect it like a password.\n',
    );
    if (breaks.length === 0) return 0;
    process.stderr.write(
      `Its activity log was changed by hand, or is damaged; it was exported as it is:\n${breaks
        .map(({ kind, said }) => `  ${kind}: ${said}\n`)
        .join('')}`,
    );
    return 1;
  });
}

/** How many days of single checks; undefined: all. */
function daysIn(words: string | undefined): number | undefined {
  if (words === undefined) return undefined;
  const days = Number(words);
  if (!Number.isInteger(days) || days < 2 || days > 100)
    throw new InvalidCommandLine(`--checks-days ${words} is not a whole number from 2 to 100.`);
  return days;
}
