// The commands around a backup and the secret key, as somebody types them.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { postgresProcesses } from '#test/harness/bundled-postgres.ts';
import { tocsin } from '#test/harness/command.ts';
import { ADMIN, startInstallation } from '#test/harness/installation.ts';

/** A machine whose clock is a year behind. */
const YEAR_BEHIND = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(
    'const { now } = Date; Date = class extends Date { constructor(...at) { super(...(at.length ? at : [now() - 31536e6])); } };',
  )}`,
};

test('the commands work with and without a running server, and leave no database running', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-backup-'));
  const copy = join(dir, 'data');
  const path = join(dir, 'all.tocsin');
  const installation = await startInstallation({ env: { LOCAL_PROBE: 'off' } });
  const { dataDir } = installation;
  try {
    const unsaid = await tocsin(dataDir, ['backup', path]);
    assert.deepEqual(
      [unsaid.code, /Choose a recipient with --recipient age1…/.test(unsaid.err)],
      [2, true],
      unsaid.err,
    );
    const unlocked = await tocsin(dataDir, ['backup', path, '--unencrypted', '--with-key']);
    assert.deepEqual(
      [unlocked.code, /--with-key needs an encrypted/.test(unlocked.err)],
      [2, true],
      unlocked.err,
    );
    const identity = await generateIdentity();
    const identityFile = join(dir, 'identity');
    writeFileSync(identityFile, `# made for a test\n${identity}\n`);
    const encrypted = ['--recipient', await identityToRecipient(identity), '--with-key'];
    const made = await tocsin(dataDir, ['backup', path, ...encrypted]);
    assert.match(
      made.err,
      /^(?:… .*\n)*Backed up [0-9,]+ rows of \d+ tables to .*all\.tocsin\.\nIt includes the secret key/,
    );
    assert.deepEqual([made.code, made.out, statSync(path).mode & 0o777], [0, '', 0o600]);
    assert.match((await tocsin(dataDir, ['backup', path, ...encrypted])).err, /already exists.*--force/);
    assert.match((await tocsin(dataDir, ['plan', 'set', 'example', 'free'])).out, /now has the plan free/);
    const exported = join(dir, 'example');
    const left = await tocsin(dataDir, ['export', '--organization', 'example', '--to', exported]);
    assert.deepEqual(
      [left.code, statSync(join(exported, 'organization.jsonl')).mode & 0o777],
      [0, 0o600],
      left.err,
    );
    assert.match((await tocsin(dataDir, ['import', exported])).err, /The organization already exists here/);
    assert.match((await tocsin(dataDir, ['import', dataDir])).err, /There is no organization\.jsonl in/);
    const reset = await tocsin(dataDir, ['user', 'reset-password', ADMIN.email], undefined, YEAR_BEHIND);
    const [, token] = /^http:\S+#token=(\S+)\n$/.exec(reset.out) ?? assert.fail(reset.out + reset.err);
    const spent = await fetch(`${installation.url}/auth/reset-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, newPassword: ADMIN.password }),
    });
    assert.equal(spent.status, 200, 'a link is valid for half an hour by the clock of the database');
    const refused = await tocsin(dataDir, ['restore', path]);
    assert.deepEqual([refused.code, /Another Tocsin server/.test(refused.err)], [1, true], refused.err);
    await installation.interrupt();

    const listed = await tocsin(dataDir, ['plan']);
    assert.match(listed.out, /^example +free +org_\S+ +Example$/m, listed.err);
    assert.deepEqual(await postgresProcesses(dataDir), []);

    // Ctrl-C while it waits for its input.
    const stopped = await tocsin(join(dir, 'other'), ['restore', '-'], async (child) => {
      while ((await postgresProcesses(join(dir, 'other'))).length === 0) await pause(50);
      child.kill('SIGINT');
    });
    assert.deepEqual([stopped.code, stopped.err], [1, 'Interrupted; nothing was done.\n']);
    assert.deepEqual(await postgresProcesses(join(dir, 'other')), []);

    const restored = await tocsin(copy, ['restore', path, '--identity', identityFile, '--revoke-keys']);
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.err, /^Revoked 0 API keys and 0 probe tokens/m);
    assert.match(restored.err, /Everything revoked or removed after .* is back/);
    assert.equal(
      readFileSync(join(copy, 'secret-key'), 'utf8'),
      readFileSync(join(dataDir, 'secret-key'), 'utf8'),
    );
    const [formerKey, keyFile] = [readFileSync(join(copy, 'secret-key'), 'utf8'), join(copy, 'secret-key')];
    const rotated = await tocsin(copy, ['secret-key', 'rotate']);
    assert.match(rotated.out, /Restart the server now/, rotated.err);
    assert.notEqual(readFileSync(keyFile, 'utf8'), formerKey);
    assert.equal(readFileSync(`${keyFile}.previous`, 'utf8'), formerKey);
    const again = await startInstallation({ dataDir: copy, env: { LOCAL_PROBE: 'off' } });
    try {
      const organizations = await (await again.admin()).ok<{ slug: string }[]>('GET', '/me/organizations');
      assert.deepEqual(
        organizations.map(({ slug }) => slug),
        ['example'],
      );
      const status = await tocsin(copy, ['secret-key', 'status']);
      assert.match(status.out, /^In force: [0-9a-f]{16}\nEarlier: {2}[0-9a-f]{16}\n/, status.err);
      assert.match(status.out, /^lasting_keys\.key_sealed +3 +0 +0$/m);
      const finished = await tocsin(copy, ['secret-key', 'finish']);
      assert.match(finished.out, /Everything stored is sealed under the current key/, finished.err);
      assert.throws(() => readFileSync(`${keyFile}.previous`), /ENOENT/);
    } finally {
      await again.interrupt();
    }
  } finally {
    await installation.remove();
    rmSync(dir, { recursive: true });
  }
});

test('a command beside a server with SECRET_KEY, which is not given the key, makes none of its own', async (t) => {
  const key = { SECRET_KEY: 'the key that the server has from its environment' };
  const installation = await startInstallation({ env: { LOCAL_PROBE: 'off', ...key } });
  const { dataDir } = installation;
  t.after(() => installation.interrupt());
  const backup = ['backup', '-', '--unencrypted'];

  const refused = await tocsin(dataDir, backup);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(
    refused.err,
    /^There is no secret key: SECRET_KEY is not set, and \S+secret-key does not exist\. /,
  );
  const { code, out } = await tocsin(dataDir, ['doctor']);
  assert.match(
    out,
    /^OK +migrations .+\n(?:.*\n)*FAIL +secret key +There is no secret key: SECRET_KEY is not set/m,
  );
  assert.equal(code, 1);
  assert.equal(existsSync(join(dataDir, 'secret-key')), false);

  const made = await tocsin(dataDir, backup, undefined, key);
  assert.equal(made.code, 0, made.err);
});
