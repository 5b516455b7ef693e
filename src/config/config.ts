// The configuration: what the environment says by the table of src/config/variables.ts, and what only several variables
// together decide. Read once, whole; all problems are reported together (docs/rules/command-line.md#variables).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER_ROLES, type ServerRole } from '../domain/names.ts';
import { openableHosts } from '../platform/own-addresses.ts';
import { readEarlierKeys, readOrMakeSecretKey, readSecretKey } from '../platform/secret-key-file.ts';
import { tlsProblems } from './database-url.ts';
import { misspelt } from './names.ts';
import { type Environment, isGiven, readVariables } from './read-variables.ts';
import { VARIABLES, type Values } from './variables.ts';

type Grouped =
  | 'baseUrl'
  | 'secretKey'
  | 'allowPrivateWebhooks'
  | 'backupBeforeMigration'
  | `admin${string}`
  | `oidc${string}`;

/** Each field is described by its variable in src/config/variables.ts. */
export type Config = Readonly<
  Omit<Values, Grouped> & {
    /** Without a slash at the end. */
    baseUrl: string;
    secretKey: string;
    /** Created at the first start, when there are no users yet. */
    admin: Readonly<{ email: string; password: string; organization: string }> | null;
    /** null: people sign in with a password only. */
    oidc: Readonly<{ issuer: string; clientId: string; clientSecret: string; name: string }> | null;
    allowPrivateWebhooks: boolean;
    backupBeforeMigration: boolean;
    /** The roles of this server; the bundled probe belongs to `ingest`. All of them, unless the command line says otherwise. */
    roles: readonly ServerRole[];
  }
>;

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
export function loadConfig(
  env: Environment = process.env,
  roles: readonly ServerRole[] = SERVER_ROLES,
): Config {
  const config = readConfig(env, roles);
  const secretKey = config.secretKey ?? readOrMakeSecretKey(config.dataDir);
  const earlierSecretKeys = Object.freeze(earlierKeysOf(config).filter((key) => key !== secretKey));
  return Object.freeze({ ...config, secretKey, earlierSecretKeys });
}

/**
 * The configuration of an installation that there is, for a command beside its server. Makes no key: one that the server does not
 * have would be the wrong one. Throws a sentence for the operator if there is none.
 */
export function loadExistingConfig(env: Environment = process.env): Config {
  const { secretKey, databaseUrl, dataDir } = readConfig(env);
  if (secretKey === null && databaseUrl === null && readSecretKey(dataDir) === null)
    throw new Error(
      `There is no secret key: SECRET_KEY is not set, and ${join(dataDir, 'secret-key')} does not exist. Set SECRET_KEY as its ` +
        'server has it, or put the file back from your copy.',
    );
  return loadConfig(env);
}

/** What SECRET_KEY_PREVIOUS gives and, where the key itself lies in DATA_DIR, what lies beside it. Makes nothing. */
export function earlierKeysOf(config: GivenConfig): string[] {
  const isGiven = config.secretKey !== null || config.databaseUrl !== null;
  return [...new Set([...config.earlierSecretKeys, ...(isGiven ? [] : readEarlierKeys(config.dataDir))])];
}

/** As far as the environment says it: `secretKey` is null where it lies, or will lie, in DATA_DIR. */
export type GivenConfig = Readonly<Omit<Config, 'secretKey'> & { secretKey: string | null }>;

/** The configuration without making anything, frozen. Throws ConfigError with all problems at once. */
export function readConfig(
  env: Environment = process.env,
  roles: readonly ServerRole[] = SERVER_ROLES,
): GivenConfig {
  const problems: string[] = [];
  const values = readVariables({ env, problems, readFile });
  problems.push(...missing(env, values), ...databaseProblems(values), ...roleProblems(env, values, roles));
  if (problems.length > 0) throw new ConfigError(problems);

  const { adminEmail, adminPassword, adminOrganization, ...others } = values;
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, ...rest } = others;
  const { host, port, baseUrl, signup, allowPrivateTargets, allowPrivateWebhooks } = rest;
  return Object.freeze({
    ...rest,
    roles,
    localProbe: rest.localProbe && roles.includes('ingest'),
    baseUrl: baseUrl ?? `http://${openableHosts(host)[0]}:${port}`,
    backupBeforeMigration: rest.backupBeforeMigration ?? rest.databaseUrl === null,
    allowPrivateWebhooks: allowPrivateWebhooks ?? allowPrivateTargets ?? signup !== 'open',
    admin:
      adminEmail && adminPassword
        ? Object.freeze({ email: adminEmail, password: adminPassword, organization: adminOrganization })
        : null,
    oidc:
      oidcIssuer && oidcClientId && oidcClientSecret
        ? Object.freeze({
            issuer: oidcIssuer,
            clientId: oidcClientId,
            clientSecret: oidcClientSecret,
            name: oidcName ?? new URL(oidcIssuer).host,
          })
        : null,
  });
}

/** A sentence for each variable that does nothing, though somebody may think that it does: one slip away from one of ours. */
export const misspeltVariables = (env: Environment = process.env): string[] => misspelt(Object.keys(env));

/** A sentence for each variable that another one needs. */
function missing(env: Environment, values: Values): string[] {
  const given = (field: keyof Values) => isGiven(field, env);
  const problems: string[] = [];
  if (given('databaseUrl') && !given('secretKey'))
    problems.push(
      'SECRET_KEY is required with DATABASE_URL: it seals the secrets in that database, and every server on it needs ' +
        `the same one${VARIABLES.secretKey.parser.hint}.`,
    );
  if (given('databaseDirectUrl') && !given('databaseUrl'))
    problems.push(
      'DATABASE_DIRECT_URL is given without DATABASE_URL: it leads past the connection pooler that DATABASE_URL leads through.',
    );
  if (given('databaseReadUrl') && !given('databaseUrl'))
    problems.push(
      'DATABASE_READ_URL is given without DATABASE_URL: the bundled database has no replica, and is read from itself.',
    );
  if (given('adminEmail') && !given('adminPassword'))
    problems.push('ADMIN_EMAIL is given without ADMIN_PASSWORD; the first user needs both.');
  if (given('adminPassword') && !given('adminEmail'))
    problems.push('ADMIN_PASSWORD is given without ADMIN_EMAIL; the first user needs both.');
  if (given('smtpUrl') && !given('mailFrom'))
    problems.push(
      'SMTP_URL needs MAIL_FROM, the address that mail is sent from: see docs/self-hosting.md#mail.',
    );
  if (values.edge === 'caddy' && !given('edgeDomain'))
    problems.push('EDGE=caddy needs EDGE_DOMAIN, under which custom domains get their CNAME target.');
  const oidc = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'] as const;
  const absent = oidc.filter((field) => !given(field)).map((field) => VARIABLES[field].name);
  if (absent.length > 0 && (absent.length < oidc.length || given('oidcName')))
    problems.push(`Signing in with an OIDC provider also needs ${absent.join(' and ')}.`);
  return problems;
}

function databaseProblems(values: Values): string[] {
  const fields = ['databaseUrl', 'databaseDirectUrl', 'databaseReadUrl'] as const;
  return fields.flatMap((field) => {
    const address = values[field];
    return address === null ? [] : tlsProblems(VARIABLES[field].name, address, readFile);
  });
}

/** A sentence for each variable that roles do not fit (docs/rules/command-line.md#roles-of-servers). */
function roleProblems(env: Environment, values: Values, roles: readonly ServerRole[]): string[] {
  const problems: string[] = [];
  if (roles.length < SERVER_ROLES.length && !isGiven('databaseUrl', env))
    problems.push(
      `--roles ${roles.join()} needs DATABASE_URL: the bundled database has one server, which does everything.`,
    );
  if (!roles.includes('ingest') && isGiven('localProbe', env) && values.localProbe)
    problems.push(
      `LOCAL_PROBE is on, and --roles ${roles.join()} has no ingest: the bundled probe reports to its own server.`,
    );
  return problems;
}

const readFile = (path: string) => readFileSync(path, 'utf8');

/** Whether npm's shell stands between us and whoever started us (`npm start`). */
export function startedByNpm(env: Environment = process.env): boolean {
  return env.npm_lifecycle_event !== undefined;
}
