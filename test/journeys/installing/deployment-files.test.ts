// Containerfile, compose.yaml, units and manifests agree with the program and with each other.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildProgram } from '#src/cli/program.ts';
import { misspeltVariables, readConfig } from '#src/config/config.ts';
import { VARIABLES, type Variable } from '#src/config/variables.ts';
import { ROOT, textOf } from '#test/harness/imports.ts';
import {
  allStarted,
  compose,
  containerfile,
  MANIFESTS,
  manifests,
  ofImage,
  pods,
  unit,
} from '#test/harness/ways-to-install.ts';

const SECRETS = { POSTGRES_PASSWORD: 'secret', SECRET_KEY: 'k'.repeat(32) };
/** What is for others: Node, the container of the database, the probe. */
const NOT_OF_THE_SERVER = ['NODE_COMPILE_CACHE', 'TMPDIR', 'POSTGRES_PASSWORD', 'TOCSIN_PROBE_TOKEN'];
const OURS = Object.values<Variable<unknown>>(VARIABLES).map(({ name }) => name);
const { version } = JSON.parse(textOf('package.json')) as { version: string };
const PORT = Number(VARIABLES.port.default);
const UID = 10001;
/** How long a server may take to stop (docs/rules/command-line.md#stop). */
const STOPS_WITHIN_S = 10;

test('every variable in a file is one of ours, and a server accepts its value', () => {
  const started = allStarted(SECRETS);
  assert.equal(started.length, 6);
  for (const { file, words, env } of started) {
    const strange = Object.keys(env).filter(
      (name) => !OURS.includes(name) && !NOT_OF_THE_SERVER.includes(name),
    );
    assert.deepEqual(strange, [], file);
    assert.deepEqual(misspeltVariables(env), [], file);
    if (words[0] !== 'probe') assert.doesNotThrow(() => readConfig(env), file);
  }
});

test('a server in a container is reachable from outside, and keeps its data in the volume', () => {
  for (const { file, words, env } of allStarted(SECRETS)) {
    if (words[0] !== 'serve' || file.startsWith('docs/systemd')) continue;
    const { host, port, dataDir } = readConfig(env);
    assert.deepEqual({ host, port, dataDir }, { host: '0.0.0.0', port: PORT, dataDir: '/data' }, file);
  }
  assert.deepEqual(ofImage('VOLUME'), ['/data']);
});

test('every command in a file exists, with its options', () => {
  const { commands } = buildProgram(version);
  for (const { file, words } of allStarted(SECRETS)) {
    const command = commands.find((each) => each.name() === words[0]);
    assert.ok(command, `${file} starts ${words.join(' ')}`);
    const options = command.options.map(({ long }) => long);
    const strange = words.filter((word) => word.startsWith('--') && !options.includes(word));
    assert.deepEqual(strange, [], file);
  }
});

test('all files name the same version, port and user', () => {
  const { tocsin } = compose(SECRETS).services;
  assert.equal(tocsin?.image, `tocsin:${version}`);
  assert.ok(ofImage('ARG').includes(`VERSION=${version}`));
  for (const folder of ['.', 'migrate']) {
    const [{ images } = {}] = manifests(`${folder}/kustomization.yaml`) as { images?: unknown }[];
    assert.deepEqual(images, [{ name: 'tocsin', newName: 'registry.example.com/tocsin', newTag: version }]);
  }
  assert.deepEqual(ofImage('USER'), [`${UID}:${UID}`]);
  assert.match(textOf('Containerfile'), new RegExp(`useradd --uid ${UID} --gid ${UID} `));
  assert.deepEqual(ofImage('EXPOSE'), [String(PORT)]);
  assert.match(textOf('compose.yaml'), new RegExp(`- 127\\.0\\.0\\.1:${PORT}:${PORT}\\n`));
  for (const [file, { securityContext, containers }] of pods()) {
    const { runAsUser, runAsGroup, fsGroup = UID } = securityContext;
    assert.deepEqual([runAsUser, runAsGroup, fsGroup], [UID, UID, UID], file);
    for (const { image, ports = [] } of containers) {
      assert.equal(image, 'tocsin', file);
      assert.deepEqual(
        ports.map(({ containerPort }) => containerPort).filter((port) => port !== PORT),
        [],
      );
    }
  }
});

test('no file kills a server before its stop timeout', () => {
  const { tocsin } = compose(SECRETS).services;
  assert.ok(Number.parseInt(tocsin?.stop_grace_period ?? '', 10) > STOPS_WITHIN_S);
  for (const name of ['tocsin', 'tocsin-probe']) {
    const [, limit = ''] =
      unit(`docs/systemd/${name}.service`).find(([key]) => key === 'TimeoutStopSec') ?? [];
    assert.ok(Number(limit) > STOPS_WITHIN_S, name);
  }
  for (const [file, { terminationGracePeriodSeconds = 30 }] of pods())
    assert.ok(terminationGracePeriodSeconds > STOPS_WITHIN_S, file);
});

test('everything that the Containerfile copies and starts exists, and so does what the manifests are built from', () => {
  const [entry = ''] = ofImage('ENTRYPOINT');
  const [health = ''] = ofImage('HEALTHCHECK');
  const programs = [...`${entry} ${health}`.matchAll(/\/opt\/tocsin\/([^"]+)/g)].map(
    ([, path]) => path ?? '',
  );
  assert.deepEqual(programs, ['bin/tocsin.js', 'bin/health.js']);
  const inCompose = compose(SECRETS).services.tocsin?.healthcheck.test ?? [];
  assert.deepEqual(inCompose, ['CMD', 'node', '/opt/tocsin/bin/health.js']);
  const sent = textOf('.dockerignore').matchAll(/^!\/(.+)$/gm);
  const paths = [...programs, ...[...sent].map(([, path]) => path ?? '')];
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
  assert.equal(containerfile().filter(({ name }) => name === 'FROM').length, 2);

  const folder = join(ROOT, 'docs/kubernetes');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  const kustomizations = ['kustomization.yaml', 'migrate/kustomization.yaml'];
  assert.deepEqual(files.sort(), [...MANIFESTS, ...kustomizations].sort());
  const resources = kustomizations.flatMap((name) =>
    manifests(name).flatMap((each) => each.resources as string[]),
  );
  // The Secret is an example to copy.
  assert.deepEqual(
    [...resources, 'secret.yaml'].sort(),
    MANIFESTS.map((name) => name.replace('migrate/', '')).sort(),
  );
});
