// Every variable that the server reads, once. The type of the configuration, NAME_FILE, the defaults, the sentences about wrong
// values and the table in docs/self-hosting.md (`npm run generate:variables`) come from here.
import { DEFAULT_CANARIES } from '../domain/canary.ts';
import { MIN_PASSPHRASE } from '../domain/passphrase.ts';
import type { LogLevel } from '../platform/log.ts';
import * as take from './parsers.ts';

export type Variable<Value> = {
  /** Its name in the environment. */
  name: string;
  parser: take.Parser<Value>;
  /** As it would stand in the environment; null: without it there is no value. */
  default: string | null;
  /** How the documentation puts a default that is no fixed text. */
  defaultSaid?: string;
  /** Never repeated in a sentence; may also be given as NAME_FILE, the path of a file that holds it. */
  secret?: true;
  /** Its purpose, as the documentation describes it. */
  sentence: string;
};

/** The value that a variable has in the configuration. */
export type ValueOf<Each> = Each extends Variable<infer Value> ? Value : never;

type About = Pick<Variable<unknown>, 'defaultSaid' | 'secret' | 'sentence'>;

function variable<Value>(
  name: string,
  parser: take.Parser<Value>,
  given: About & { default: string },
): Variable<Value>;
function variable<Value>(name: string, parser: take.Parser<Value>, given: About): Variable<Value | null>;
function variable<Value>(
  name: string,
  parser: take.Parser<Value>,
  given: About & { default?: string },
): Variable<Value | null> {
  return { name, parser, default: null, ...given };
}

const LOG_LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const satisfies LogLevel[];

/** By the field of the configuration; in the order of the documentation. */
export const VARIABLES = {
  host: variable('HOST', take.listenHost, {
    default: '127.0.0.1',
    sentence: 'Address the server listens on',
  }),
  port: variable('PORT', take.integer(0, 65_535), {
    default: '3300',
    sentence: 'Port the server listens on; 0 is any free one',
  }),
  baseUrl: variable('BASE_URL', take.origin, {
    defaultSaid: 'http://HOST:PORT',
    sentence: 'Address people use: links, cookies (https makes them Secure), passkeys',
  }),
  dataDir: variable('DATA_DIR', take.folder, {
    default: './data',
    sentence: 'Bundled database, keys, spool of the local probe',
  }),
  databaseUrl: variable('DATABASE_URL', take.url('postgres', 'postgresql'), {
    secret: true,
    sentence: 'Your own PostgreSQL ≥ 15 instead of the bundled one',
  }),
  databaseDirectUrl: variable('DATABASE_DIRECT_URL', take.url('postgres', 'postgresql'), {
    secret: true,
    sentence:
      'The same database past a connection pooler, if `DATABASE_URL` leads through one in transaction mode (PgBouncer)',
  }),
  databaseReadUrl: variable('DATABASE_READ_URL', take.url('postgres', 'postgresql'), {
    secret: true,
    sentence:
      'A streaming replica of that database, for charts, lists and status pages ([below](#reads-from-a-replica))',
  }),
  databaseReadMaxLagSeconds: variable('DATABASE_READ_MAX_LAG_SECONDS', take.integer(1, 300), {
    default: '5',
    sentence: 'How far behind the replica may be and still be read from, in seconds',
  }),
  secretKey: variable('SECRET_KEY', take.secretKey, {
    secret: true,
    defaultSaid: 'created in `DATA_DIR`',
    sentence:
      'Seals secrets at rest and signs cookies. Required with `DATABASE_URL`, and the same on every server. Keep it apart from your backups, and as safe',
  }),
  earlierSecretKeys: variable('SECRET_KEY_PREVIOUS', take.secretKeys, {
    default: '',
    secret: true,
    sentence: 'Earlier values of `SECRET_KEY`, during a rotation',
  }),
  backupPassphrase: variable('BACKUP_PASSPHRASE', take.password(MIN_PASSPHRASE), {
    secret: true,
    sentence: 'Encrypts and opens backups, unless the command line says otherwise',
  }),
  backupBeforeMigration: variable('BACKUP_BEFORE_MIGRATION', take.onOff, {
    defaultSaid: 'on with the bundled database, off with `DATABASE_URL`',
    sentence:
      'Whether the database is [backed up](upgrading.md#the-backup) into `DATA_DIR/backups` before it is brought to a newer schema',
  }),
  adminEmail: variable('ADMIN_EMAIL', take.mailAddress, {
    sentence: 'The first person, created when there is nobody yet; needs `ADMIN_PASSWORD`',
  }),
  adminPassword: variable('ADMIN_PASSWORD', take.password(8), {
    secret: true,
    sentence: "The first person's password",
  }),
  adminOrganization: variable('ADMIN_ORGANIZATION', take.anyText, {
    default: 'Default',
    sentence: "The first person's organization; its first project is called Default",
  }),
  signup: variable('SIGNUP', take.oneOf('closed', 'invite', 'open'), {
    default: 'invite',
    sentence:
      'Who may sign up: nobody, invited people, anybody. With `open` the local region and webhooks refuse private addresses',
  }),
  defaultPlan: variable('DEFAULT_PLAN', take.oneOf('free', 'pro', 'business', 'unlimited'), {
    default: 'unlimited',
    sentence: 'Plan of new organizations',
  }),
  organizationsPerUser: variable('ORGANIZATIONS_PER_USER', take.integer(0, 1_000_000), {
    default: '10',
    sentence: 'How many organizations a person may own',
  }),
  oidcIssuer: variable('OIDC_ISSUER', take.issuer, {
    sentence:
      'Sign-in with your own provider ([below](#signing-in)): `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`, or none of them',
  }),
  oidcClientId: variable('OIDC_CLIENT_ID', take.anyText, {
    sentence: 'The client ID of Tocsin at the provider',
  }),
  oidcClientSecret: variable('OIDC_CLIENT_SECRET', take.anyText, {
    secret: true,
    sentence: 'The client secret of Tocsin at the provider',
  }),
  oidcName: variable('OIDC_NAME', take.anyText, {
    defaultSaid: "the issuer's host",
    sentence: 'The name of the provider on the sign-in page',
  }),
  smtpUrl: variable('SMTP_URL', take.url('smtp', 'smtps'), {
    secret: true,
    sentence:
      'Mail server: alarms to the people on call, invitations, forgotten passwords; needs `MAIL_FROM`',
  }),
  mailFrom: variable('MAIL_FROM', take.sender, { sentence: 'Sender of mails' }),
  localProbe: variable('LOCAL_PROBE', take.onOff, {
    default: 'on',
    sentence: 'The bundled probe, of the region `local`',
  }),
  allowPrivateTargets: variable('ALLOW_PRIVATE_TARGETS', take.onOff, {
    defaultSaid: 'what the operator chose; else on, unless `SIGNUP=open`',
    sentence:
      'Whether checks from the region `local` reach loopback and private addresses. Set, it decides alone; unset, what was changed in the dashboard or over the API stays through every restart',
  }),
  allowPrivateWebhooks: variable('ALLOW_PRIVATE_WEBHOOKS', take.onOff, {
    defaultSaid: 'as `ALLOW_PRIVATE_TARGETS`; else on, unless `SIGNUP=open`',
    sentence: 'Whether webhooks, chat and push reach loopback and private addresses',
  }),
  allowSingleLabelHosts: variable('ALLOW_SINGLE_LABEL_HOSTS', take.onOff, {
    defaultSaid: 'on where a region reaches private addresses',
    sentence:
      'Whether targets of one label, such as `http://db/` and `http://localhost:4010/`, are accepted: in every region, or in none',
  }),
  chatWebhookHosts: variable('CHAT_WEBHOOK_HOSTS', take.hostPorts, {
    default: '',
    sentence:
      'Further hosts that chat notifications may go to, over http too; they may be in your own network',
  }),
  pagerdutyUrl: variable('PAGERDUTY_URL', take.url('http', 'https'), {
    default: 'https://events.pagerduty.com',
    sentence:
      'Address for PagerDuty events: a proxy, or a successor that takes the same events. Existing targets follow at the next start',
  }),
  pagerdutyEuUrl: variable('PAGERDUTY_EU_URL', take.url('http', 'https'), {
    default: 'https://events.eu.pagerduty.com',
    sentence: 'The same in its EU region',
  }),
  opsgenieUrl: variable('OPSGENIE_URL', take.url('http', 'https'), {
    default: 'https://api.opsgenie.com',
    sentence: 'Address for Opsgenie alerts',
  }),
  opsgenieEuUrl: variable('OPSGENIE_EU_URL', take.url('http', 'https'), {
    default: 'https://api.eu.opsgenie.com',
    sentence: 'The same in its EU region',
  }),
  dnsServers: variable('DNS_SERVERS', take.nameServers, {
    default: '',
    defaultSaid: "the system's",
    sentence: 'Name servers of the local probe; a remote probe takes them from its own environment',
  }),
  canaries: variable('CANARIES', take.canaries, {
    default: DEFAULT_CANARIES.join(','),
    sentence:
      'Addresses that the local probe contacts while a check gets no answer, to tell its own network from the target’s, if the region names no [canaries](rules/regions-and-probes.md#canaries): `host:port` over TCP, or `none`; a remote probe takes it from its own environment',
  }),
  rdapBaseUrl: variable('RDAP_BASE_URL', take.url('http', 'https'), {
    defaultSaid: "each registry's own",
    sentence:
      'RDAP server for domain checks of the local probe; a remote probe takes it from its own environment',
  }),
  trustProxy: variable('TRUST_PROXY', take.countOrSwitch(10), {
    default: '0',
    sentence: 'How many proxies in front add `X-Forwarded-For`; limits per address count by it',
  }),
  rateLimits: variable('RATE_LIMITS', take.onOff, {
    default: 'on',
    sentence:
      '[Limits of requests by time](rules/limits.md#requests-a-minute); turn them off only behind something that has its own',
  }),
  logLevel: variable('LOG_LEVEL', take.oneOf(...LOG_LEVELS), {
    default: 'info',
    sentence: 'How much the server logs',
  }),
  metricsToken: variable('METRICS_TOKEN', take.anyText, {
    secret: true,
    sentence: 'Bearer token that `/metrics` requires; without it, only this machine is answered',
  }),
  heartbeatOutUrl: variable('HEARTBEAT_OUT_URL', take.wholeUrl, {
    secret: true,
    sentence:
      'Called every minute while this installation checks and notifies ([below](#who-watches-tocsin)): the address of a heartbeat monitor elsewhere',
  }),
  edge: variable('EDGE', take.oneOf('none', 'caddy'), {
    default: 'none',
    sentence:
      'Server for [domains of your users](#the-edge): a Caddy that Tocsin configures, or, with none, a proxy of your own',
  }),
  edgeDomain: variable('EDGE_DOMAIN', take.hostName, {
    sentence:
      'CNAME records of custom domains point at names under it: `*.EDGE_DOMAIN` leads to the edge. Required with `EDGE=caddy`',
  }),
  caddyAdminUrls: variable('CADDY_ADMIN_URL', take.bareUrls, {
    default: 'http://127.0.0.1:2019',
    sentence: 'The admin API of each edge. Its whole configuration is replaced',
  }),
  edgeUpstreams: variable('EDGE_UPSTREAMS', take.hostPorts, {
    default: '',
    defaultSaid: '`127.0.0.1:PORT`',
    sentence: 'Servers that the edges pass requests to; the same list on every server',
  }),
  edgeHttpPort: variable('EDGE_HTTP_PORT', take.integer(1, 65_535), {
    default: '80',
    sentence: 'Port on which the edges redirect to https',
  }),
  edgeHttpsPort: variable('EDGE_HTTPS_PORT', take.integer(1, 65_535), {
    default: '443',
    sentence: 'Port on which the edges serve',
  }),
  edgeCa: variable('EDGE_CA', take.certificateAuthority, {
    default: 'public',
    sentence:
      "Issuer of the edges' certificates: Let's Encrypt and ZeroSSL, Caddy's own authority (no browser trusts it), or yours",
  }),
  edgeAcmeEmail: variable('EDGE_ACME_EMAIL', take.mailAddress, {
    sentence:
      "Address to which the authority writes about the edges' certificates; with it, `public` is Let's Encrypt alone",
  }),
  hosts: variable('HOSTS', take.hostPorts, {
    default: '',
    sentence:
      'Further names of the installation. With custom domains it answers under these, `BASE_URL`, loopback names and addresses only',
  }),
  allowTestDomains: variable('ALLOW_TEST_DOMAINS', take.onOff, {
    default: 'off',
    sentence: 'Whether custom domains may end in `.test`, for tests',
  }),
} as const;

export type Values = { -readonly [Field in keyof typeof VARIABLES]: ValueOf<(typeof VARIABLES)[Field]> };
