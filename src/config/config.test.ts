import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ServerRole } from '../domain/names.ts';
import { distance } from '../domain/nearest.ts';
import { ownAddresses } from '../platform/own-addresses.ts';
import { probeEnvironment } from './child-environment.ts';
import { ConfigError, loadConfig, misspeltVariables } from './config.ts';
import { withVariables } from './describe-variables.ts';
import { VARIABLES, type Variable } from './variables.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-config-'));
after(() => rmSync(dir, { recursive: true }));
const KEY = 'k'.repeat(32);

function load(env: Record<string, string> = {}) {
  return loadConfig({ DATA_DIR: dir, SECRET_KEY: KEY, ...env });
}

test('roles need a database that other servers can reach, and the bundled probe needs the role ingest', () => {
  const problemsWith = (env: Record<string, string>, roles: ServerRole[]) => {
    try {
      loadConfig({ DATA_DIR: join(dir, 'never'), SECRET_KEY: KEY, ...env }, roles);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  const [problem = '', ...others] = problemsWith({}, ['api', 'jobs']);
  assert.match(problem, /^--roles api,jobs needs DATABASE_URL: the bundled database has one server/);
  assert.deepEqual(others, []);
  const own = { DATABASE_URL: 'postgres://db.example.com/tocsin' };
  assert.match(
    problemsWith({ ...own, LOCAL_PROBE: 'on' }, ['api', 'jobs'])[0] ?? '',
    /^LOCAL_PROBE is on, and --roles api,jobs has no ingest/,
  );
  assert.deepEqual(problemsWith({ ...own, LOCAL_PROBE: 'on' }, ['ingest']), []);
  const config = (roles?: ServerRole[]) => loadConfig({ DATA_DIR: dir, SECRET_KEY: KEY, ...own }, roles);
  assert.deepEqual(
    [config().localProbe, config(['ingest']).localProbe, config(['api']).localProbe],
    [true, true, false],
  );
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig({ DATA_DIR: join(dir, 'never'), ...env });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

test('an empty environment gives the documented defaults', () => {
  const config = load();
  const {
    host,
    port,
    baseUrl,
    signup,
    defaultPlan,
    organizationsPerUser,
    localProbe,
    edge,
    logLevel,
    rateLimits,
  } = config;
  assert.deepEqual(
    {
      host,
      port,
      baseUrl,
      signup,
      defaultPlan,
      organizationsPerUser,
      localProbe,
      edge,
      logLevel,
      rateLimits,
    },
    {
      host: '127.0.0.1',
      port: 3300,
      baseUrl: 'http://127.0.0.1:3300',
      signup: 'invite',
      defaultPlan: 'unlimited',
      organizationsPerUser: 10,
      localProbe: true,
      edge: 'none',
      logLevel: 'info',
      rateLimits: true,
    },
  );
  assert.deepEqual([config.databaseUrl, config.admin, config.metricsToken], [null, null, null]);
  assert.ok(Object.isFrozen(config));
});

test('the database is backed up before migrations unless it is an external one, or as the variable says', () => {
  const own = { DATABASE_URL: 'postgres://db/tocsin', SECRET_KEY: 'k'.repeat(32) };
  const cases: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ BACKUP_BEFORE_MIGRATION: 'off' }, false],
    [own, false],
    [{ ...own, BACKUP_BEFORE_MIGRATION: 'on' }, true],
  ];
  for (const [env, expected] of cases)
    assert.equal(load(env).backupBeforeMigration, expected, JSON.stringify(env));
});

test('the base URL follows host and port, and a given one loses its trailing slash', () => {
  assert.equal(load({ HOST: '::1', PORT: '80' }).baseUrl, 'http://[::1]:80');
  assert.equal(load({ BASE_URL: 'https://status.example.com/' }).baseUrl, 'https://status.example.com');
});

test('a base URL is an origin, written as browsers write it', () => {
  assert.equal(load({ BASE_URL: 'HTTPS://Status.Example.com:443//' }).baseUrl, 'https://status.example.com');
  for (const path of ['/tocsin', '/tocsin/', '//x'])
    assert.match(
      problemsOf({ BASE_URL: `https://example.com${path}` })[0] ?? '',
      /^BASE_URL is ".+"; it takes an address .+, without a path/,
    );
  assert.match(problemsOf({ BASE_URL: 'https://:secret@example.com' })[0] ?? '', /^BASE_URL is/);
});

test('the host to listen on is an address or a name, and anything else is refused before the start', () => {
  for (const [host, base] of [
    ['[::1]', 'http://[::1]:3300'],
    ['localhost', 'http://localhost:3300'],
    ['192.168.1.5', 'http://192.168.1.5:3300'],
  ] as const)
    assert.equal(load({ HOST: host }).baseUrl, base);
  assert.equal(load({ HOST: '[::1]' }).host, '::1');
  for (const host of ['300.1.1.1', 'fe80::1%lo', '[127.0.0.1]', 'http://127.0.0.1', '127.0.0.1:3300', '*'])
    assert.deepEqual(problemsOf({ HOST: host }), [
      `HOST is "${host}"; it takes an IP address or a host name.`,
    ]);
});

test('a server that listens on all interfaces has a base URL that a browser can open', () => {
  for (const host of ['0.0.0.0', '::']) {
    const { hostname, port } = new URL(load({ HOST: host, PORT: '4000' }).baseUrl);
    assert.equal(port, '4000');
    assert.ok([...ownAddresses(), 'localhost'].includes(hostname.replace(/^\[|\]$/g, '')), hostname);
  }
});

test('booleans accept eight words in any case', () => {
  for (const word of ['1', 'true', 'on', 'YES']) assert.equal(load({ LOCAL_PROBE: word }).localProbe, true);
  for (const word of ['0', 'false', 'Off', 'no']) assert.equal(load({ LOCAL_PROBE: word }).localProbe, false);
  assert.equal(load({ LOCAL_PROBE: '' }).localProbe, true);
});

test('a replica needs an external database, and has a maximum lag', () => {
  const both = { DATABASE_URL: 'postgres://u@h/d', DATABASE_READ_URL: 'postgres://u@replica/d' };
  assert.equal(load(both).databaseReadUrl, 'postgres://u@replica/d');
  assert.equal(load(both).databaseReadMaxLagSeconds, 5);
  assert.throws(
    () => load({ DATABASE_READ_URL: 'postgres://u@h/d' }),
    /given without DATABASE_URL: the bundled/,
  );
  assert.throws(() => load({ ...both, DATABASE_READ_MAX_LAG_SECONDS: '0' }), /DATABASE_READ_MAX_LAG_SECONDS/);
});

test('DATABASE_DIRECT_URL needs DATABASE_URL', () => {
  const both = { DATABASE_URL: 'postgres://u@pooler/d', DATABASE_DIRECT_URL: 'postgres://u@h/d' };
  assert.equal(load(both).databaseDirectUrl, 'postgres://u@h/d');
  assert.throws(() => load({ DATABASE_DIRECT_URL: 'postgres://u@h/d' }), /given without DATABASE_URL/);
});

test('private webhooks follow the local region by default', () => {
  assert.equal(load().allowPrivateWebhooks, true);
  assert.equal(load({ SIGNUP: 'open' }).allowPrivateWebhooks, false);
  assert.equal(load({ SIGNUP: 'open', ALLOW_PRIVATE_WEBHOOKS: '1' }).allowPrivateWebhooks, true);
});

test('the environment decides about private targets, and private webhooks follow', () => {
  assert.equal(load().allowPrivateTargets, null);
  const shut = load({ ALLOW_PRIVATE_TARGETS: 'off' });
  assert.deepEqual([shut.allowPrivateTargets, shut.allowPrivateWebhooks], [false, false]);
  const open = load({ SIGNUP: 'open', ALLOW_PRIVATE_TARGETS: 'on' });
  assert.deepEqual([open.allowPrivateTargets, open.allowPrivateWebhooks], [true, true]);
});

test('all problems are reported at once, each in a sentence with the variable’s name', () => {
  const problems = problemsOf({
    PORT: '70000',
    SIGNUP: 'maybe',
    LOCAL_PROBE: 'perhaps',
    BASE_URL: 'ftp://example.com',
    DNS_SERVERS: '1.1.1.1:0',
    ADMIN_EMAIL: 'nobody',
    MAIL_FROM: 'nobody',
    EDGE: 'caddy',
    TRUST_PROXY: 'always',
    ORGANIZATIONS_PER_USER: '-1',
  });
  const names = problems.map((sentence) => /^[A-Z_]+/.exec(sentence)?.[0]).sort();
  assert.deepEqual(names, [
    'ADMIN_EMAIL',
    'ADMIN_EMAIL',
    'BASE_URL',
    'DNS_SERVERS',
    'EDGE',
    'LOCAL_PROBE',
    'MAIL_FROM',
    'ORGANIZATIONS_PER_USER',
    'PORT',
    'SIGNUP',
    'TRUST_PROXY',
  ]);
  for (const sentence of problems) assert.match(sentence, /[.;]|\.$/);
  assert.equal(existsSync(join(dir, 'never')), false, 'a refused start makes nothing');
});

test('a secret may come from a file, but not from both, nor from a missing or empty file', () => {
  const path = join(dir, 'password');
  writeFileSync(path, 'correct horse\n');
  const admin = load({ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD_FILE: path }).admin;
  assert.deepEqual(admin, { email: 'a@example.com', password: 'correct horse', organization: 'Default' });
  assert.match(problemsOf({ METRICS_TOKEN: 'x', METRICS_TOKEN_FILE: path })[0] ?? '', /both given/);
  assert.match(problemsOf({ METRICS_TOKEN_FILE: join(dir, 'none') })[0] ?? '', /cannot be read \(ENOENT\)/);
  writeFileSync(path, ' \n');
  assert.match(problemsOf({ METRICS_TOKEN_FILE: path })[0] ?? '', /is empty/);
});

test('an sslmode that the driver would ignore and certificates that cannot be read stop the start', () => {
  const own = (query: string) => ({
    DATABASE_URL: `postgres://tocsin:hunter22@db/x?${query}`,
    SECRET_KEY: KEY,
  });
  const path = join(dir, 'ca.pem');
  const file = encodeURIComponent(path);
  rmSync(path, { force: true });
  assert.deepEqual(problemsOf(own('sslmode=verify_full')), [
    'The sslmode in DATABASE_URL is "verify_full"; it takes disable, prefer, require, verify-ca, verify-full, no-verify.',
  ]);
  assert.deepEqual(
    problemsOf({ ...own('sslmode=require'), DATABASE_READ_URL: `postgres://db/x?sslcert=${file}` }),
    [`The sslcert in DATABASE_READ_URL names ${path}, which cannot be read (ENOENT).`],
  );
  writeFileSync(path, 'certificate');
  assert.deepEqual(problemsOf(own(`sslmode=verify-full&sslrootcert=${file}`)), []);
});

test('error messages never contain the secret', () => {
  const problems = problemsOf({
    DATABASE_URL: 'mysql://root:hunter22@db/x',
    SECRET_KEY: 'hunter22',
    SMTP_URL: 'hunter22',
    MAIL_FROM: 'tocsin@example.com',
  });
  assert.equal(problems.length, 3);
  assert.doesNotMatch(problems.join(), /hunter22/);
});

test('an OIDC provider needs all three settings, and https unless it is on this machine', () => {
  const three = {
    OIDC_ISSUER: 'https://id.example.com/realms/all/',
    OIDC_CLIENT_ID: 'tocsin',
    OIDC_CLIENT_SECRET: 'hunter22',
  };
  assert.equal(load().oidc, null);
  assert.deepEqual(load(three).oidc, {
    issuer: 'https://id.example.com/realms/all/',
    clientId: 'tocsin',
    clientSecret: 'hunter22',
    name: 'id.example.com',
  });
  assert.equal(load({ ...three, OIDC_NAME: 'Example ID' }).oidc?.name, 'Example ID');
  for (const name of Object.keys(three)) {
    const [problem, ...more] = problemsOf({ ...three, [name]: '' });
    assert.match(problem ?? '', new RegExp(`also needs ${name}\\.$`));
    assert.deepEqual(more, []);
  }
  assert.match(problemsOf({ OIDC_NAME: 'Example ID' })[0] ?? '', /OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_/);
  assert.match(problemsOf({ ...three, OIDC_ISSUER: 'http://id.example.com' })[0] ?? '', /https:/);
  assert.equal(
    load({ ...three, OIDC_ISSUER: 'http://127.0.0.1:8080' }).oidc?.issuer,
    'http://127.0.0.1:8080',
  );
  const path = join(dir, 'client-secret');
  writeFileSync(path, 'from a file\n');
  const { OIDC_CLIENT_SECRET: _, ...two } = three;
  assert.equal(load({ ...two, OIDC_CLIENT_SECRET_FILE: path }).oidc?.clientSecret, 'from a file');
});

test('without DATABASE_URL the SECRET_KEY is generated and stored, with it the variable is required', () => {
  const made = loadConfig({ DATA_DIR: dir }).secretKey;
  assert.equal(readFileSync(join(dir, 'secret-key'), 'utf8').trim(), made);
  assert.equal(loadConfig({ DATA_DIR: dir }).secretKey, made);
  assert.match(
    problemsOf({ DATABASE_URL: 'postgres://u@h/d' })[0] ?? '',
    /SECRET_KEY is required with DATABASE_URL/,
  );
  assert.equal(load({ DATABASE_URL: 'postgres://u@h/d' }).databaseUrl, 'postgres://u@h/d');
});

test('for a misspelt variable of ours the error names the right one', () => {
  const said = (env: Record<string, string>) => misspeltVariables(env)[0] ?? '';
  assert.match(said({ SIGN_UP: 'open' }), /SIGN_UP is not .* did you mean SIGNUP\?/);
  assert.match(said({ DATABSE_URL: 'x' }), /did you mean DATABASE_URL\?/);
  assert.match(said({ PROT: '3555' }), /PROT is not .* did you mean PORT\?/);
  assert.match(said({ TOCSIN_BASE_URL: '1' }), /it is called BASE_URL/);
  assert.match(said({ PORT_FILE: '/x' }), /PORT is no secret/);
  assert.match(said({ log_level: 'debug' }), /did you mean LOG_LEVEL\?/);
  assert.equal(load({ PROT: '3555' }).port, 3300, 'it stops nothing');
});

test('the edge is off, or a list of admin addresses with a domain for CNAME targets', () => {
  const caddy = load({
    EDGE: 'caddy',
    EDGE_DOMAIN: 'Edge.Example.com',
    CADDY_ADMIN_URL: 'http://10.0.0.1:2019/, http://10.0.0.2:2019,http://10.0.0.1:2019',
    EDGE_UPSTREAMS: '10.0.0.1:3300,[::1]:3301',
    EDGE_CA: 'https://ca.example.com/acme/directory',
  });
  assert.equal(caddy.edgeDomain, 'edge.example.com');
  assert.deepEqual(caddy.caddyAdminUrls, ['http://10.0.0.1:2019', 'http://10.0.0.2:2019']);
  assert.deepEqual(caddy.edgeUpstreams, [
    { host: '10.0.0.1', port: 3300 },
    { host: '::1', port: 3301 },
  ]);
  assert.equal(caddy.edgeCa, 'https://ca.example.com/acme/directory');
  const none = load();
  assert.deepEqual([none.edge, none.edgeCa, none.edgeHttpsPort], ['none', 'public', 443]);
  assert.deepEqual(none.caddyAdminUrls, ['http://127.0.0.1:2019']);
  assert.match(problemsOf({ EDGE: 'caddy' })[0] ?? '', /EDGE=caddy needs EDGE_DOMAIN/);
  for (const wrong of ['localhost:2019', 'http://a:2019,nonsense', ',', 'http://user@a:2019'])
    assert.match(problemsOf({ CADDY_ADMIN_URL: wrong })[0] ?? '', /CADDY_ADMIN_URL/, wrong);
  for (const wrong of ['letsencrypt', 'ftp://ca.example.com', 'http://ca.example.com/directory'])
    assert.match(problemsOf({ EDGE_CA: wrong })[0] ?? '', /EDGE_CA/, wrong);
});

test('variables of other programs are ignored', () => {
  const foreign = [
    'PATH',
    'HOSTNAME',
    'HOSTTYPE',
    'USER',
    'npm_config_port',
    'DATABASE',
    'MAIL',
    'LOGNAME',
    'TOCSIN_PORT',
    'TOCSIN_SERVICE_HOST',
    'TOCSIN_URL',
    'TOCSIN_TOKEN',
    'PAGERDUTY_TOKEN',
  ];
  assert.deepEqual(misspeltVariables(Object.fromEntries(foreign.map((name) => [name, 'x']))), []);
  assert.doesNotThrow(() => loadConfig({ ...process.env, DATA_DIR: dir, SECRET_KEY: KEY }));
});

test('names are compared by letters added, removed, changed and swapped', () => {
  assert.deepEqual(
    [distance('PORT', 'PORT'), distance('PROT', 'PORT'), distance('PRT', 'PORT'), distance('X', 'PORT')],
    [0, 1, 1, 3],
  );
});

test('lists of hosts accept names, addresses and ports', () => {
  const addresses = [
    { host: '127.0.0.1', port: 5353 },
    { host: '::1', port: null },
    { host: '::1', port: 53 },
  ];
  assert.deepEqual(load({ HOSTS: '127.0.0.1:5353, ::1,[::1]:53,dns.example' }).hosts, [
    ...addresses,
    { host: 'dns.example', port: null },
  ]);
  assert.deepEqual(load({ DNS_SERVERS: '127.0.0.1:5353, ::1,[::1]:53' }).dnsServers, addresses);
  for (const named of ['dns.example', '127.0.0.1,localhost:53'])
    assert.deepEqual(problemsOf({ DNS_SERVERS: named }), [
      `DNS_SERVERS is "${named}"; it takes IP address or address:port, separated by commas.`,
    ]);
});

test('the local probe gets what it needs and none of the server’s secrets', () => {
  const dnsServers = [
    { host: '::1', port: 53 },
    { host: '10.0.0.1', port: null },
  ];
  const env = probeEnvironment(
    {
      token: 't',
      dnsServers,
      rdapBaseUrl: 'https://rdap.example/v1',
      canaries: [],
      offLimits: ['http://a:2019', 'http://b:2019'],
    },
    { PATH: '/bin', SECRET_KEY: 's', DATABASE_URL: 'd' },
  );
  assert.deepEqual(env, {
    PATH: '/bin',
    TOCSIN_PROBE_TOKEN: 't',
    CANARIES: 'none',
    DNS_SERVERS: '[::1]:53,10.0.0.1',
    RDAP_BASE_URL: 'https://rdap.example/v1',
    CADDY_ADMIN_URL: 'http://a:2019,http://b:2019',
  });
});

test('every default is a valid value of its variable', () => {
  for (const { name, parser, default: text } of Object.values<Variable<unknown>>(VARIABLES))
    assert.ok(text === null || parser.parse(text) !== undefined, name);
});

test('a missing dependency is not reported if the other variable is set but invalid', () => {
  const [problem, ...more] = problemsOf({ DATABASE_URL: 'postgres://u@h/d', SECRET_KEY: 'short' });
  assert.match(problem ?? '', /^SECRET_KEY takes at least 32 characters; make one with: node/);
  assert.deepEqual(more, []);
});

test('an error message names the accepted values', () => {
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'x' }, 'PORT is "x"; it takes a whole number from 0 to 65535.'],
    [{ SIGNUP: 'x' }, 'SIGNUP is "x"; it takes closed, invite, open.'],
    [{ RATE_LIMITS: 'x' }, 'RATE_LIMITS is "x"; it takes on or off (also 1, true, yes and 0, false, no).'],
    [
      { BASE_URL: 'http://a/?b' },
      'BASE_URL is "http://a/?b"; it takes an address starting with http:// or https://, without a path, a query, a fragment or a user.',
    ],
    [
      { ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' },
      'ADMIN_PASSWORD takes at least 8 characters.',
    ],
    [{ BACKUP_PASSPHRASE: 'elevenchars' }, 'BACKUP_PASSPHRASE takes at least 12 characters.'],
    [{ TRUST_PROXY: '11' }, 'TRUST_PROXY is "11"; it takes a whole number from 0 to 10, or on for 1.'],
  ];
  for (const [env, sentence] of cases) assert.deepEqual(problemsOf(env), [sentence]);
});

test('docs/self-hosting.md lists exactly these variables: npm run generate:variables', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8');
  assert.equal(withVariables(page), page);
});
