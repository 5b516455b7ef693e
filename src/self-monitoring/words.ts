// Troubles in English, for mails and the API.
import { nameInMail } from '../platform/mail/layout.ts';
import type { OperatorTrouble } from './troubles.ts';

type Reported = { kind: OperatorTrouble; subject: string; data: Record<string, unknown> };

const QUEUES: Readonly<Record<string, string>> = {
  deliveries: 'notifications to targets',
  notices: 'mails and pushes to people',
  jobs: 'stored jobs',
};

const said = (value: unknown) => nameInMail(String(value ?? ''));
const queueOf = ({ subject }: Reported) => QUEUES[subject] ?? subject;

/** What is wrong, in a few words. */
export function troubleTitle(trouble: Reported): string {
  const { kind, subject, data } = trouble;
  switch (kind) {
    case 'region_offline':
      return `Region ${said(data.name)} is offline`;
    case 'probe_lagging':
      return `Probe ${said(data.probe)} of region ${said(data.name)} ${
        data.reason === 'no_results' ? 'delivers no results' : 'is too busy'
      }`;
    case 'queue_lagging':
      return `The queue of ${queueOf(trouble)} does not move`;
    case 'disk_full':
      return `The disk of the ${said(subject)} is full, or nearly`;
    case 'edge_failing':
      return `The edge ${subject} ${data.reason === 'away' ? 'does not answer' : 'does not take its configuration'}`;
  }
}

/** What it means, and what to do. */
export function troubleSentence({ kind, data }: Reported): string {
  switch (kind) {
    case 'region_offline':
      return `No probe of it is heard from, or none delivers results; ${data.monitors} of its monitors are not checked from there. See that its probes run and reach this server.`;
    case 'probe_lagging':
      return data.reason === 'no_results'
        ? 'It asks for monitors and brings no results. The other probes of its region check its share; look at its log.'
        : 'It cannot make or judge every check in time. Give its machine more processor time, or start another probe in its region.';
    case 'queue_lagging':
      return `${data.count} wait, the first for over a minute. Look at the server’s log, its load and its database.`;
    case 'disk_full':
      return 'Results of checks are refused until there is space again; probes keep them, and alarms go on. Enlarge the disk, or delete what is not Tocsin’s.';
    case 'edge_failing':
      return data.reason === 'away'
        ? 'Custom domains that lead there may not be served, and new ones get no certificate. Start that Caddy, and see that its admin API is reached from this server.'
        : 'It goes on with the configuration it had, if it had one; new custom domains are not served there. The doctor says what it answers.';
  }
}

/** That it is over. */
export function overTitle(trouble: Reported): string {
  const { kind, subject, data } = trouble;
  switch (kind) {
    case 'region_offline':
      return `Region ${said(data.name)} is online again`;
    case 'probe_lagging':
      return `Probe ${said(data.probe)} of region ${said(data.name)} no longer lags`;
    case 'queue_lagging':
      return `The queue of ${queueOf(trouble)} moves again`;
    case 'disk_full':
      return `The disk of the ${said(subject)} has space again`;
    case 'edge_failing':
      return `The edge ${subject} has its configuration again`;
  }
}
