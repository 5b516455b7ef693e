// Parsers of the system's texts: the pure part of each collector, as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuPercent, cpuTimesIn } from './cpu.ts';
import { containersIn, containerUseIn } from './docker.ts';
import { memoryIn } from './memory.ts';
import { diskMounts } from './mounts.ts';
import { countersIn, ratesOf } from './network.ts';
import { mayBeCut, namesOf, statIn, wholeName } from './process-names.ts';
import type { ProcessSample } from './sources.ts';
import { readUnits, unitName, unitNamesIn, unitsIn } from './systemd.ts';
import { type Sensor, temperatureOf } from './temperature.ts';
import { countedUse, processesBefore, processUse } from './use.ts';

test('processors: iowait counts as idle, and steal as busy', () => {
  const times = cpuTimesIn('cpu  10 20 30 400 50 1 2 3 999 999\ncpu0 1 1 1 1\nintr 7\n');
  assert.deepEqual(times, { busy: 66, total: 516 });
  assert.throws(() => cpuTimesIn('intr 7'));
  const cases: [before: [number, number], after: [number, number], percent: number | null][] = [
    [[0, 0], [25, 100], 25],
    [[10, 100], [10, 100], null],
    [[90, 900], [5, 1_000], null],
    [[0, 100], [200, 200], 100],
    [[0, 900], [5, 100], null],
  ];
  for (const [[b, bt], [a, at], percent] of cases)
    assert.equal(cpuPercent({ busy: b, total: bt }, { busy: a, total: at }), percent);
});

test('memory: used is all that no program could get', () => {
  const text = (lines: object) =>
    Object.entries(lines)
      .map(([name, kB]) => `${name}:   ${kB} kB\n`)
      .join('');
  const cases: [lines: object, mem: number | null, swap: number | null][] = [
    [{ MemTotal: 100, MemFree: 5, MemAvailable: 40, SwapTotal: 0, SwapFree: 0 }, 60, null],
    [{ MemTotal: 100, MemFree: 5, Cached: 20 }, 75, null],
    [{ MemTotal: 100, MemAvailable: 100, SwapTotal: 50, SwapFree: 40 }, 0, 20],
    [{}, null, null],
  ];
  for (const [lines, mem_pct, swap_pct] of cases)
    assert.deepEqual(memoryIn(text(lines)), { mem_pct, swap_pct });
});

test('disks: each physical one once, at its shortest mount path', () => {
  const line = (device: string, root: string, mount: string, type: string, source: string) =>
    `36 35 ${device} ${root} ${mount} rw,noatime shared:1 - ${type} ${source} rw`;
  const cases: [what: string, lines: string[], mounts: string[]][] = [
    [
      'memory and the kernel',
      [
        line('0:5', '/', '/dev', 'devtmpfs', 'udev'),
        line('0:9', '/', '/run', 'tmpfs', 'tmpfs'),
        line('0:1', '/', '/proc', 'proc', 'proc'),
      ],
      [],
    ],
    [
      'two disks',
      [line('8:1', '/', '/', 'ext4', '/dev/sda1'), line('8:17', '/', '/data', 'xfs', '/dev/sdb1')],
      ['/', '/data'],
    ],
    [
      'a disk mounted twice',
      [line('8:1', '/', '/mnt/again', 'ext4', '/dev/sda1'), line('8:1', '/', '/', 'ext4', '/dev/sda1')],
      ['/'],
    ],
    [
      'bound folders',
      [line('8:1', '/', '/', 'ext4', '/dev/sda1'), line('8:1', '/srv/x', '/var/x', 'ext4', '/dev/sda1')],
      ['/'],
    ],
    [
      'a container',
      [
        line('0:50', '/', '/', 'overlay', 'overlay'),
        line('8:1', '/containers/1/hosts', '/etc/hosts', 'ext4', '/dev/sda1'),
      ],
      [],
    ],
    [
      'images of programs',
      [
        line('7:1', '/', '/snap/core/1', 'squashfs', '/dev/loop1'),
        line('11:0', '/', '/media/cd', 'iso9660', '/dev/sr0'),
      ],
      [],
    ],
    [
      'the network',
      [line('0:60', '/', '/net', 'nfs4', 'nas:/export'), line('0:61', '/', '/smb', 'cifs', '//nas/x')],
      [],
    ],
    [
      'subvolumes',
      [line('0:30', '/@', '/', 'btrfs', '/dev/sda2'), line('0:30', '/@home', '/home', 'btrfs', '/dev/sda2')],
      ['/'],
    ],
    [
      'datasets',
      [line('0:40', '/', '/tank', 'zfs', 'tank'), line('0:41', '/', '/tank/a', 'zfs', 'tank/a')],
      ['/tank'],
    ],
    ['a space in the path', [line('8:2', '/', '/mnt/my\\040disk', 'ext4', '/dev/sdc1')], ['/mnt/my disk']],
    ['a line end in the path', [line('8:2', '/', '/mnt/a\\012b', 'ext4', '/dev/sdc1')], []],
    ['nonsense', ['', 'x', ' - ', '1 2 3 - ext4 /dev/sda'], []],
  ];
  for (const [what, lines, mounts] of cases) assert.deepEqual(diskMounts(lines.join('\n')), mounts, what);
});

test('network: bytes per second over all interfaces, even after a counter reset', () => {
  const text = [
    'Inter-|   Receive                    |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets',
    '    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0',
    '  eth0: 1000 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0',
    'enp3s0:5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0',
  ].join('\n');
  assert.deepEqual(countersIn(text), { eth0: { rx: 1000, tx: 200 }, enp3s0: { rx: 5, tx: 6 } });
  const at = (rx: number, tx: number) => ({ eth0: { rx, tx } });
  const rates = (rx: number, tx: number) => ({ net_rx_bps: rx, net_tx_bps: tx });
  const cases: [string, Parameters<typeof ratesOf>, ReturnType<typeof ratesOf>][] = [
    ['as usual', [at(100, 10), at(700, 70), 60], rates(10, 1)],
    ['the interface came up anew', [at(1e9, 1e9), at(600, 60), 60], rates(10, 1)],
    ['an interface more', [at(0, 0), { ...at(60, 60), eth1: { rx: 1e12, tx: 1e12 } }, 60], rates(1, 1)],
    ['an interface fewer', [{ ...at(0, 0), eth1: { rx: 5, tx: 5 } }, at(60, 60), 60], rates(1, 1)],
    ['no time', [at(0, 0), at(60, 60), 0], null],
    ['none at all', [{}, {}, 60], null],
  ];
  for (const [what, given, expected] of cases) assert.deepEqual(ratesOf(...given), expected, what);
});

test('temperature: of the processor, if it has a sensor', () => {
  const sensor = (kind: string, label: string, celsius: number): Sensor => ({ kind, label, celsius });
  const cases: [sensors: Sensor[], celsius: number | null][] = [
    [[], null],
    [
      [
        sensor('nvme', 'Composite', 60),
        sensor('coretemp', 'Core 0', 50),
        sensor('coretemp', 'Package id 0', 48),
      ],
      48,
    ],
    [[sensor('k10temp', 'Tctl', 70), sensor('k10temp', 'Tccd1', 80)], 70],
    [[sensor('cpu-thermal', '', 41), sensor('gpu-thermal', '', 90)], 41],
    [[sensor('acpitz', '', 30), sensor('nvme', '', 35)], 35],
    [[sensor('acpitz', '', 0), sensor('x', '', -128), sensor('y', '', 255)], null],
  ];
  for (const [sensors, celsius] of cases) assert.equal(temperatureOf(sensors), celsius);
});

test('processes: names of programs, never their arguments', () => {
  const fields = (flags: number, state = 'S') =>
    `${state} 1 1 1 0 -1 ${flags} 0 0 0 0 150 50 0 0 20 0 1 0 77 1000 25 0`;
  assert.deepEqual(statIn(`42 (my (odd) name) ${fields(0)}`), {
    ...{ pid: 42, name: 'my (odd) name', kernel: false, ended: false },
    ...{ started: '77', usedMs: 2_000, pages: 25 },
  });
  assert.equal(statIn(`2 (kthreadd) ${fields(0x208040)}`)?.kernel, true);
  assert.equal(statIn(`2 (gone) ${fields(0, 'Z')}`)?.ended, true);
  assert.equal(statIn(`3 (node-MainThread) ${fields(0)}`)?.name, 'node');
  for (const text of ['', 'x', '1 no name']) assert.equal(statIn(text), null);

  assert.deepEqual(['a', '123456789012345', 'ääääääää'].map(mayBeCut), [false, true, true]);
  const cut = 'prometheus-node';
  const cases: [commandLine: string, name: string][] = [
    ['/usr/bin/prometheus-node-exporter\u0000--password=x\u0000', 'prometheus-node-exporter'],
    ['prometheus-node-exporter', 'prometheus-node-exporter'],
    ['/usr/bin/prometheus-node exporter: secret', cut],
    ['prometheus-node --password=x', cut],
    ['something else', cut],
    ['', cut],
  ];
  for (const [commandLine, name] of cases) assert.equal(wholeName(cut, commandLine), name, commandLine);
  const found = ['sshd', 'nginx', 'sshd', '', ' ', 'a\nb', '\u0007', 'x'.repeat(129), 'kworker'];
  assert.deepEqual(namesOf(found, 10), ['kworker', 'nginx', 'sshd']);
  assert.equal(namesOf(found, 2).length, 2);
});

const sample = (pid: number, name: string, usedMs: number, started = '1'): ProcessSample => ({
  ...{ pid, name, started, cpu: { usedMs }, memMb: 10 },
});

test('a watched process: all processes of its name combined, percent of one core since the last reading', () => {
  const before = {
    ...{ atMs: 0, usedMs: new Map() },
    processes: processesBefore([sample(1, 'web', 500), sample(2, 'web', 100), sample(8, 'new', 1, '1000')]),
  };
  const use = (...samples: ProcessSample[]) => processUse('web', samples, before, 1_000);
  assert.deepEqual(use(), { running: false, cpu_pct: null, mem_mb: null });
  assert.deepEqual(use(sample(9, 'webx', 5)), { running: false, cpu_pct: null, mem_mb: null });
  assert.deepEqual(use(sample(1, 'web', 1_000), sample(2, 'web', 600)), {
    running: true,
    cpu_pct: 100,
    mem_mb: 20,
  });
  // Another process has its number now, and its use began after the last look.
  assert.equal(use(sample(1, 'web', 40, '1001')).cpu_pct, 4);
  // It ran before the last look, which did not see it.
  assert.equal(use(sample(3, 'web', 90_000, '999')).cpu_pct, null);
  for (const none of [null, { ...before, processes: null }])
    assert.equal(processUse('web', [sample(1, 'web', 40)], none, 1_000).cpu_pct, null);
  const onWindows: ProcessSample = { ...sample(1, 'web.exe', 0), cpu: { pct: 7 } };
  assert.deepEqual(use(onWindows), { running: true, cpu_pct: 7, mem_mb: 10 });
});

test('a watched unit or container: the same figures from the system’s counters', () => {
  const before = { atMs: 0, usedMs: new Map([['systemd a', 400]]), processes: null };
  const counted = (usedMs: number | null, running = true) => ({ running, usedMs, memMb: 3 });
  assert.deepEqual(countedUse(counted(900), 'systemd a', before, 1_000), {
    running: true,
    cpu_pct: 50,
    mem_mb: 3,
  });
  assert.equal(countedUse(counted(100), 'systemd a', before, 1_000).cpu_pct, 10);
  assert.equal(countedUse(counted(null), 'systemd a', before, 1_000).cpu_pct, null);
  assert.equal(countedUse(counted(9), 'systemd b', before, 1_000).cpu_pct, null);
  assert.deepEqual(countedUse(counted(9, false), 'systemd a', before, 1_000), {
    running: false,
    cpu_pct: null,
    mem_mb: null,
  });
});

test('systemd units, parsed from systemctl', () => {
  const text = [
    'Id=nginx.service\nActiveState=active\nMemoryCurrent=5000000\nCPUUsageNSec=2000000000',
    'Id=x.service\nActiveState=inactive\nMemoryCurrent=[not set]\nCPUUsageNSec=18446744073709551615',
    'Id=y.service\nActiveState=activating\nMemoryCurrent=1\nCPUUsageNSec=0',
  ].join('\n\n');
  assert.deepEqual(unitsIn(`${text}\n`), [
    { running: true, usedMs: 2_000, memMb: 5 },
    { running: false, usedMs: null, memMb: null },
    { running: false, usedMs: 0, memMb: 0.000001 },
  ]);
  assert.deepEqual(['nginx', 'backup.timer', 'a.b', 'x@1'].map(unitName), [
    'nginx.service',
    'backup.timer',
    'a.b.service',
    'x@1.service',
  ]);
  const list =
    '  cron.service   loaded active running Regular background\n● ssh@1.service loaded failed failed x\nfoo.timer loaded\n';
  assert.deepEqual(unitNamesIn(list), ['cron', 'ssh@1']);
});

test('a name that systemd refuses does not hide other units, and a template does not run', async () => {
  const asked: string[] = [];
  const ask = async (units: readonly string[]) => {
    asked.push(units.join(' '));
    if (units.some((unit) => unit.startsWith('bad'))) throw new Error('Unit name is not valid.');
    const known = units.filter((unit) => !unit.includes('*'));
    return known.map((unit) => `Id=${unit}\nActiveState=active\nCPUUsageNSec=1000000`).join('\n\n');
  };
  const running = { running: true, usedMs: 1, memMb: null };
  const stopped = { running: false, usedMs: null, memMb: null };
  assert.deepEqual(await readUnits(['getty@', 'a', 'xvnc@.service', 'b@1'], ask), [
    ...[stopped, running, stopped, running],
  ]);
  assert.deepEqual(asked.splice(0), ['a.service b@1.service']);
  assert.deepEqual(await readUnits(['a', 'bad', 'x*', 'b'], ask), [running, null, null, running]);
  assert.equal(asked.splice(0).length, 5);
  assert.deepEqual(await readUnits(['getty@'], ask), [stopped]);
  assert.deepEqual(asked, []);
  await assert.rejects(readUnits(['bad', 'bad2'], ask), /not valid/);
  // A command that was killed for being late is not run again.
  let times = 0;
  const late = () => {
    times += 1;
    return Promise.reject(Object.assign(new Error('late'), { killed: true }));
  };
  await assert.rejects(readUnits(['a', 'b'], late), /late/);
  assert.equal(times, 1);
});

test('containers, as Docker lists and counts them', () => {
  const list = [
    { Id: 'a1', Names: ['/web'], State: 'running', Command: 'secret' },
    { Id: 'b2', Names: ['/db', '/web/db'], State: 'exited' },
    { Id: 'c3', Names: [] },
    null,
    {},
  ];
  assert.deepEqual(containersIn(list), [
    { id: 'a1', name: 'web', running: true },
    { id: 'b2', name: 'db', running: false },
  ]);
  assert.throws(() => containersIn({ message: 'no' }));
  const stats = {
    cpu_stats: { cpu_usage: { total_usage: 3e9 } },
    memory_stats: { usage: 9e6, stats: { inactive_file: 4e6 } },
  };
  assert.deepEqual(containerUseIn(stats), { running: true, usedMs: 3_000, memMb: 5 });
  assert.deepEqual(containerUseIn({}), { running: true, usedMs: null, memMb: null });
});
