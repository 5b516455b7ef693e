// Images that stand in for public ones, made from Debian's packages and from what is on this machine: nothing is pulled.
import { chmod, copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { machineNode } from '#test/harness/machine-node.ts';
import type { Podman } from './podman.ts';

export const BASE = 'localhost/debian:bookworm';
export const NODE = 'localhost/node:machine';
export const POSTGRES = 'docker.io/library/postgres:18';
const MIRRORS = [
  'deb http://deb.debian.org/debian bookworm main',
  'deb http://deb.debian.org/debian-security bookworm-security main',
];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Debian without documentation, as its slim image. */
export async function makeBase({ dir, say, run }: Podman): Promise<void> {
  const tar = join(dir, 'base.tar');
  const without = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const words = ['--mode=root', '--variant=minbase', ...without, 'bookworm', tar, ...MIRRORS];
  const { code, err } = await say('mmdebstrap', words);
  if (code !== 0) throw new Error(`mmdebstrap ${words.join(' ')}\n${err.slice(-4_000)}`);
  await run('import', tar, BASE);
  await rm(tar);
}

/** It, with the Node and the npm of this machine, and the authorities that it trusts. */
export async function makeNode(podman: Podman): Promise<void> {
  const folder = join(podman.dir, 'node');
  await mkdir(folder);
  const node = machineNode();
  await copyFile(node, join(folder, 'node'));
  await cp(join(dirname(node), '../lib/node_modules/npm'), join(folder, 'npm'), { recursive: true });
  await copyFile(CERTIFICATES, join(folder, 'authorities.crt'));
  const file = join(folder, 'Containerfile');
  await writeFile(
    file,
    `FROM ${BASE}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.crt /usr/local/share/authorities.crt
ENV NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  );
  await podman.build(NODE, folder, file);
  await rm(folder, { recursive: true });
}

/** Starts as the public image does, as far as compose.yaml uses it. */
const ENTRY = `#!/bin/sh
set -eu
data=/var/lib/postgresql/data
if [ ! -s $data/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata=$data --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust \\
    --auth-host=scram-sha-256 --encoding=UTF8 --locale=C > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "create database \\"$POSTGRES_DB\\"" | postgres --single -D $data postgres > /dev/null
fi
exec postgres -D $data -c listen_addresses='*'
`;

/** Debian's PostgreSQL under the name of the public image: an older version, with the same variables and the same volume. */
export async function makePostgres(podman: Podman): Promise<void> {
  const folder = join(podman.dir, 'postgres');
  await mkdir(folder);
  await writeFile(join(folder, 'entry.sh'), ENTRY);
  await chmod(join(folder, 'entry.sh'), 0o755);
  const file = join(folder, 'Containerfile');
  await writeFile(
    file,
    `FROM ${BASE}
RUN apt-get update \\
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends postgresql-15 \\
 && rm -rf /var/lib/apt/lists/*
COPY entry.sh /entry.sh
ENV PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
USER postgres
ENTRYPOINT ["/entry.sh"]
`,
  );
  await podman.build(POSTGRES, folder, file);
  await rm(folder, { recursive: true });
}
