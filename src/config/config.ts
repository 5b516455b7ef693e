// The only reader of the environment (docs/rules/command-line.md#variables). Read once, whole; every problem is told in one
// go.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { emailAddress } from '../domain/email-address.ts';
import type { LogLevel } from '../platform/log.ts';
import { keysIn, readEarlierKeys, readOrMakeSecretKey } from '../platform/secret-key-file.ts';
import { misspelt } from './names.ts';
import { Problems, type Reader, readers } from './values.ts';

export type HostPort = Readonly<{ host: string; port: number | null }>;

export type Config = Readonly<{
  host: string;
  port: number;
  /** Where people reach the server, without a slash at the end; decides links and cookies. */
  baseUrl: string;
  dataDir: string;
  /** PostgreSQL of the user's own; null: the bundled one, under dataDir. */
  databaseUrl: string | null;
  secretKey: string;
  /** Those before it, newest first, while it is rotated: what was sealed under them opens. */
  earlierSecretKeys: readonly string[];
  /** What backups are encrypted with unless the command line says otherwise, and opened with. */
  backupPassphrase: string | null;
  /** Made on the first start when there are no users yet. */
  admin: Readonly<{ email: string; password: string; organization: string }> | null;
  signup: 'closed' | 'invite' | 'open';
  defaultPlan: 'free' | 'pro' | 'business' | 'unlimited';
  organizationsPerUser: number;
  localProbe: boolean;
  /** Signing in with the organization's own provider; null: there is none. */
  oidc: Readonly<{ issuer: string; clientId: string; clientSecret: string; name: string }> | null;
  smtpUrl: string | null;
  mailFrom: string | null;
  edge: 'none' | 'caddy';
  edgeDomain: string | null;
  caddyAdminUrl: string;
  /** Name servers for domain verification and the local probe; empty: the system's. */
  dnsServers: readonly HostPort[];
  /** RDAP server for the local probe's domain checks; null: each registry's own. */
  rdapBaseUrl: string | null;
  allowPrivateWebhooks: boolean;
  /** Whether the local region may connect to loopback and private addresses; null: as the operator chose, else not with SIGNUP=open. */
  allowPrivateTargets: boolean | null;
  allowTestDomains: boolean;
  allowSingleLabelHosts: boolean;
  chatWebhookHosts: readonly HostPort[];
  pagerdutyUrl: string;
  pagerdutyEuUrl: string;
  opsgenieUrl: string;
  opsgenieEuUrl: string;
  /** Number of proxies in front whose X-Forwarded-For counts; 0: none. */
  trustProxy: number;
  logLevel: LogLevel;
  metricsToken: string | null;
  rateLimits: boolean;
}>;

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Variables of the system that a child process may need. */
const KEPT_FOR_CHILDREN = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown with every problem of the environment, one sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * The server's configuration, frozen. Throws ConfigError with all problems at once.
 * Makes DATA_DIR/secret-key where SECRET_KEY is not given and the bundled database is used.
 */
export function loadConfig(env: Environment = process.env): Config {
  const config = readConfig(env);
  const secretKey = config.secretKey ?? readOrMakeSecretKey(config.dataDir);
  const earlierSecretKeys = Object.freeze(earlierKeysOf(config).filter((key) => key !== secretKey));
  return Object.freeze({ ...config, secretKey, earlierSecretKeys });
}

/** What SECRET_KEY_PREVIOUS gives and, where the key itself lies in DATA_DIR, what lies beside it. Makes nothing. */
export function earlierKeysOf(config: GivenConfig): string[] {
  const isGiven = config.secretKey !== null || config.databaseUrl !== null;
  return [...new Set([...config.earlierSecretKeys, ...(isGiven ? [] : readEarlierKeys(config.dataDir))])];
}

/** As far as the environment says it: `secretKey` is null where it lies, or will lie, in DATA_DIR. */
export type GivenConfig = Readonly<Omit<Config, 'secretKey'> & { secretKey: string | null }>;

/** The configuration without making anything, frozen. Throws ConfigError with all problems at once. */
export function readConfig(env: Environment = process.env): GivenConfig {
  const problems = new Problems();
  const read = readers(env, problems, readFile);
  for (const sentence of misspelt(Object.keys(env))) problems.add(sentence);

  const host = read.text('HOST') ?? '127.0.0.1';
  const port = read.integer('PORT', 0, 65535) ?? 3300;
  const dataDir = resolve(read.text('DATA_DIR') ?? './data');
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'], { secret: true });
  const secretKey = read.secret('SECRET_KEY');
  if (secretKey !== null && secretKey.length < 32) {
    problems.add(
      'SECRET_KEY needs at least 32 characters; make one with: node -p "crypto.randomBytes(32).toString(\'base64\')"',
    );
  }
  if (secretKey === null && databaseUrl !== null) {
    problems.add(
      'SECRET_KEY is required with DATABASE_URL: it seals the secrets in that database, and every server on it needs ' +
        'the same one. Make one with: node -p "crypto.randomBytes(32).toString(\'base64\')"',
    );
  }
  const earlierSecretKeys = Object.freeze(keysIn(read.secret('SECRET_KEY_PREVIOUS') ?? ''));
  if (earlierSecretKeys.some((key) => key.length < 32))
    problems.add(
      'SECRET_KEY_PREVIOUS needs at least 32 characters in every line: it holds what SECRET_KEY was before, one key a ' +
        'line, the newest first.',
    );
  const signup = read.oneOf('SIGNUP', ['closed', 'invite', 'open']) ?? 'invite';
  const allowPrivateTargets = read.onOff('ALLOW_PRIVATE_TARGETS');
  const edge = read.oneOf('EDGE', ['none', 'caddy']) ?? 'none';
  const edgeDomain = read.host('EDGE_DOMAIN');
  if (edge === 'caddy' && !edgeDomain)
    problems.add('EDGE=caddy needs EDGE_DOMAIN, under which custom domains get their CNAME target.');
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:'], { secret: true });
  const mailFrom = read.text('MAIL_FROM');
  if (smtpUrl && !mailFrom) problems.add('SMTP_URL needs MAIL_FROM, the address that mail is sent from.');
  if (mailFrom && !mailFrom.includes('@'))
    problems.add(`MAIL_FROM is "${mailFrom}", which is not a mail address.`);

  const config = {
    host,
    port,
    baseUrl:
      read.url('BASE_URL', ['http:', 'https:'], { bare: true }) ??
      `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    dataDir,
    databaseUrl,
    backupPassphrase: read.secret('BACKUP_PASSPHRASE'),
    admin: readAdmin(read, problems),
    signup,
    defaultPlan: read.oneOf('DEFAULT_PLAN', ['free', 'pro', 'business', 'unlimited']) ?? 'unlimited',
    organizationsPerUser: read.integer('ORGANIZATIONS_PER_USER', 0, 1_000_000) ?? 10,
    localProbe: read.onOff('LOCAL_PROBE') ?? true,
    oidc: readOidc(read, problems),
    smtpUrl,
    mailFrom,
    edge,
    edgeDomain,
    caddyAdminUrl: read.url('CADDY_ADMIN_URL', ['http:', 'https:']) ?? 'http://127.0.0.1:2019',
    dnsServers: read.hostPorts('DNS_SERVERS'),
    rdapBaseUrl: read.url('RDAP_BASE_URL', ['http:', 'https:']),
    allowPrivateTargets,
    allowPrivateWebhooks: read.onOff('ALLOW_PRIVATE_WEBHOOKS') ?? allowPrivateTargets ?? signup !== 'open',
    allowTestDomains: read.onOff('ALLOW_TEST_DOMAINS') ?? false,
    allowSingleLabelHosts: read.onOff('ALLOW_SINGLE_LABEL_HOSTS') ?? false,
    chatWebhookHosts: read.hostPorts('CHAT_WEBHOOK_HOSTS'),
    pagerdutyUrl: read.url('PAGERDUTY_URL', ['http:', 'https:']) ?? 'https://events.pagerduty.com',
    pagerdutyEuUrl: read.url('PAGERDUTY_EU_URL', ['http:', 'https:']) ?? 'https://events.eu.pagerduty.com',
    opsgenieUrl: read.url('OPSGENIE_URL', ['http:', 'https:']) ?? 'https://api.opsgenie.com',
    opsgenieEuUrl: read.url('OPSGENIE_EU_URL', ['http:', 'https:']) ?? 'https://api.eu.opsgenie.com',
    trustProxy: readProxies(read),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
    metricsToken: read.secret('METRICS_TOKEN'),
    rateLimits: read.onOff('RATE_LIMITS') ?? true,
  };
  if (problems.list.length > 0) throw new ConfigError(problems.list);
  return Object.freeze({ ...config, secretKey, earlierSecretKeys });
}

/** What a program needs of the system's environment, and nothing of ours: for child processes. */
export function systemEnvironment(env: Environment = process.env): Record<string, string> {
  return Object.fromEntries(
    KEPT_FOR_CHILDREN.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The environment of the probe that this server starts: what a program needs anywhere, the probe's own variables, and
 * none of our secrets.
 */
export function probeEnvironment(
  given: { token: string; dnsServers: readonly HostPort[]; rdapBaseUrl: string | null },
  env: Environment = process.env,
): Record<string, string> {
  const servers = given.dnsServers.map(({ host, port }) => {
    const name = host.includes(':') ? `[${host}]` : host;
    return port === null ? name : `${name}:${port}`;
  });
  return {
    ...systemEnvironment(env),
    TOCSIN_PROBE_TOKEN: given.token,
    ...(servers.length > 0 ? { DNS_SERVERS: servers.join(',') } : {}),
    ...(given.rdapBaseUrl === null ? {} : { RDAP_BASE_URL: given.rdapBaseUrl }),
  };
}

/** Whether npm's shell stands between us and whoever started us (`npm start`). */
export function startedByNpm(env: Environment = process.env): boolean {
  return env.npm_lifecycle_event !== undefined;
}

function readAdmin(read: Reader, problems: Problems): Config['admin'] {
  const email = read.text('ADMIN_EMAIL');
  const password = read.secret('ADMIN_PASSWORD');
  const organization = read.text('ADMIN_ORGANIZATION');
  if (email && emailAddress(email) === null)
    problems.add(`ADMIN_EMAIL is "${email}", which is not a mail address.`);
  if (email && !password)
    problems.add('ADMIN_EMAIL is given without ADMIN_PASSWORD; the first user needs both.');
  if (password && !email)
    problems.add('ADMIN_PASSWORD is given without ADMIN_EMAIL; the first user needs both.');
  if (password && password.length < 8) problems.add('ADMIN_PASSWORD needs at least 8 characters.');
  return email && password
    ? Object.freeze({ email, password, organization: organization ?? 'Default' })
    : null;
}

/** All three of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them. */
function readOidc(read: Reader, problems: Problems): Config['oidc'] {
  // As it was given: some providers' issuers end with a slash, and it must be the same to the letter.
  const issuer = read.url('OIDC_ISSUER', ['https:', 'http:'], { bare: true }) && read.text('OIDC_ISSUER');
  const given = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: read.text('OIDC_CLIENT_ID'),
    OIDC_CLIENT_SECRET: read.secret('OIDC_CLIENT_SECRET'),
  };
  const name = read.text('OIDC_NAME');
  const missing = Object.entries(given).flatMap(([key, value]) => (value === null ? [key] : []));
  if (missing.length === 3 && name === null) return null;
  if (missing.length > 0)
    problems.add(`Signing in with an OIDC provider also needs ${missing.join(' and ')}.`);
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given;
  if (!issuer || !clientId || !clientSecret) return null;
  const { protocol, hostname, host } = new URL(issuer);
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    problems.add(`OIDC_ISSUER "${issuer}" must start with https://: passwords and tokens travel over it.`);
  return Object.freeze({ issuer, clientId, clientSecret, name: name ?? host });
}

/** TRUST_PROXY takes a switch (on: one proxy) or the number of proxies in front. */
function readProxies(read: Reader): number {
  const hops = read.switchOrCount('TRUST_PROXY', 10);
  return hops ?? 0;
}

function readFile(path: string): string {
  return readFileSync(path, 'utf8');
}
