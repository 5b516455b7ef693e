// Everything that is examined, in the order in which it is shown.

import type { OperatorAddresses } from '../notifications/targets/operator-addresses.ts';
import { hostPortText } from '../platform/host-port.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { ONLINE_MS } from '../regions/liveness.ts';
import { checkSecretKey } from '../secret-key/check-secret-key.ts';
import { checkChannels } from './channels.ts';
import { checkClock, checkMigrations, checkVersion } from './database.ts';
import { checkDisk } from './disk.ts';
import { checkEdges, type EdgeSettingsGiven } from './edge.ts';
import { type Finding, finding } from './finding.ts';
import { checkFolder, checkKeyFiles } from './folder.ts';
import { checkMail } from './mail.ts';
import { checkBaseName, checkNameServers } from './names.ts';
import { checkBaseUrl, checkPort } from './port.ts';
import { checkProbeClocks, checkRegions } from './probes.ts';
import { type Arrival, checkProxy } from './proxy.ts';
import { checkQueues } from './queues.ts';
import { checkReplica, type ReplicaSettings } from './replica.ts';
import { checkServers } from './servers.ts';

/** The settings that are examined; see `VARIABLES` in src/config. */
export type Settings = EdgeSettingsGiven &
  ReplicaSettings & {
    host: string;
    port: number;
    baseUrl: string;
    dataDir: string;
    databaseUrl: string | null;
    localProbe: boolean;
    backupBeforeMigration: boolean;
    trustProxy: number;
    dnsServers: readonly { host: string; port: number | null }[];
    allowPrivateWebhooks: boolean;
  };

/** The database and the services that it names. Writes nothing. */
export async function examineDatabase(
  db: Database,
  given: {
    settings: Settings;
    /** Throws a sentence for the operator if there is no key. */
    vault: () => Vault;
    operator: OperatorAddresses;
    now: Date;
  },
): Promise<Finding[]> {
  const { settings, vault, operator, now } = given;
  const findings = [await checkVersion(db), await checkMigrations(db)];
  // With another schema the questions below would be the wrong ones.
  if (findings.some(({ state }) => state === 'fail')) return findings;
  const found = await Promise.all([
    checkClock(db),
    checkReplica(db, settings),
    checkProbeClocks(db, new Date(now.getTime() - ONLINE_MS)),
    checkKey(async () => checkSecretKey(db, vault())),
    checkServers(db),
    checkRegions(db, now),
    checkQueues(db, now),
    checkEdges(db, settings),
    checkChannels(db, { allowPrivate: settings.allowPrivateWebhooks, operator }),
  ]);
  return [...findings, ...found.flat()];
}

/** The machine and the ways from and to it. Sends nothing but, with `mailTo`, one mail. */
export async function examineMachine(
  settings: Settings,
  given: { mail: Mail | null; mailTo: string | null; arrival: Arrival | null },
): Promise<Finding[]> {
  const { host, port, baseUrl, dataDir } = settings;
  const servers = settings.dnsServers.map(hostPortText);
  const [disk, folder, mail, names, base, served] = await Promise.all([
    needsFolder(settings) ? checkDisk(dataDir) : null,
    needsFolder(settings) ? checkFolder(dataDir) : checkKeyFiles(dataDir),
    checkMail(given.mail, baseUrl, given.mailTo),
    checkNameServers(servers),
    checkBaseName(baseUrl),
    checkPort(host, port),
  ]);
  const serves = served.state === 'ok' && port !== 0;
  return [
    ...(disk ? [disk] : []),
    ...folder,
    mail,
    ...names,
    base,
    served,
    // If no server runs, BASE_URL leads nowhere, which is a finding already.
    ...(serves ? [await checkBaseUrl(baseUrl)] : []),
    ...checkProxy(settings, given.arrival),
  ];
}

/** Something is written to DATA_DIR: the bundled database, the spool of the bundled probe, or backups before an upgrade. */
const needsFolder = ({ databaseUrl, localProbe, backupBeforeMigration }: Settings): boolean =>
  databaseUrl === null || localProbe || backupBeforeMigration;

async function checkKey(fits: () => Promise<void>): Promise<Finding> {
  try {
    await fits();
    return finding('ok', 'secret_key', 'key_fits');
  } catch (error) {
    return finding('fail', 'secret_key', 'key_wrong', { reason: (error as Error).message });
  }
}
