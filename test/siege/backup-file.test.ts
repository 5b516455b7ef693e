// An attacker has a backup and the secret key: still, they cannot make a cookie that is accepted.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { makeSignature } from 'better-auth/crypto';
import { sql } from 'kysely';
import { librarySecrets } from '#src/accounts/library-secrets.ts';
import { writeBackup } from '#src/installation-backup/write.ts';
import { openVault } from '#src/platform/secrets.ts';
import { SECRET_KEY, startTestApp } from '../harness/app.ts';
import { makeClient } from '../harness/client.ts';
import { liveIn } from '../harness/lived-in.ts';
import { scaled } from './scale.ts';

test('a cookie forged from a backup file and the secret key is refused', async () => {
  await using app = await startTestApp();
  const lived = await liveIn(app);
  await lived.member.send('POST', '/auth/request-password-reset', { email: lived.member.email });
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const options = { url: app.databaseUrl, secretKey: SECRET_KEY, earlierSecretKeys: [], version: '0.0.0' };
  await writeBackup({ ...options, includeKey: false, encryption: null, now: app.clock.now() }, sink);
  const text = gunzipSync(Buffer.concat(chunks)).toString('latin1');

  const secret = librarySecrets(openVault(SECRET_KEY)).secrets[0]?.value ?? '';
  const forge = async (token: string) => {
    const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`);
    return makeClient(app.url, { cookie: `tocsin.session_token=${value}` }).send('GET', '/me');
  };
  // So that the test cannot fail for another reason: a real session's token is accepted.
  const { rows } = await sql<{ token: string; id: string }>`SELECT token, id FROM sessions`.execute(app.db);
  assert.ok(rows.length > 0);
  assert.equal((await forge(rows[0]?.token ?? '')).status, 200);

  for (const { token, id } of rows) {
    assert.ok(!text.includes(token), 'a session’s token is in the file');
    assert.ok(!text.includes(id), 'a session’s id is in the file');
  }
  const words = new Set(text.match(/(?<![\w-])[\w-]{20,64}(?![\w-])/g));
  assert.ok(words.has(lived.owner.userId));
  const tried = [...words].slice(0, scaled(150, 100_000));
  for (const word of tried) assert.equal((await forge(word)).status, 401, word);
});
