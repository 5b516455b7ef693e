// `tocsin doctor`: checks everything that an installation depends on, and prints the remedies.
import {
  ConfigError,
  type GivenConfig,
  loadExistingConfig,
  misspeltVariables,
  readConfig,
} from '#src/config/config.ts';
import { checkActivity } from '#src/doctor/database.ts';
import { examineDatabase, examineMachine } from '#src/doctor/examine.ts';
import { type Finding, finding, lineOf, reportOf } from '#src/doctor/finding.ts';
import { emailAddress } from '#src/domain/email-address.ts';
import { NewerSchema } from '#src/platform/db/migrate.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { makeMail } from '#src/platform/mail/mail.ts';
import { openVault } from '#src/platform/secrets.ts';
import { operatorAddresses } from '#src/server/webhook-addresses.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { type OpenedDatabase, readSchema, withDatabase } from '../open-installation.ts';

export type DoctorOptions = { mailTo?: string; json?: boolean };

/** Prints a line for each finding, or all of them as JSON; answers 1 where one failed, else 0. */
export async function run({ mailTo, json = false }: DoctorOptions): Promise<number> {
  const to = mailTo === undefined ? null : emailAddress(mailTo);
  if (mailTo !== undefined && to === null)
    throw new InvalidCommandLine(`--mail-to ${mailTo} is no mail address`);
  const findings: Finding[] = [];
  const add = (...found: Finding[]) => {
    findings.push(...found);
    if (!json) for (const each of found) process.stdout.write(lineOf(each));
  };
  await examine(add, to);
  const report = reportOf(findings);
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return report.ok ? 0 : 1;
}

async function examine(add: (...found: Finding[]) => void, mailTo: string | null): Promise<void> {
  for (const sentence of misspeltVariables()) add(finding('warn', 'settings', 'settings_idle', { sentence }));
  const config = configured(add);
  if (!config) return;
  await withDatabase(config, 'existing', async (opened) =>
    add(...(await examineOpened(config, opened))),
  ).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    add(
      error instanceof NewerSchema
        ? finding('fail', 'migrations', 'migrations_unknown', { reason })
        : finding('fail', 'database', 'database_away', { reason }),
    );
  });
  const mail = makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  add(...(await examineMachine(config, { mail, mailTo, arrival: null })));
}

async function examineOpened(
  config: GivenConfig,
  { url, log, now, stop }: OpenedDatabase,
): Promise<Finding[]> {
  const { missing } = await readSchema(url);
  const [first] = missing;
  // Another schema: what is asked below would fail.
  if (first !== undefined)
    return [finding('fail', 'migrations', 'migrations_missing', { count: missing.length, first })];
  const { db, close } = openPool({ url, log, size: 3, name: 'tocsin command' });
  try {
    const vault = () => {
      const { secretKey, earlierSecretKeys } = loadExistingConfig();
      return openVault(secretKey, earlierSecretKeys);
    };
    const operator = operatorAddresses(config);
    return [
      ...(await examineDatabase(db, { settings: config, vault, operator, now })),
      ...(await checkActivity(db, stop)),
    ];
  } finally {
    await close();
  }
}

function configured(add: (found: Finding) => void): GivenConfig | null {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    add(finding('fail', 'settings', 'settings_wrong', { problems: error.message }));
    return null;
  }
}
