// `tocsin region`, beside a running server: a second region, its token, a probe started with what was printed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { startInstallation } from '#test/harness/installation.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';
import { programPath } from '#test/harness/program.ts';
import { until } from '#test/harness/until.ts';

test('an operator adds a region and a probe from the command line', async (t) => {
  const installation = await startInstallation();
  t.after(() => installation.remove());
  const { url, dataDir } = installation;
  const tocsin = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        BASE_URL: url,
        LOG_LEVEL: 'warn',
        CANARIES: 'none',
      };
      execFile(process.execPath, [programPath(), 'region', ...words], { env }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });

  const wanted = [
    'add',
    'eu-west',
    '--name',
    'EU West',
    '--canary',
    '192.0.2.1:443',
    '--canary',
    '192.0.2.2:53',
  ];
  const added = await tocsin(...wanted, '--allow-private-targets');
  assert.deepEqual([added.code, added.err], [0, '']);
  assert.match(added.out, /Region eu-west added\..*tocsin region token eu-west/);
  const again = await tocsin(...wanted);
  assert.deepEqual([again.code, /already belongs to another region/.test(again.err)], [1, true]);
  const wrong = await tocsin('add', 'b', '--name', 'B', '--canary', 'nowhere.example');
  assert.deepEqual([wrong.code, /canaries\.0 must have a port/.test(wrong.err)], [1, true]);
  const unknown = await tocsin('token', 'nowhere');
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'There is no region "nowhere". Regions: eu-west, local.\n'],
  );

  const made = await tocsin('token', 'eu-west');
  assert.equal(made.code, 0, made.err);
  const [, address, token = ''] = /^tocsin probe --url (\S+) --token (\S+)$/m.exec(made.out) ?? [];
  assert.equal(address, url);
  await startProbeProcess(t, { url, token });
  const admin = await installation.admin();
  const region = async () =>
    (await admin.ok<AdministeredRegion[]>('GET', '/admin/regions')).find(({ slug }) => slug === 'eu-west');
  await until(async () => (await region())?.online === true, 'the probe is online');
  const { canaries, allow_private_targets } = (await region())!;
  assert.deepEqual([canaries, allow_private_targets], [['192.0.2.1:443', '192.0.2.2:53'], true]);

  const { out } = await tocsin('list');
  assert.match(out, /^eu-west +online +0 +private targets +192\.0\.2\.1:443, 192\.0\.2\.2:53 +EU West$/m);
  assert.match(out, /^local +online +0 +private targets +- +Local$/m);
  assert.match(out, new RegExp(`^\\S+ +eu-west +${token.slice(-4)} +3 +\\S+ \\S+ +\\S+ \\S+$`, 'm'));
  assert.doesNotMatch(out, /tcp_/);

  const single = await tocsin('token', 'eu-west', '--probes', '1');
  const [, shared = ''] = /--token (\S+)$/m.exec(single.out) ?? [];
  const ask = async (bearer: string, probeId: string) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return (await fetch(`${url}/probe/assignments?probe_id=${probeId}&wait=0`, { headers })).status;
  };
  assert.deepEqual([await ask(shared, 'first'), await ask(shared, 'second')], [200, 403]);
  assert.match((await tocsin('list')).out, /^second +eu-west +waiting /m);
  const nobody = await tocsin('admit', 'eu-west', 'nobody');
  assert.match(nobody.err, /There is no probe "nobody" in the region eu-west\. Its probes: .*second/);
  assert.equal((await tocsin('admit', 'eu-west', 'second')).code, 0);
  assert.equal((await tocsin('refuse', 'eu-west', 'first')).code, 0);
  assert.deepEqual([await ask(shared, 'first'), await ask(shared, 'second')], [403, 200]);
  assert.equal((await tocsin('remove', 'eu-west', 'first')).code, 0);
  const wrongNumber = await tocsin('token', 'eu-west', '--probes', '0');
  assert.deepEqual([wrongNumber.code, /1 to 1000/.test(wrongNumber.err)], [1, true]);

  const bundled = async () => {
    const regions = await admin.ok<AdministeredRegion[]>('GET', '/admin/regions');
    return regions.find(({ slug }) => slug === 'local')?.probe_tokens.find((each) => each.bundled);
  };
  const before = await bundled();
  assert.equal((await tocsin('token', 'local', '--rotate')).code, 0);
  await until(async () => {
    const now = await bundled();
    return now !== undefined && now.id !== before?.id && now.last_used_at_unix !== null;
  }, 'the bundled probe comes with its next token, while the server goes on');
});
