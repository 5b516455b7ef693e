// The net as network namespaces joined by veth pairs; a line is cut by taking its link down, so that packets vanish. The
// machine's own network gets no link of them: one that comes or goes breaks what browsers of other tests are loading.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Net, Place, Probing } from './net.ts';
import { PROBING } from './net.ts';

const execute = promisify(execFile);
const IP = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((path) => existsSync(path));
const ip = (...words: string[]) => execute(IP ?? 'ip', words);

/** Whether this process may create namespaces (mostly root on Linux). */
export async function mayMakeNamespaces(): Promise<boolean> {
  if (IP === undefined || process.getuid?.() !== 0) return false;
  const name = `tocsin-try-${process.pid}`;
  try {
    await ip('netns', 'add', name);
    await ip('netns', 'del', name);
    return true;
  } catch {
    return false;
  }
}

const PORT = 3300;
const TARGET_PORT = 8080;
const DOOR = join(import.meta.dirname, 'door-process.ts');

/** Builds them; they are gone when the test is over. Addresses are of 10/8, picked by the process id. */
export async function namespaces(t: TestContext): Promise<Net> {
  const key = process.pid.toString(36);
  const name = (place: Place) => `tcs-${key}-${place}`;
  const second = 64 + (process.pid % 128);
  const third = (process.pid >> 7) % 200;
  // Every pair of ends has a /30 of its own: server lines 0 to 2, target lines 3 to 5.
  const address = (line: number, end: 1 | 2) => `10.${second}.${third}.${line * 4 + end}`;
  const serverAddress = `10.${second}.${third + 1}.1`;
  const targetAddress = `10.${second}.${third + 1}.2`;
  // A short name: an interface has at most 15 characters.
  const link = (line: number, end: 'a' | 'b') => `t${key}${line}${end}`;
  t.after(async () => {
    for (const place of ['hub', ...PROBING] as const)
      await ip('netns', 'del', name(place)).catch(() => undefined);
  });

  for (const place of ['hub', ...PROBING] as const) {
    await ip('netns', 'add', name(place));
    await ip('-n', name(place), 'link', 'set', 'lo', 'up');
  }
  const hub = name('hub');
  for (const own of [serverAddress, targetAddress])
    await ip('-n', hub, 'addr', 'add', `${own}/32`, 'dev', 'lo');
  const joinHub = async (line: number, place: Probing, to: string) => {
    const there = name(place);
    await ip(
      'link',
      'add',
      link(line, 'a'),
      'netns',
      hub,
      'type',
      'veth',
      'peer',
      'name',
      link(line, 'b'),
      'netns',
      there,
    );
    await ip('-n', hub, 'addr', 'add', `${address(line, 1)}/30`, 'dev', link(line, 'a'));
    await ip('-n', there, 'addr', 'add', `${address(line, 2)}/30`, 'dev', link(line, 'b'));
    await ip('-n', hub, 'link', 'set', link(line, 'a'), 'up');
    await ip('-n', there, 'link', 'set', link(line, 'b'), 'up');
    await ip('-n', there, 'route', 'add', to, 'via', address(line, 1));
  };
  for (const place of PROBING) {
    await joinHub(place - 1, place, serverAddress);
    await joinHub(place + 2, place, targetAddress);
  }
  /** The far end is taken down: the probe's packets leave and are never answered. */
  const line = (no: number) => ({
    cut: async () => void (await ip('-n', hub, 'link', 'set', link(no, 'a'), 'down')),
    mend: async () => void (await ip('-n', hub, 'link', 'set', link(no, 'a'), 'up')),
  });
  const run: Net['run'] = (place, args, env) =>
    spawn(IP ?? 'ip', ['netns', 'exec', name(place), process.execPath, ...args], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
  return {
    made: 'network namespaces',
    run,
    server: { bind: { HOST: '0.0.0.0', PORT: String(PORT) }, url: await openDoor(t, run) },
    serverFrom: () => `http://${serverAddress}:${PORT}`,
    target: {
      bind: { host: targetAddress, port: TARGET_PORT },
      url: `http://${targetAddress}:${TARGET_PORT}/`,
    },
    probeEnv: () => ({}),
    toServer: (place) => line(place - 1),
    toTarget: (place) => line(place + 2),
  };
}

/** Lets this process reach the server in the hub; answers the URL on this machine's loopback. Closed after the test. */
async function openDoor(t: TestContext, run: Net['run']): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-door-'));
  const path = join(dir, 'socket');
  const inside = run('hub', [DOOR, path, String(PORT)], {});
  const sockets = new Set<Socket>();
  const outside = createServer((near) => {
    const far = connect(path);
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    outside.close();
    const ended = once(inside, 'exit');
    if (inside.kill()) await ended;
    await rm(dir, { recursive: true, force: true });
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
}
