import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type NameAnswer, nameServer } from '#test/harness/name-server.ts';
import { OutboundFailure } from './failures.ts';
import { hostsFile, parseHosts } from './hosts-file.ts';
import { createResolver, type Resolver } from './resolve.ts';

async function failureClass(resolver: Resolver, host: string, family: 'auto' | '4' | '6' = 'auto') {
  try {
    await resolver(host, family);
  } catch (error) {
    assert.ok(error instanceof OutboundFailure);
    assert.equal(error.layer, 'target_dns');
    return error.failureClass;
  }
  assert.fail('it resolved');
}

test('both families are queried and IPv4 comes first', async (t) => {
  const server = await nameServer(t, (_, type) => (type === 'A' ? ['127.0.0.1', '127.0.0.2'] : ['::1']));
  const resolver = createResolver({ servers: [server] });
  assert.deepEqual(await resolver('both.test', 'auto'), [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual(await resolver('both.test', '6'), [{ address: '::1', family: 6 }]);
});

test('one family is enough if the other has no records or no answer', async (t) => {
  const server = await nameServer(t, (name, type) =>
    type === 'A' ? ['127.0.0.1'] : name === 'silent.test' ? null : [],
  );
  const resolver = createResolver({ servers: [server] });
  t.after(resolver.cancel);
  for (const name of ['none.test', 'silent.test'])
    assert.deepEqual(await resolver(name, 'auto'), [{ address: '127.0.0.1', family: 4 }]);
});

test('each failure of DNS has its own class', async (t) => {
  const answers: Record<string, NameAnswer> = {
    'gone.test': 'NXDOMAIN',
    'ill.test': 'SERVFAIL',
    'denied.test': 'REFUSED',
    'empty.test': [],
  };
  const server = await nameServer(t, (name) => answers[name] ?? null);
  const resolver = createResolver({ servers: [server] });
  assert.equal(await failureClass(resolver, 'gone.test'), 'dns_nxdomain');
  assert.equal(await failureClass(resolver, 'ill.test'), 'dns_servfail');
  assert.equal(await failureClass(resolver, 'denied.test'), 'dns_refused');
  assert.equal(await failureClass(resolver, 'empty.test'), 'dns_nodata');
});

test('a changed answer is used at once', async (t) => {
  let address = '127.0.0.1';
  const server = await nameServer(t, (_, type) => (type === 'A' ? [address] : []));
  const resolver = createResolver({ servers: [server] });
  assert.equal((await resolver('moving.test', 'auto'))[0]?.address, '127.0.0.1');
  address = '127.0.0.9';
  assert.equal((await resolver('moving.test', 'auto'))[0]?.address, '127.0.0.9');
});

test('the last answer is used while name servers fail, and a denial ends that', async (t) => {
  let answer: NameAnswer = ['127.0.0.1'];
  const server = await nameServer(t, () => answer);
  const resolver = createResolver({ servers: [server] });
  await resolver('steady.test', '4');
  answer = 'SERVFAIL';
  assert.equal((await resolver('steady.test', '4'))[0]?.address, '127.0.0.1');
  answer = 'NXDOMAIN';
  assert.equal(await failureClass(resolver, 'steady.test', '4'), 'dns_nxdomain');
  answer = 'SERVFAIL';
  assert.equal(await failureClass(resolver, 'steady.test', '4'), 'dns_servfail');
});

test('a name that DNS denies is looked up on the machine itself, unless servers were configured', async (t) => {
  const server = await nameServer(t, () => 'NXDOMAIN');
  const named = createResolver({ servers: [server], hostsPath: '/nonexistent' });
  assert.equal(await failureClass(named, 'localhost', '4'), 'dns_nxdomain');
});

test('the hosts file comes first and is reread after changes', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'hosts-'));
  t.after(() => rm(dir, { recursive: true }));
  const hostsPath = join(dir, 'hosts');
  await writeFile(
    hostsPath,
    '127.0.0.7 here.test Alias.test # a comment\n::1 here.test\nnonsense here.test\n',
  );
  await utimes(hostsPath, 1, 1);
  const resolver = createResolver({ servers: ['127.0.0.1:9'], hostsPath });
  assert.deepEqual(await resolver('HERE.test', 'auto'), [
    { address: '127.0.0.7', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual(await resolver('alias.test', '4'), [{ address: '127.0.0.7', family: 4 }]);
  t.mock.method(performance, 'now', () => 1e12);
  await writeFile(hostsPath, '127.0.0.8 here.test\n');
  assert.deepEqual(await resolver('here.test', '4'), [{ address: '127.0.0.8', family: 4 }]);
});

test('a hosts file that was gone for a moment counts again, also if it is as old as before', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'hosts-'));
  t.after(() => rm(dir, { recursive: true }));
  const hostsPath = join(dir, 'hosts');
  await writeFile(hostsPath, '127.0.0.7 here.test\n');
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  t.mock.method(performance, 'now', () => now() + aheadMs);
  const find = hostsFile(hostsPath);
  assert.deepEqual(await find('here.test'), ['127.0.0.7']);
  await rename(hostsPath, `${hostsPath}.away`);
  aheadMs += 6_000;
  assert.deepEqual(await find('here.test'), []);
  await rename(`${hostsPath}.away`, hostsPath);
  aheadMs += 6_000;
  assert.deepEqual(await find('here.test'), ['127.0.0.7']);
});

test('invalid lines of a hosts file are skipped', () => {
  const hosts = parseHosts('# c\n\n 10.0.0.1\ta b\n10.0.0.2 a\r\nnot-an-ip x\n');
  assert.deepEqual(
    [...hosts],
    [
      ['a', ['10.0.0.1', '10.0.0.2']],
      ['b', ['10.0.0.1']],
    ],
  );
});
