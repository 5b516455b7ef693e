// The manifests of docs/kubernetes against the types of the Kubernetes API: a field that it does not know, or of another type, fails.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '#test/harness/imports.ts';
import { MANIFESTS, type Manifest, manifests } from '#test/harness/ways-to-install.ts';

/** What the compiler has against manifests, a line each. */
async function compiled(t: TestContext, all: readonly Manifest[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-manifests-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const text = all.map((manifest, i) => {
    const { apiVersion, kind } = manifest;
    const from = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '');
    return `import type { ${kind} as Kind${i} } from 'kubernetes-types/${from}';
export const manifest${i}: Kind${i} = ${JSON.stringify(manifest, null, 1)};`;
  });
  await writeFile(join(dir, 'manifests.ts'), text.join('\n'));
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--types', ''];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    const where = ['--moduleResolution', 'bundler', join(dir, 'manifests.ts')];
    execFile(process.execPath, [tsc, ...words, ...where], { cwd: dir }, (_error, out, err) =>
      resolve(`${out}${err}`),
    );
  });
}

test('every manifest is valid for Kubernetes, in all its fields', async (t) => {
  assert.equal(await compiled(t, MANIFESTS.flatMap(manifests)), '');
});

test('a misspelt field, or one of the wrong type, is found', async (t) => {
  const [deployment] = manifests('server.yaml');
  const spec = deployment?.spec as object;
  const wrong = await compiled(t, [
    { ...deployment!, spec: { ...spec, replicas: '2' } },
    { ...deployment!, spec: { ...spec, minReadySecond: 5 } },
  ]);
  assert.match(wrong, /Type 'string' is not assignable to type 'number'/);
  assert.match(wrong, /minReadySecond"' does not exist/);
});
