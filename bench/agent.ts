// The cost of a host agent on its machine: processor time of the process and of everything it starts, and memory. Uses the
// single file that hosts download, over TLS, with a server that answers at once.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../agent/service/node-flags.ts';
import { bundle, endBundling } from '../src/supervise/single-file.ts';
import { authority } from '../test/harness/certificates.ts';
import { machineNode } from '../test/harness/machine-node.ts';
import type { Context, RunBench } from './figure.ts';
import { cpuSeconds, memoryOf } from './processes.ts';

const ROOT = join(import.meta.dirname, '..');
const WATCHED = ['node', 'sshd', 'nginx', 'postgres', 'cron'].map((name) => ({ kind: 'process', name }));

/** Measured from here on: the first answers compile code that runs only then. */
const WARM_UP_SECONDS = 20;

type Subject = {
  name: string;
  node: string;
  intervalSeconds: number;
  /** It watches five processes, and sends names. */
  busy: boolean;
  child?: ChildProcess;
  heartbeats: number;
};
type Look = { cpuMs: number; heartbeats: number; atMs: number; rssMb: number };

export const agent: RunBench = async (context) => {
  const seconds = context.quick ? 10 : 180;
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-bench-agent-'));
  context.hooks.add('its folder', () => rm(folder, { recursive: true, force: true }));
  context.say('building the single file');
  const file = join(folder, 'tocsin-agent.mjs');
  const name = 'tocsin-agent.mjs';
  await writeFile(file, await bundle({ root: ROOT, entry: 'agent/single-file.ts', name, version: '0.0.0' }));
  await endBundling();

  const nodes = [...new Set([process.execPath, machineNode()])];
  const subjects: Subject[] = nodes.flatMap((node) => {
    const version = execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim();
    return [[1, false] as const, [1, true] as const, [5, false] as const, [60, true] as const].map(
      ([intervalSeconds, busy]) => ({
        name: `Node ${version.slice(1)}, every ${intervalSeconds} s${busy ? ', 5 watched, names' : ''}`,
        ...{ node, intervalSeconds, busy, heartbeats: 0 },
      }),
    );
  });
  const { url, ca } = await answering(context, subjects);
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  for (const [i, subject] of subjects.entries()) {
    const words = ['--url', `${url}/${i}`, '--token', 'x', '--data-dir', join(folder, `${i}`)];
    const child = spawn(subject.node, [...NODE_FLAGS, file, ...words], {
      env: { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: caFile, HOME: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    subject.child = child;
    context.hooks.add(subject.name, async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    });
  }
  context.say(`${subjects.length} agents for ${WARM_UP_SECONDS} s, and then for ${seconds} s that count`);
  await sleep(WARM_UP_SECONDS * 1000, undefined, { signal: context.signal });
  const before = subjects.map(look);
  await sleep(seconds * 1000, undefined, { signal: context.signal });
  const rows = subjects.map((subject, i) => rowOf(subject, before[i]!, look(subject)));
  return {
    rows,
    notes: [
      'CPU is user and system time with that of ended children, in clock ticks of 10 ms. "beside" is the limit: 0.5 % of a core is 300 ms a minute.',
      'ms a heartbeat includes what the runtime does between heartbeats; at 60 s that is most of it.',
      `Percent of a core at 60 s: measured over ${seconds} s for those that send every 60 s, else one heartbeat a minute at their cost. RSS is at the end.`,
    ],
  };
};

function look({ child, heartbeats }: Subject): Look {
  const pids = [child!.pid!];
  const rssMb = memoryOf(pids).rssBytes / 1024 / 1024;
  return { cpuMs: cpuSeconds(pids) * 1000, heartbeats, atMs: performance.now(), rssMb };
}

function rowOf(subject: Subject, before: Look, after: Look) {
  const cpuMs = after.cpuMs - before.cpuMs;
  const heartbeats = after.heartbeats - before.heartbeats;
  const each = cpuMs / heartbeats;
  const share = subject.intervalSeconds === 60 ? cpuMs / (after.atMs - before.atMs) : each / 60_000;
  return {
    figure: subject.name,
    tocsin: `${each.toFixed(1)} ms a heartbeat, ${(share * 100).toFixed(3)} % of a core at 60 s, ${after.rssMb.toFixed(1)} MB`,
    beside: '0.5 %, 60 MB',
    ratio: `${heartbeats} heartbeats`,
  };
}

/** One server for all agents, each under its own path. */
async function answering(context: Context, subjects: readonly Subject[]) {
  const issuer = await authority();
  const server = https.createServer(await issuer.issue(), (request, response) => {
    const subject = subjects[Number(request.url?.split('/')[1])]!;
    const { intervalSeconds, busy } = subject;
    const reply = request.url?.endsWith('/enroll')
      ? {
          agent_id: `agt_${subject.name}`.replace(/\W/g, ''),
          credential: 'x',
          interval_seconds: intervalSeconds,
        }
      : {
          ...{ interval_seconds: intervalSeconds, server_time_ms: Date.now(), latest_version: '0.0.0' },
          ...{ watched_services: busy ? WATCHED : [], inventory_enabled: busy },
        };
    request.resume().on('end', () => {
      if (request.url?.endsWith('/heartbeat')) subject.heartbeats += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.hooks.add('its server', async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: issuer.cert };
}
