// The examples of docs/high-availability as the siege runs them: with its addresses and folders instead of the examples' own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '../../../docs/high-availability');
export const NODES = [1, 2, 3] as const;
export type Node = (typeof NODES)[number];
/** The nodes, and the machine of HAProxy. */
export const MACHINES = [...NODES, 10] as const;
export type Machine = (typeof MACHINES)[number];

/** Of the examples. */
export const PASSWORD = 'change-me-1';
export const PORTS = { primary: 5432, replica: 5433, patroni: 8008 };

const example = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

/** The examples have addresses in 10.0.0.0/24. */
const placed = (text: string, prefix: string) => text.replaceAll('10.0.0.', `${prefix}.`);

/** Replaces node 1's own values by those of this node; values for all three stay. */
function saidOf(node: Node, text: string, prefix: string): string {
  const ownLines =
    /^( *)(name|listen|connect_address|(?:listen|advertise|initial-advertise)-(?:client|peer)-urls):.*$/gm;
  return text.replaceAll(ownLines, (line) =>
    line.replace('node1', `node${node}`).replace(`${prefix}.1`, `${prefix}.${node}`),
  );
}

export function etcdConfig(node: Node, prefix: string, folder: string): string {
  const text = saidOf(node, placed(example('etcd.yml'), prefix), prefix);
  return replaced(text, '/var/lib/etcd/tocsin', join(folder, `etcd${node}`));
}

export function patroniConfig(node: Node, prefix: string, folder: string, binDir: string): string {
  const placedText = saidOf(node, placed(example('patroni.yml'), prefix), prefix);
  const data = replaced(placedText, '/var/lib/postgresql/17/tocsin', join(folder, `postgres${node}`));
  const passes = replaced(data, '/var/lib/postgresql/.pgpass-patroni', join(folder, `pgpass${node}`));
  const sockets = replaced(passes, '/var/run/postgresql', join(folder, `sockets${node}`));
  return replaced(sockets, '/usr/lib/postgresql/17/bin', binDir);
}

export const haproxyConfig = (prefix: string): string => placed(example('haproxy.cfg'), prefix);

function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the example does not say ${what}`);
  return text.replaceAll(what, by);
}
