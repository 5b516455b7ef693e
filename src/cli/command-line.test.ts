import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { programPath } from '#test/harness/program.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-command-'));
after(() => rmSync(dir, { recursive: true }));

function tocsin(
  words: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const given = { PATH: process.env.PATH, DATA_DIR: dir, CANARIES: 'none', ...env };
    execFile(process.execPath, [programPath(), ...words], { env: given }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

test('without arguments, and with --help, it lists its commands', async () => {
  for (const words of [[], ['--help'], ['help']]) {
    const { code, out } = await tocsin(words);
    assert.equal(code, 0);
    const listed = out.split('\n').flatMap((line) => /^ {2}([a-z-]+) /.exec(line)?.[1] ?? []);
    assert.deepEqual(
      listed,
      'serve probe agent migrate doctor backup restore export import apply plan region user secret-key revoke-keys help'.split(
        ' ',
      ),
    );
  }
  assert.match((await tocsin(['serve', '--help'])).out, /^Usage: tocsin serve/);
});

test('the agent’s commands have options of their own, distinct from the program’s', async () => {
  const url = 'https://tocsin.example.com';
  const { out, err } = await tocsin(['agent', 'install', '--print', '--url', url, '--token', 'tce_secret']);
  assert.match(out + err, / --url https:\/\/tocsin\.example\.com/);
  assert.doesNotMatch(out + err, /tce_secret/);
  const wrong = await tocsin(['agent', 'uninstall', '--ja']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /unknown option '--ja'/);
});

test('a wrong command line is refused with code 2, with the mistake and the nearest command', async () => {
  const cases: [string, RegExp][] = [
    ['srve', /unknown command 'srve'\n\(Did you mean serve\?\)\nAdd --help to see/],
    ['constructor', /unknown command 'constructor'/],
    ['help srve', /^Usage: tocsin /],
    ['serve --prot 80', /unknown option '--prot'/],
    [
      'serve --roles api,cook',
      /error: there is no role cook; the roles are api, ingest, jobs, pages\nAdd --help/,
    ],
    ['serve --roles api,jobs,api', /error: --roles api,jobs,api gives api twice/],
    ['serve --roles api,,jobs', /error: --roles api,,jobs lacks a name; it takes api, ingest, jobs, pages/],
    ['serve --roles=', /option '--roles <LIST>' argument empty/],
    ['serve --roles', /option '--roles <LIST>' argument missing/],
    ['serve --roles api --roles jobs', /option '--roles <LIST>' given twice/],
    ['serve --roles api,jobs', /--roles api,jobs needs DATABASE_URL: the bundled database has one server/],
    ['migrate --json', /--json needs --plan/],
    ['migrate --plna', /unknown option '--plna'\n\(Did you mean --plan\?\)/],
    ['migrate now', /too many arguments for 'migrate'.*: now\./],
    ['plan sett a free', /unknown command 'sett' \(did you mean set\?\)/],
    ['plan set example', /missing required argument 'PLAN'\nAdd --help/],
    ['plan set a b c', /too many arguments for 'set'.*: a, b, c\./],
    ['user', /^Usage: tocsin user .* reset-password .* turn-off-two-factor /s],
    ['region', /^Usage: tocsin region .* list .* add .* token /s],
    ['region lst', /unknown command 'lst'\n\(Did you mean list\?\)/],
    ['region add eu', /required option '--name <NAME>' not specified/],
    ['region add eu --name a --name b', /option '--name <NAME>' given twice/],
    ['region add eu --name EU --canary', /option '--canary <HOST:PORT>' argument missing/],
    ['region add eu --name=', /option '--name <NAME>' argument empty/],
    ['region token', /missing required argument 'SLUG'/],
    ['backup', /missing required argument 'FILE'/],
    ['backup a b', /too many arguments for 'backup'.*: a, b\./],
    ['backup a --forse', /unknown option '--forse'\n\(Did you mean --force\?\)/],
    ['backup a --force=yes', /unknown option '--force=yes'/],
    ['backup a --force --force', /option '--force' given twice/],
    ['backup a', /error: a backup holds .*--unencrypted.*\nAdd --help/],
    ['export --organization example', /required option '--to <DIR>' not specified/],
    ['export --organization', /option '--organization <SLUG>' argument missing/],
    ['export --organization a --to b --checks-days 1', /--checks-days 1 is not a whole number from 2 to 100/],
    ['export --to a --to b', /option '--to <DIR>' given twice/],
    ['probe', /required option '--url <URL>' not specified/],
    ['probe --url ftp://x --token t', /--url "ftp:\/\/x" is not an http or https address/],
  ];
  const answers = await Promise.all(cases.map(([line]) => tocsin(line.split(' '))));
  for (const [at, [line, sentence]] of cases.entries()) {
    const { code, out, err } = answers[at]!;
    assert.deepEqual([code, out], [2, ''], line);
    assert.match(err, sentence);
  }
});

test('every command has a help text, and the program a version', async () => {
  const { out } = await tocsin(['backup', '--help']);
  assert.match(out, /^Usage: tocsin backup \[options\] <FILE>\n/);
  assert.match(out, /^ {2}--unencrypted {2,}\S/m);
  assert.equal((await tocsin(['help', 'backup'])).out, out);
  const set = await tocsin(['plan', 'set', '-h']);
  assert.match(set.out, /^Usage: tocsin plan set \[options\] <ORGANIZATION> <PLAN>\n/);
  assert.equal((await tocsin(['help', 'plan', 'set'])).out, set.out);
  assert.match((await tocsin(['probe', '--help'])).out, /TOCSIN_PROBE_TOKEN_FILE/);
  assert.match((await tocsin(['--version'])).out, /^tocsin \d+\.\d+\.\d+\n$/);
});

test('--help for a group of commands lists them', async () => {
  const { code, out } = await tocsin(['region', '--help']);
  assert.equal(code, 0);
  assert.match(out, /^ {2}add \[options\] <SLUG> {2,}\S/m);
  assert.match(out, /^ {2}token \[options\] <SLUG> {2,}\S/m);
});

test('a command loads only its own code', async () => {
  const loaded = (words: string[]) => {
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (process._rawDebug(url), next(url, context)) });
      const { runCommandLine } = await import(${JSON.stringify(join(import.meta.dirname, 'command-line.ts'))});
      await runCommandLine(${JSON.stringify(words)});`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH, DATA_DIR: dir, PORT: 'x' },
      encoding: 'utf8',
    });
    return stderr.split('\n').filter((line) => line.startsWith('file:') && !line.includes('/node_modules/'));
  };
  const help = loaded(['--help']);
  assert.ok(help.some((url) => url.endsWith('/src/cli/program.ts')));
  assert.deepEqual(
    help.filter((url) => !/\/src\/(cli\/[^/]+|cli\/commands\/[^/]+|platform\/version)\.ts$/.test(url)),
    [],
  );
  const serve = loaded(['serve']);
  assert.ok(serve.some((url) => url.endsWith('/src/supervise/serve.ts')));
  const others = serve.filter((url) => /\/src\/cli\/run\//.test(url) && !url.endsWith('/serve.ts'));
  assert.deepEqual(others, []);
});

test('a command for a missing installation says so and creates nothing', async () => {
  const never = join(dir, 'not-there');
  const { code, err } = await tocsin(['plan'], { DATA_DIR: never });
  assert.equal(code, 1);
  assert.match(err, /There is no installation in .*not-there/);
  assert.equal(existsSync(never), false);
});

test('a wrong configuration ends with code 2 and lists all errors, before anything is created', async () => {
  const { code, err } = await tocsin(['serve'], { PORT: 'x', SIGNUP: 'y', DATA_DIR: join(dir, 'never') });
  assert.equal(code, 2);
  assert.match(err, /2 problems:\n {2}- PORT .*\n {2}- SIGNUP /);
});

test('a missing database ends with code 1 and a sentence', async () => {
  const env = { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/d', SECRET_KEY: 'k'.repeat(32) };
  const { code, err } = await tocsin(['migrate'], env);
  assert.equal(code, 1);
  assert.match(err, /^The database at 127\.0\.0\.1:1 does not answer/);
  assert.doesNotMatch(err, /hidden/);
});
