// The banner for the person who started the server, printed once it serves.
import { SERVER_ROLES, type ServerRole } from '../domain/names.ts';

export type BannerFacts = {
  version: string;
  /** Milliseconds from the start of the process to serving. */
  tookMs: number;
  baseUrl: string;
  address: string;
  /** Where it opens on this machine and others: more than one where it listens everywhere. */
  hosts: readonly string[];
  setupLink: string | null;
  /** E-mail of ADMIN_EMAIL, where given. */
  adminEmail: string | null;
  dashboard: boolean;
  database: string;
  localProbe: boolean;
  roles: readonly ServerRole[];
  /** Whether a mail server is set. */
  mail: boolean;
};

/** A machine with many networks has its first ones shown. */
const MAX_HOSTS = 4;

/** The banner's text; `colour` where standard output is a terminal. */
export function banner(facts: BannerFacts, colour: boolean): string {
  const paint = (code: string, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const rows: [string, string][] = [[facts.dashboard ? 'Dashboard' : 'Address', paint('36', facts.baseUrl)]];
  if (facts.setupLink)
    rows.push(['Set up', `${paint('36', facts.setupLink)}\n${' '.repeat(14)}opens once, for the first user`]);
  else if (facts.adminEmail && facts.roles.includes('api'))
    rows.push(['Sign in', `as ${facts.adminEmail}, with the password of the first start`]);
  if (facts.roles.includes('api')) rows.push(['API', `${facts.baseUrl}/docs`]);
  if (facts.roles.length < SERVER_ROLES.length) rows.push(['Roles', facts.roles.join(', ')]);
  const { port } = new URL(facts.address);
  const opened = facts.hosts.map((host) => `http://${host}:${port}`).filter((each) => each !== facts.baseUrl);
  if (opened.length > 0) rows.push(['Opens at', opened.slice(0, MAX_HOSTS).join('\n'.padEnd(15))]);
  rows.push(['Database', facts.database]);
  rows.push([
    'Probe',
    facts.localProbe ? 'region "local", on this machine' : `none here (${whyNoProbe(facts)})`,
  ]);
  if (!facts.mail) rows.push(['Mail', 'none: nobody is alarmed by mail; see docs/self-hosting.md#mail']);
  return [
    '',
    `  ${paint('1', 'Tocsin')} ${facts.version}   ready in ${Math.round(facts.tookMs)} ms`,
    '',
    ...rows.map(([label, value]) => `  ${paint('2', label.padEnd(10))}  ${value}`),
    '',
    `  ${paint('2', 'Ctrl-C stops everything.')}`,
    '',
    '',
  ].join('\n');
}

const whyNoProbe = ({ roles }: BannerFacts) =>
  roles.includes('ingest') ? 'LOCAL_PROBE is off' : 'it belongs to the role ingest';
