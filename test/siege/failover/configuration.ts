// The examples of docs/high-availability as the siege runs them: its addresses, ports and folders in place of the examples' own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '../../../docs/high-availability');
export const NODES = [1, 2, 3] as const;
export type Node = (typeof NODES)[number];

export type Ports = { postgres: number; rest: number; client: number; peer: number; replica: number };
export const addressOf = (node: Node | 10): string => `127.0.1.${node}`;
/** Of the examples. */
export const PASSWORD = 'change-me-1';

const example = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

/** The examples have addresses in 10.0.0.0/24, and the usual ports. */
function placed(text: string, ports: Ports): string {
  return text
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('10.0.0.', '127.0.1.')
    .replaceAll(':5432', `:${ports.postgres}`)
    .replaceAll(':5433', `:${ports.replica}`)
    .replaceAll(':8008', `:${ports.rest}`)
    .replaceAll('port 8008', `port ${ports.rest}`)
    .replaceAll(':2379', `:${ports.client}`)
    .replaceAll(':2380', `:${ports.peer}`);
}

/** What node 1 says of itself, said of this one; what it says of all three stays. */
function saidOf(node: Node, text: string): string {
  const ownLines =
    /^( *)(name|listen|connect_address|(?:listen|advertise|initial-advertise)-(?:client|peer)-urls):.*$/gm;
  return text.replaceAll(ownLines, (line) =>
    line.replace('node1', `node${node}`).replace(addressOf(1), addressOf(node)),
  );
}

export function etcdConfig(node: Node, ports: Ports, folder: string): string {
  const text = saidOf(node, placed(example('etcd.yml'), ports));
  return replaced(text, '/var/lib/etcd/tocsin', join(folder, `etcd${node}`));
}

export function patroniConfig(node: Node, ports: Ports, folder: string, binDir: string): string {
  const placedText = saidOf(node, placed(example('patroni.yml'), ports));
  const data = replaced(placedText, '/var/lib/postgresql/15/tocsin', join(folder, `postgres${node}`));
  const passes = replaced(data, '/var/lib/postgresql/.pgpass-patroni', join(folder, `pgpass${node}`));
  const sockets = replaced(passes, '/var/run/postgresql', join(folder, `sockets${node}`));
  return replaced(sockets, '/usr/lib/postgresql/15/bin', binDir);
}

export const haproxyConfig = (ports: Ports): string => placed(example('haproxy.cfg'), ports);

function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the example does not say ${what}`);
  return text.replaceAll(what, by);
}
