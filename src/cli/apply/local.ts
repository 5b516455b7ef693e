// Applies a configuration file to the installation on this machine.
// Writes of monitors and policies have consequences in other slices.
import '#src/reactions.ts';
import type { Config } from '#src/config/config.ts';
import { applyConfiguration } from '#src/configuration-apply/apply.ts';
import type { ApplyOptions } from '#src/configuration-apply/applying.ts';
import type { ConfigurationFile } from '#src/configuration-apply/contract.ts';
import { describeConfiguration, SECTIONS } from '#src/configuration-apply/describe.ts';
import type { Vault } from '#src/platform/secrets.ts';
import { type Database, runWork } from '#src/platform/work.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { operatorAddresses } from '#src/server/webhook-addresses.ts';
import { findOrganization, type NamedOrganization } from '../find-organization.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { type Applied, type Asked, differentOrganizations } from './asked.ts';

/** Applies the file as the operator of the installation. Throws a sentence if it finds no installation or no organization. */
export async function applyLocally(
  file: ConfigurationFile,
  { organization, dryRun, prune }: Asked,
): Promise<Applied> {
  return withInstallation(async ({ config, database: { db }, vault, now }) => {
    await checkSecretKey(db, vault);
    const place = await organizationOf(db, file.organization, organization);
    const things = await applyConfiguration((act) => runWork(db, now, OPERATOR, act), {
      ...{ orgId: place.id, file, options: optionsOf(config, vault), dryRun, prune },
      mostChanges: null,
    }).catch((error: { code?: string }) => {
      // lock_not_available
      if (error.code !== '55P03') throw error;
      throw new Error('The organization is being changed by somebody else. Nothing was changed; try again.', {
        cause: error,
      });
    });
    return { place, things };
  });
}

/** The organization as a file. */
export async function describeLocally(organization: string | undefined): Promise<ConfigurationFile> {
  return withInstallation(async ({ database: { db }, now }) => {
    const { id: orgId, slug } = await organizationOf(db, undefined, organization);
    return { organization: slug, ...(await describeConfiguration({ db, orgId, now }, SECTIONS)) };
  });
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
  if (named && other && named.id !== other.id) throw differentOrganizations(other, named);
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
