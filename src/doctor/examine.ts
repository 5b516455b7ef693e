// Everything that is examined, in the order in which it is shown.

import type { OperatorAddresses } from '../notifications/targets/operator-addresses.ts';
import { hostPortText } from '../platform/host-port.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { ONLINE_MS } from '../regions/liveness.ts';
import { checkSecretKey } from '../secret-key/check-secret-key.ts';
import { lookAtChannels } from './channels.ts';
import { lookAtClock, lookAtMigrations, lookAtVersion } from './database.ts';
import { lookAtDisk } from './disk.ts';
import { type EdgeSettingsGiven, lookAtEdges } from './edge.ts';
import { type Finding, finding } from './finding.ts';
import { lookAtFolder } from './folder.ts';
import { lookAtMail } from './mail.ts';
import { lookAtBaseName, lookAtNameServers } from './names.ts';
import { lookAtBaseUrl, lookAtPort } from './port.ts';
import { lookAtProbeClocks, lookAtRegions } from './probes.ts';
import { type Arrival, lookAtProxy } from './proxy.ts';
import { lookAtQueues } from './queues.ts';
import { lookAtReplica, type ReplicaSettings } from './replica.ts';
import { lookAtServers } from './servers.ts';

/** The settings that are examined; see `VARIABLES` in src/config. */
export type Settings = EdgeSettingsGiven &
  ReplicaSettings & {
    host: string;
    port: number;
    baseUrl: string;
    dataDir: string;
    trustProxy: number;
    dnsServers: readonly { host: string; port: number | null }[];
    allowPrivateWebhooks: boolean;
  };

/** What is stored: nothing is written. */
export async function examineDatabase(
  db: Database,
  given: { settings: Settings; vault: Vault; operator: OperatorAddresses; now: Date },
): Promise<Finding[]> {
  const { settings, vault, operator, now } = given;
  const findings = [await lookAtVersion(db), await lookAtMigrations(db)];
  // With another schema the questions below would be the wrong ones.
  if (findings.some(({ state }) => state === 'fail')) return findings;
  const found = await Promise.all([
    lookAtClock(db),
    lookAtReplica(db, settings),
    lookAtProbeClocks(db, new Date(now.getTime() - ONLINE_MS)),
    lookAtKey(() => checkSecretKey(db, vault)),
    lookAtServers(db),
    lookAtRegions(db, now),
    lookAtQueues(db, now),
    lookAtEdges(db, settings),
    lookAtChannels(db, { allowPrivate: settings.allowPrivateWebhooks, operator }),
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
    lookAtDisk(dataDir),
    lookAtFolder(dataDir),
    lookAtMail(given.mail, baseUrl, given.mailTo),
    lookAtNameServers(servers),
    lookAtBaseName(baseUrl),
    lookAtPort(host, port),
  ]);
  const serves = served.state === 'ok' && port !== 0;
  return [
    disk,
    ...folder,
    mail,
    ...names,
    base,
    served,
    // Where no server runs, BASE_URL leads nowhere, and that was said.
    ...(serves ? [await lookAtBaseUrl(baseUrl)] : []),
    ...lookAtProxy(settings, given.arrival),
  ];
}

async function lookAtKey(look: () => Promise<void>): Promise<Finding> {
  try {
    await look();
    return finding('ok', 'secret_key', 'key_fits');
  } catch (error) {
    return finding('fail', 'secret_key', 'key_wrong', { reason: (error as Error).message });
  }
}
