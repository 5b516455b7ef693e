// The machines of the siege: a network namespace for each, and a switch between them, which this process is on too.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { mayMakeNamespaces } from '#test/harness/partition/namespaces.ts';
import { MACHINES, type Machine, NODES, type Node } from './configuration.ts';

const run = promisify(execFile);
const IP = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((path) => existsSync(path)) ?? 'ip';
const ip = (...words: string[]) => run(IP, words);
/** Of no machine: packets to it vanish. */
const NOBODY = '02:00:00:00:00:01';
const OWN = 254;

export type Net = {
  /** The first three numbers of all addresses. */
  prefix: string;
  /** The command line that runs a program there, as `user`. */
  on: (machine: Machine, user: { uid: number; gid: number } | null, command: readonly string[]) => string[];
  /** From now on packets of this node do not reach the other nodes. Everybody else reaches it, and gets answers. */
  cut: (node: Node) => Promise<void>;
  mend: (node: Node) => Promise<void>;
};

/** Builds it; `stack` takes it down, however far it got. Throws a sentence if this machine does not allow it. */
export async function startNet(stack: AsyncDisposableStack): Promise<Net> {
  if (!(await mayMakeNamespaces()))
    throw new Error('This siege makes a network namespace for each node: run it as root on Linux.');
  const key = process.pid.toString(36);
  const prefix = `10.${64 + (process.pid % 128)}.${(process.pid >> 7) % 200}`;
  const bridge = `tf${key}`;
  const name = (machine: Machine) => `tocsin-failover-${key}-${machine}`;
  const link = (machine: Machine) => `tf${key}-${machine}`;
  stack.defer(async () => {
    for (const machine of MACHINES) await ip('netns', 'del', name(machine)).catch(() => undefined);
    await ip('link', 'del', bridge).catch(() => undefined);
  });
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('addr', 'add', `${prefix}.${OWN}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  for (const machine of MACHINES) {
    const there = name(machine);
    await ip('netns', 'add', there);
    const ends = ['link', 'add', link(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there];
    await ip(...ends);
    await ip('link', 'set', link(machine), 'master', bridge, 'up');
    await ip('-n', there, 'addr', 'add', `${prefix}.${machine}/24`, 'dev', 'eth0');
    await ip('-n', there, 'link', 'set', 'lo', 'up');
    await ip('-n', there, 'link', 'set', 'eth0', 'up');
  }
  const peersOf = (node: Node) => NODES.filter((each) => each !== node).map((each) => `${prefix}.${each}`);
  return {
    prefix,
    on: (machine, user, command) => [
      ...[IP, 'netns', 'exec', name(machine)],
      ...(user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'] : []),
      ...command,
    ],
    async cut(node) {
      for (const peer of peersOf(node))
        await ip(
          '-n',
          name(node),
          'neigh',
          'replace',
          peer,
          'lladdr',
          NOBODY,
          'dev',
          'eth0',
          'nud',
          'permanent',
        );
    },
    async mend(node) {
      for (const peer of peersOf(node)) await ip('-n', name(node), 'neigh', 'del', peer, 'dev', 'eth0');
    },
  };
}
