import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { openCollector } from './collector.ts';
import { mayReadDocker, readContainer, readContainers } from './docker.ts';
import { linuxSources } from './linux.ts';
import type { Sources } from './sources.ts';

const fine: Sources = {
  cpu: () => ({ busy: 5, total: 10 }),
  memory: () => ({ mem_pct: 50, swap_pct: null }),
  disks: () => [
    { mount: '/', pct: 20 },
    { mount: '/data', pct: 70.12345 },
  ],
  load: () => [1, 2, 3],
  network: () => ({ eth0: { rx: 1, tx: 1 } }),
  temperature: () => null,
  processes: () => [],
};

function measure(sources: Partial<Sources>) {
  const said: string[] = [];
  const log = (_: string, message: string, fields?: object) =>
    void said.push(`${message} ${JSON.stringify(fields)}`);
  const time = { steadyNowMs: () => 90_500 };
  return {
    said,
    ...openCollector({ agentVersion: '1', log, time, sources: { ...fine, ...sources }, limitMs: 50 }),
  };
}

const never = () => new Promise<never>(() => undefined);
const fails = () => {
  throw new Error('no such sensor');
};

for (const [name, readings] of [
  ['cpu', []],
  ['memory', ['mem_pct', 'swap_pct']],
  ['disks', ['disk_pct']],
  ['load', ['load1', 'load5', 'load15']],
  ['network', []],
  ['temperature', []],
] as const)
  test(`a reading of ${name} that fails or hangs loses only itself`, async () => {
    const whole = await measure({}).collect([]);
    for (const broken of [fails, never]) {
      const { collect, said } = measure({ [name]: broken });
      await collect([]);
      const { readings: found } = await collect([]);
      for (const [reading, value] of Object.entries(whole.readings)) {
        const isGone = (readings as readonly string[]).includes(reading);
        if (reading !== 'disks')
          assert.deepEqual(found[reading as 'cpu_pct'], isGone ? null : value, reading);
      }
      // Logged once after two looks; the collector that hangs was not started again.
      assert.equal(said.length, 1, said.join());
    }
  });

test('modules name the working collectors, and disk_pct is the fullest disk', async () => {
  const { modules, readings } = await measure({ disks: fails, network: fails }).collect([]);
  assert.deepEqual(
    modules.filter((name) => name !== 'docker'),
    ['cpu', 'memory', 'load', 'services', 'processes'],
  );
  assert.equal(readings.uptime_seconds, 90);
  assert.equal((await measure({}).collect([])).readings.disk_pct, 70.123);
});

test('a service of a kind that this machine cannot report is omitted, rather than reported as stopped', async () => {
  const { collect } = measure({ processes: fails });
  assert.deepEqual((await collect([{ kind: 'process', name: 'nginx' }])).services, []);
});

test('a process has no percentage in its first reading, nor after a failed one', async () => {
  let usedMs = 1e6;
  let nowMs = 0;
  let broken = false;
  const log = () => undefined;
  const processes = () => {
    if (broken) throw new Error('no processes');
    usedMs += 250;
    return [{ pid: 7, name: 'web', started: '5', cpu: { usedMs }, memMb: 1 }];
  };
  const time = { steadyNowMs: () => nowMs };
  const { collect } = openCollector({ agentVersion: '1', log, time, sources: { ...fine, processes } });
  const percent = async (watched = true) => {
    nowMs += 1_000;
    return (await collect(watched ? [{ kind: 'process', name: 'web' }] : [])).services?.[0]?.cpu_pct;
  };
  const found = [await percent(false), await percent(), await percent()];
  broken = true;
  found.push(await percent());
  broken = false;
  found.push(await percent(), await percent());
  assert.deepEqual(found, [undefined, null, 25, undefined, null, 25]);
});

test('reading this machine starts no child process', { skip: process.platform !== 'linux' }, async () => {
  const sources = linuxSources(() => undefined);
  const { busy, total } = await sources.cpu();
  assert.ok(total > busy && busy > 0);
  const processes = await sources.processes();
  const self = processes.find(({ pid }) => pid === process.pid)!;
  assert.ok(self.memMb > 10 && self.memMb < 10_000 && 'usedMs' in self.cpu);
  assert.ok((await sources.memory()).mem_pct! > 0);
  for (const { mount, pct } of await sources.disks())
    assert.ok(mount.startsWith('/') && pct >= 0 && pct <= 100);
});

test('containers are read through Docker’s socket', async (t) => {
  const path = join(await agentFolder(), 'docker.sock');
  const asked: string[] = [];
  const docker = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const body = request.url?.includes('stats')
      ? { cpu_stats: { cpu_usage: { total_usage: 5e6 } }, memory_stats: { usage: 1e6 } }
      : [{ Id: 'a1', Names: ['/web'], State: 'running' }];
    response.end(JSON.stringify(body));
  });
  assert.equal(mayReadDocker(path), false);
  await new Promise<void>((resolve) => docker.listen(path, resolve));
  t.after(() => docker.close());
  assert.equal(mayReadDocker(path), true);
  assert.deepEqual(await readContainers(path), [{ id: 'a1', name: 'web', running: true }]);
  assert.deepEqual(await readContainer('a1', path), { running: true, usedMs: 5, memMb: 1 });
  assert.deepEqual(asked, [
    'GET /containers/json?all=1',
    'GET /containers/a1/stats?stream=false&one-shot=true',
  ]);
});
