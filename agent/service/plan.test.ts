import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Facts, lastingPath } from './facts.ts';
import { carryOut, type Machine } from './machine.ts';
import { type Plan, planInstall, planUninstall } from './plan.ts';
import { asScript, type Step } from './steps.ts';
import { systemUnit, userUnit } from './systemd.ts';

const SERVER: Facts = {
  platform: 'linux',
  isRoot: true,
  uid: 0,
  userName: 'root',
  home: '/root',
  sudoUser: 'ann',
  node: '/usr/bin/node',
  realNode: '/usr/bin/node',
  own: '/tmp/tmp.x/tocsin-agent.mjs',
  systemdVersion: 257,
  hasUser: false,
};
const LAPTOP: Facts = {
  ...SERVER,
  isRoot: false,
  uid: 1000,
  userName: 'ann',
  home: '/home/ann',
  sudoUser: null,
};
const MAC: Facts = { ...LAPTOP, platform: 'darwin', home: '/Users/ann', systemdVersion: null };
const WANTED = { url: 'https://tocsin.example.com', labels: 'a=b,web', name: "ann's box" };

function stepsOf(plan: Plan): Step[] {
  assert.ok('steps' in plan, 'instead' in plan ? plan.instead : '');
  return plan.steps;
}
const scriptOf = (plan: Plan) => asScript(stepsOf(plan));
const commandsOf = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === 'run' ? [step.words.join(' ')] : []));

/** Records the steps; commands return 0 by default. */
function machine(codes: Readonly<Record<string, number>> = {}) {
  const done: string[] = [];
  const files = new Map<string, { mode: number; text: string }>();
  const its: Machine = {
    run(words, { user = null, env = {} } = {}) {
      done.push(`${user === null ? '' : `${user}: `}${Object.keys(env).join()} ${words.join(' ')}`.trim());
      return codes[words[0] ?? ''] ?? 0;
    },
    folder: (path, mode) => void done.push(`folder ${path} ${mode.toString(8)}`),
    file: (path, mode, bytes) => void files.set(path, { mode, text: Buffer.from(bytes).toString() }),
    read: (path) => Buffer.from(`the bytes of ${path}`),
    remove: (path) => void done.push(`remove ${path}`),
    say: (text) => void done.push(`say ${text.split('\n')[0]}`),
  };
  return { its, done, files };
}

test('as root on a systemd machine it creates a user, the file, the enrolment as that user, and the unit, in this order', () => {
  const { its, done, files } = machine();
  carryOut(stepsOf(planInstall(SERVER, WANTED)), its, 'tce_secret');
  assert.deepEqual(done, [
    'useradd --system --user-group --no-create-home --home-dir /var/lib/tocsin-agent --shell /usr/sbin/nologin tocsin-agent',
    'folder /usr/local/lib/tocsin-agent 755',
    'install -d -m 0700 -o tocsin-agent -g tocsin-agent /var/lib/tocsin-agent',
    "tocsin-agent: TOCSIN_TOKEN /usr/bin/node /usr/local/lib/tocsin-agent/tocsin-agent.mjs enrol --data-dir /var/lib/tocsin-agent --url https://tocsin.example.com --labels a=b,web --name ann's box",
    'folder /etc/systemd/system 755',
    'systemctl daemon-reload',
    'systemctl enable tocsin-agent.service',
    'systemctl restart tocsin-agent.service',
    'say The agent runs. Its log: journalctl -u tocsin-agent',
  ]);
  const program = files.get('/usr/local/lib/tocsin-agent/tocsin-agent.mjs');
  assert.deepEqual(program, { mode: 0o644, text: 'the bytes of /tmp/tmp.x/tocsin-agent.mjs' });
  const unit = files.get('/etc/systemd/system/tocsin-agent.service');
  assert.match(unit?.text ?? '', /^User=tocsin-agent$/m);
  assert.doesNotMatch(
    JSON.stringify([...files, done]),
    /tce_secret/,
    'the token is in no file and no command',
  );
});

test('a second installation replaces the file and keeps user, enrolment and data', () => {
  const steps = stepsOf(planInstall({ ...SERVER, hasUser: true }, {}));
  assert.ok(!commandsOf(steps).some((command) => command.startsWith('useradd')));
  assert.ok(steps.some(({ kind }) => kind === 'copy'));
  const own = '/usr/local/lib/tocsin-agent/tocsin-agent.mjs';
  const fromItself = stepsOf(planInstall({ ...SERVER, own, hasUser: true }, {}));
  assert.ok(!fromItself.some(({ kind }) => kind === 'copy'), 'the installed file is not copied onto itself');
});

test('a failed step stops the installation before the steps that need it', () => {
  const refused = machine({ '/usr/bin/node': 1 });
  const steps = stepsOf(planInstall(SERVER, WANTED));
  assert.throws(() => carryOut(steps, refused.its, 't'), /not enrolled, so the service was not installed/);
  assert.ok(!refused.files.has('/etc/systemd/system/tocsin-agent.service'));
  const failing = machine({ useradd: 9 });
  assert.throws(() => carryOut(steps, failing.its, 't'), /This failed \(exit code 9\): useradd --system/);
  assert.equal(failing.done.length, 1);
});

test('without root on a systemd machine it installs a user unit, and mentions lingering', () => {
  const script = scriptOf(planInstall(LAPTOP, WANTED));
  assert.match(script, /^cat > \/home\/ann\/\.config\/systemd\/user\/tocsin-agent\.service <</m);
  assert.match(script, /^systemctl --user restart tocsin-agent\.service$/m);
  assert.match(script, /loginctl enable-linger ann/);
  assert.doesNotMatch(script, /useradd|runuser|User=|\/etc\/|\/var\/lib/);
});

test('on macOS it installs a property list; as root, for the user who called sudo', () => {
  const own = scriptOf(planInstall(MAC, WANTED));
  assert.match(own, /^cat > \/Users\/ann\/Library\/LaunchAgents\/tocsin-agent\.plist <</m);
  assert.match(
    own,
    /^launchctl bootstrap gui\/1000 \/Users\/ann\/Library\/LaunchAgents\/tocsin-agent\.plist$/m,
  );
  assert.doesNotMatch(own, /UserName/);
  assert.match(own, /<string>\/Users\/ann\/Library\/Application Support\/tocsin-agent\/data<\/string>/);
  const root = { ...MAC, isRoot: true, uid: 0 };
  const daemon = scriptOf(planInstall({ ...root, sudoUser: 'a&b' }, WANTED));
  assert.match(daemon, /<key>UserName<\/key>\n {2}<string>a&amp;b<\/string>/);
  assert.match(daemon, /^launchctl bootstrap system \/Library\/LaunchDaemons\/tocsin-agent\.plist$/m);
  const alone = planInstall({ ...root, sudoUser: null }, WANTED);
  assert.ok('instead' in alone && /with sudo as the user/.test(alone.instead));
});

test('on other systems it installs nothing, and says what to do', () => {
  const cases: [Partial<Facts>, RegExp][] = [
    [{ systemdVersion: null }, /systemd does not run this machine, so nothing is installed/],
    [{ platform: 'win32', systemdVersion: null }, /no service for Windows/],
    [{ platform: 'freebsd', systemdVersion: null }, /no service for freebsd/],
    [{ realNode: '/root/.nvm/versions/node/v22.1.0/bin/node' }, /Node is in a home folder/],
    [{ realNode: '/home/ann/.volta/node' }, /Node is in a home folder/],
  ];
  for (const [facts, sentence] of cases) {
    const plan = planInstall({ ...SERVER, ...facts }, WANTED);
    assert.match('instead' in plan ? plan.instead : 'steps', sentence);
  }
  const plan = planInstall({ ...SERVER, systemdVersion: null }, WANTED);
  assert.match(
    'instead' in plan ? plan.instead : '',
    /--url https:\/\/tocsin\.example\.com --token TOKEN --data-dir/,
  );
});

test('uninstalling leaves nothing, cannot restart anything on the way, and names the data that the server keeps', () => {
  const { its, done } = machine({ systemctl: 0 });
  carryOut(stepsOf(planUninstall({ ...SERVER, hasUser: true })), its, undefined);
  assert.deepEqual(done, [
    'systemctl disable --now tocsin-agent.service',
    'remove /etc/systemd/system/tocsin-agent.service',
    'systemctl daemon-reload',
    'systemctl reset-failed tocsin-agent.service',
    'remove /usr/local/lib/tocsin-agent',
    'remove /var/lib/tocsin-agent',
    'userdel tocsin-agent',
    'say The agent is gone from this machine. Tocsin still has the host, with its history: remove it in the dashboard, under Hosts.',
  ]);
  const wrote = stepsOf(planInstall(LAPTOP, WANTED)).flatMap((step) =>
    step.kind === 'file' ? [step.path] : step.kind === 'copy' ? [step.to] : [],
  );
  const removed = stepsOf(planUninstall(LAPTOP)).flatMap((step) =>
    step.kind === 'remove' ? [step.path] : [],
  );
  for (const path of wrote)
    assert.ok(
      removed.some((each) => path === each || path.startsWith(`${each}/`)),
      path,
    );
});

test('--print shows a script that a shell accepts', () => {
  for (const facts of [SERVER, LAPTOP, { ...LAPTOP, home: "/home/a b'c" }, MAC]) {
    const script = scriptOf(planInstall(facts, WANTED));
    const { status, stderr } = spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(script, /tce_/);
  }
  assert.match(scriptOf(planInstall(SERVER, WANTED)), /--name 'ann'\\''s box'$/m);
});

test('a path with every odd character stays one argument in the unit', () => {
  const odd = { node: '/opt/no de/node', file: '/a"b\\c%d$e', dataDir: '/d' };
  const [, words] = /^ExecStart=(.*)$/m.exec(userUnit(odd, 250)) ?? [];
  assert.equal(
    words,
    String.raw`"/opt/no de/node" --jitless --max-semi-space-size=1 "/a\"b\\c%%d$$e" --service --data-dir /d`,
  );
});

test('Node is named by a path that survives its next upgrade', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-node-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'cellar/24.1.0'), { recursive: true });
  await mkdir(join(dir, 'bin'));
  const real = join(await realpath(dir), 'cellar/24.1.0/node');
  await writeFile(real, '');
  await symlink(real, join(dir, 'bin/node'));
  assert.equal(lastingPath(real, `/nowhere:bin:${dir}/bin`), join(dir, 'bin/node'));
  assert.equal(lastingPath(real, '/nowhere'), real);
  assert.equal(lastingPath(real), real);
});

test('only systemd 254 and later gets increasing restart delays', () => {
  const program = { node: '/n', file: '/f', dataDir: '/d' };
  assert.match(systemUnit(program, 254), /^RestartSec=5\nRestartSteps=6\nRestartMaxDelaySec=5min$/m);
  assert.doesNotMatch(systemUnit(program, 252), /RestartSteps/);
});

const ANALYZE = '/usr/bin/systemd-analyze';
test('systemd finds no fault in the unit, and rates the agent as well isolated', {
  skip: existsSync(ANALYZE) ? false : 'systemd-analyze is not installed',
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-unit-'));
  try {
    const version = Number(
      /^systemd (\d+)/.exec(execFileSync(ANALYZE, ['--version'], { encoding: 'utf8' }))?.[1],
    );
    const program = { node: process.execPath, file: '/x/tocsin-agent.mjs', dataDir: '/var/lib/tocsin-agent' };
    const path = join(dir, 'tocsin-agent.service');
    await mkdir(dir, { recursive: true });
    await writeFile(path, systemUnit(program, version));
    const analyze = (...words: string[]) => spawnSync(ANALYZE, words, { encoding: 'utf8' });
    const verified = analyze('verify', '--man=no', path);
    // Its user need not exist on the test's machine.
    assert.doesNotMatch(verified.stderr, /Unknown|Failed to parse|Invalid|ignoring/i, verified.stderr);
    const security = analyze('security', '--offline=true', '--no-pager', path);
    const [, exposure] = /exposure level for .*: (\d+\.\d)/.exec(security.stdout) ?? [];
    assert.ok(Number(exposure) < 3, security.stdout + security.stderr);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
