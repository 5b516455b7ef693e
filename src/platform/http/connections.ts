// Limits the server's connections to its file descriptors, with a reserve for the database, probes and deliveries. An excess
// connection is closed at once, at the expense of the address that has most.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientBlock } from '#src/domain/client-block.ts';
import type { Log } from '../log.ts';

/** Reserve for deliveries, notices, the database and files. */
const RESERVED = 300;
/** Each connection costs some 10 KB; an installation with more belongs behind a proxy. */
const MAX_CONNECTIONS = 4096;

/** Connections for a process with this many descriptors. If they are few, at least half stay in reserve. */
export function connectionsFor(openFiles: number): number {
  return Math.min(MAX_CONNECTIONS, openFiles - Math.min(RESERVED, Math.ceil(openFiles / 2)));
}

/** With fewer descriptors than this, an installation may run out of them even without an attack. */
const FEW_FILES = 1024;

/** The number of connections that this process can have; logs it if its limit on open files is low. */
export function connectionsOfProcess(log: Log): number {
  const files = openFilesLimit();
  if (files < FEW_FILES)
    log.warn({ open_files: files }, `the limit on open files is low; raise it (ulimit -n ${FEW_FILES})`);
  return connectionsFor(files);
}

/** How many files this process may open (`ulimit -n`); Infinity if the system has no limit. */
export function openFilesLimit(): number {
  const text = systemLimit();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

function systemLimit(): string {
  if (process.platform === 'linux')
    return /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as unknown as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? '');
}

/**
 * Keeps at most `most` connections. One too many closes an idle connection of the address that has most, else any idle
 * one, else a busy one of the address that has most. If that is the newcomer's address, the newcomer is closed.
 */
export function capConnections(http: FastifyInstance, most: number): void {
  const byAddress = new Map<string, Set<Socket>>();
  const busy = new Set<Socket>();
  let total = 0;

  http.server.on('connection', (socket: Socket) => {
    const address = clientBlock(socket.remoteAddress ?? '');
    const own = byAddress.get(address) ?? new Set();
    own.add(socket);
    byAddress.set(address, own);
    total += 1;
    socket.once('close', () => {
      total -= 1;
      own.delete(socket);
      busy.delete(socket);
      if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address);
    });
    if (total > most) whoGoes(socket, own).destroy();
  });
  http.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
  });

  function whoGoes(newcomer: Socket, own: Set<Socket>): Socket {
    const isIdle = (socket: Socket) => socket !== newcomer && !socket.destroyed && !busy.has(socket);
    let greediest = own;
    for (const each of byAddress.values()) if (each.size > greediest.size) greediest = each;
    const idle =
      [...greediest].find(isIdle) ?? [...byAddress.values()].flatMap((each) => [...each]).find(isIdle);
    return idle ?? (greediest === own ? newcomer : [...greediest].at(-1)!);
  }
}
