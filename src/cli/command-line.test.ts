import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-command-'));
after(() => rmSync(dir, { recursive: true }));

function tocsin(
  words: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const given = { PATH: process.env.PATH, DATA_DIR: dir, ...env };
    execFile(
      process.execPath,
      [join(import.meta.dirname, '../main.ts'), ...words],
      { env: given },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

test('without words, and with --help, it says what there is', async () => {
  for (const words of [[], ['--help'], ['help']]) {
    const { code, out } = await tocsin(words);
    assert.equal(code, 0);
    for (const command of [
      'serve',
      'probe',
      'migrate',
      'backup',
      'restore',
      'export',
      'import',
      'plan set',
      'region token',
    ])
      assert.match(out, new RegExp(`^  ${command}\\b`, 'm'));
  }
  assert.match((await tocsin(['serve', '--help'])).out, /^Usage: tocsin serve/);
});

test('a word that is no command is answered with the nearest one', async () => {
  const { code, err } = await tocsin(['srve']);
  assert.equal(code, 2);
  assert.match(err, /"srve" is not a command of Tocsin\. Did you mean serve\?/);
  assert.match((await tocsin(['constructor'])).err, /"constructor" is not a command/);
});

test('an option or a word too much is refused by name', async () => {
  assert.match((await tocsin(['serve', '--prot', '80'])).err, /--prot is not an option of tocsin serve/);
  assert.match((await tocsin(['migrate', 'now'])).err, /"now" does not belong after tocsin migrate/);
});

test('a command of two words, its words and its options are answered with what is meant', async () => {
  const cases: [string[], RegExp][] = [
    [
      ['plan', 'sett', 'a', 'free'],
      /"sett" does not belong after tocsin plan\. Did you mean tocsin plan set\?/,
    ],
    [['plan', 'set', 'example'], /tocsin plan set needs PLAN\.\nRun tocsin plan set --help/],
    [['user'], /needs a word behind it: user reset-password, user turn-off-two-factor/],
    [['region'], /needs a word behind it: region list, region add, region token/],
    [['region', 'add', 'eu'], /--name is missing\.\nRun tocsin region add --help/],
    [['region', 'add', 'eu', '--name', 'a', '--name', 'b'], /--name is given twice/],
    [['region', 'add', 'eu', '--name', 'EU', '--canary'], /--canary needs a value: HOST:PORT/],
    [['region', 'token'], /tocsin region token needs SLUG/],
    [['region', 'lst'], /region remove\. Did you mean tocsin region list\?/],
    [['backup'], /tocsin backup needs FILE/],
    [['backup', 'a', 'b'], /"b" does not belong after tocsin backup a/],
    [['backup', 'a', '--forse'], /--forse is not an option of tocsin backup\. Did you mean --force\?/],
    [['backup', 'a', '--force=yes'], /--force takes no value/],
    [['export', '--organization', 'example'], /--to is missing/],
    [['export', '--organization'], /--organization needs a value: SLUG/],
    [['export', '--to', 'a', '--to', 'b'], /--to is given twice/],
  ];
  const answers = await Promise.all(cases.map(([words]) => tocsin(words)));
  for (const [at, [words, sentence]] of cases.entries()) {
    assert.equal(answers[at]?.code, 2, words.join(' '));
    assert.match(answers[at]?.err ?? '', sentence);
  }
});

test('every command has its help, and the program its version', async () => {
  const { out } = await tocsin(['backup', '--help']);
  assert.match(out, /^Usage: tocsin backup FILE \[OPTIONS\]\n/);
  assert.match(out, /^ {2}--unencrypted {11}\S/m);
  assert.match((await tocsin(['plan', 'set', '-h'])).out, /^Usage: tocsin plan set ORGANIZATION PLAN\n/);
  assert.equal((await tocsin(['help', 'backup'])).out, out);
  assert.match((await tocsin(['help'])).out, /^ {2}import DIR \[--slug SLUG\] {2}/m);
  assert.match((await tocsin(['--version'])).out, /^tocsin \d+\.\d+\.\d+/);
});

test('a word that several commands begin with answers --help with all of them', async () => {
  const { code, out } = await tocsin(['region', '--help']);
  assert.equal(code, 0);
  assert.match(out, /^ {2}region add SLUG/m);
  assert.match(out, /^ {2}region token SLUG/m);
});

test('a command for an installation that is not there says so and makes nothing', async () => {
  const never = join(dir, 'not-there');
  const { code, err } = await tocsin(['plan'], { DATA_DIR: never });
  assert.equal(code, 1);
  assert.match(err, /There is no installation in .*not-there/);
  assert.equal(existsSync(never), false);
});

test('a wrong configuration ends with code 2 and all sentences, before anything is made', async () => {
  const { code, err } = await tocsin(['serve'], { PORT: 'x', SIGNUP: 'y', DATA_DIR: join(dir, 'never') });
  assert.equal(code, 2);
  assert.match(err, /2 problems:\n {2}- PORT .*\n {2}- SIGNUP /);
});

test('a database that is not there ends with code 1 and a sentence', async () => {
  const env = { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/d', SECRET_KEY: 'k'.repeat(32) };
  const { code, err } = await tocsin(['migrate'], env);
  assert.equal(code, 1);
  assert.match(err, /^The database does not answer/);
  assert.doesNotMatch(err, /hidden/);
});
