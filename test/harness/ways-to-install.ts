// The files with which Tocsin is installed, parsed as their readers parse them: Containerfile, compose.yaml, systemd units and
// Kubernetes manifests (docs/installing.md).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './imports.ts';

/** A process that one of the files starts: its arguments after `tocsin`, and our variables in its environment. */
export type Started = { file: string; words: string[]; env: Record<string, string> };

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The instructions of the Containerfile, in order; their stage is the number of `FROM` before them. */
export function containerfile(): { stage: number; name: string; value: string }[] {
  const lines = read('Containerfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  let stage = 0;
  return lines.flatMap((line) => {
    const [, name, value] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    if (name === 'FROM') stage += 1;
    return [{ stage, name, value: value.replaceAll(/ +/g, ' ') }];
  });
}

/** The values of an instruction in the stage that becomes the image. */
export const ofImage = (name: string): string[] =>
  containerfile()
    .filter((each) => each.stage === 2 && each.name === name)
    .map(({ value }) => value);

/** KEY=value pairs, as in an ENV instruction. */
const pairsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)=("[^"]*"|\S*)/g)].map(([, key, value]) => [key, value]));

const imageEnvironment = () => Object.assign({}, ...ofImage('ENV').map(pairsIn)) as Record<string, string>;

/** A command of the image, without the words of its entry point. */
const wordsOfImage = (given: string[] | undefined) => given ?? (parse(ofImage('CMD')[0] ?? '[]') as string[]);

type Service = {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  stop_grace_period: string;
  healthcheck: { test: string[] };
};
export const compose = (given: Record<string, string>) =>
  parse(
    read('compose.yaml').replaceAll(
      /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
      (_, name: string, other = '') => given[name] ?? other,
    ),
  ) as { services: Record<string, Service> };

/** The lines of a unit's section, as pairs. */
export const unit = (path: string): [key: string, value: string][] =>
  [...read(path).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]);

function startedByUnit(path: string, environment: string): Started {
  const lines = unit(path);
  const [, line = ''] = lines.find(([key]) => key === 'ExecStart') ?? [];
  const given = lines.filter(([key]) => key === 'Environment').map(([, value]) => value);
  return {
    file: path,
    words: line.split(' ').slice(line.split(' ').findIndex((word) => /tocsin\.js$/.test(word)) + 1),
    env: Object.assign({}, ...given.map(pairsIn), variablesIn(environment)),
  };
}

/** The variables that an environment file sets, and those that it proposes in a comment. */
function variablesIn(text: string): Record<string, string> {
  const lines = text.matchAll(/^#?([A-Z_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

export type Manifest = { apiVersion: string; kind: string; metadata?: { name: string } } & Record<
  string,
  unknown
>;

/** The documents of a file below docs/kubernetes. */
export const manifests = (name: string): Manifest[] =>
  // The same labels are anchored once, and repeated.
  parseAllDocuments(read(`docs/kubernetes/${name}`)).map((each) => each.toJS() as Manifest);

export const MANIFESTS = [
  'settings.yaml',
  'secret.yaml',
  'server.yaml',
  'probe.yaml',
  'ingress.yaml',
  'migrate/job.yaml',
] as const;

export type Container = {
  image: string;
  args: string[];
  env?: { name: string }[];
  envFrom?: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports?: { containerPort: number }[];
};
export type Pod = {
  securityContext: { runAsUser: number; runAsGroup: number; fsGroup?: number };
  terminationGracePeriodSeconds?: number;
  containers: Container[];
};

/** Every pod of the manifests, by its file. */
export const pods = (): [file: string, pod: Pod][] =>
  MANIFESTS.flatMap((name) =>
    manifests(name).flatMap((each) => {
      const { template } = (each.spec ?? {}) as { template?: { spec: Pod } };
      return template === undefined ? [] : [[name, template.spec] as [string, Pod]];
    }),
  );

function startedByPod([file, { containers }]: [string, Pod]): Started {
  const [{ args, env = [], envFrom = [] } = { args: [] }] = containers;
  const all = MANIFESTS.flatMap(manifests);
  const from = envFrom.map((each) => {
    const [kind, { name }] =
      'secretRef' in each
        ? (['Secret', each.secretRef] as const)
        : (['ConfigMap', each.configMapRef] as const);
    const found = all.find((one) => one.kind === kind && one.metadata?.name === name);
    return found?.[kind === 'Secret' ? 'stringData' : 'data'] as Record<string, string>;
  });
  const own = Object.fromEntries(env.map(({ name }) => [name, 'given']));
  return {
    file: `docs/kubernetes/${file}`,
    words: args,
    env: Object.assign(imageEnvironment(), ...from, own),
  };
}

/** Everything that the files start. `secrets`: the variables that a person puts into the file .env, or into a Secret. */
export function allStarted(secrets: Record<string, string>): Started[] {
  const { tocsin } = compose(secrets).services;
  return [
    { file: 'Containerfile', words: wordsOfImage(undefined), env: imageEnvironment() },
    {
      file: 'compose.yaml',
      words: wordsOfImage(tocsin?.command),
      env: { ...imageEnvironment(), ...secrets, ...tocsin?.environment },
    },
    startedByUnit('docs/systemd/tocsin.service', read('docs/systemd/tocsin.env')),
    ...pods().map(startedByPod),
  ].map((each) => ({
    ...each,
    env: Object.fromEntries(
      Object.entries(each.env).map(([name, value]) => [name, value || (secrets[name] ?? '')]),
    ),
  }));
}
