import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IMPORT_BYTES } from '#src/configuration-import/contract.ts';
import { configurationLines, type UnusableFile } from './configuration-lines.ts';

const HEADER = '{"kind":"tocsin_organization_export","data":{}}';
const project = (name: string) => `{"kind":"project","data":{"name":"${name}"}}`;
const CHECK = '{"kind":"check","data":{}}';

test('configuration is kept unchanged, history is counted, with any line endings', async () => {
  const strange = '{ "kind" : "project" ,"data":{}}';
  const file = new Blob([[HEADER, project('äö🔔'), CHECK, '', CHECK, strange, 'no json'].join('\r\n')]);
  const seen: number[] = [];
  const { lines, leftOut } = await configurationLines(file, (bytes) => seen.push(bytes));
  assert.deepEqual((await lines.text()).split(/\r?\n/).filter(Boolean), [
    HEADER,
    project('äö🔔'),
    strange,
    'no json',
  ]);
  assert.deepEqual([...leftOut], [['check', 2]]);
  assert.equal(seen.at(-1), file.size);
});

test('characters and lines split between two chunks of the stream are joined', async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `é${i}`);
  const file = new Blob([[HEADER, ...names.map(project)].join('\n')]);
  const { lines } = await configurationLines(file);
  assert.equal(await lines.text(), `${await file.text()}\n`);
});

test('a file that is no export is not read to its end, and too much configuration is not sent', async () => {
  const large = new Blob(['x'.repeat(40 * 1024 * 1024)]);
  for (const file of [new Blob([]), new Blob(['\n\n']), new Blob([CHECK]), new Blob(['PK\x03\x04']), large])
    await assert.rejects(configurationLines(file), { why: 'no_export' });
  const line = project('x'.repeat(100_000));
  const many = new Blob([HEADER, `\n${line}`.repeat(Math.ceil(IMPORT_BYTES / 100_000) + 1)]);
  await assert.rejects(
    configurationLines(many),
    (error: unknown) => (error as UnusableFile).why === 'too_large',
  );
});
