import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FunctionExpressionType } from 'json-p3';
import { sourceStack } from '#src/platform/source-lines.ts';
import { bundled, moved } from './program.ts';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '..');
const IN = join(ROOT, 'src/supervise/some.ts');

test('a built module finds entries beside itself, and everything else where its source is', () => {
  assert.equal(
    moved(IN, "join(import.meta.dirname, './server-process.ts')"),
    "join(import.meta.dirname, './server-process.js')",
  );
  assert.equal(
    moved(join(ROOT, 'probe/assertions/thread.ts'), "new Worker(new URL('./worker.ts', import.meta.url), {"),
    "new Worker(new URL('./judge-thread.js', import.meta.url), {",
  );
  assert.equal(
    moved(IN, "join(import.meta.dirname, '../..')"),
    `join(require('node:path').join(import.meta.dirname, "../../src/supervise"), '../..')`,
  );
  assert.equal(
    moved(IN, "new URL('page.css', import.meta.url)"),
    `new URL('page.css', new URL("../../src/supervise/some.ts", import.meta.url).href)`,
  );
});

test('a module that starts something other than an entry is refused', () => {
  assert.throws(
    () => moved(IN, "new Worker(new URL('./further.ts', import.meta.url))"),
    /further\.ts.+is no entry of pack\/program\.ts/,
  );
});

test('a library that is loaded late and would lose its names is refused', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-program-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = (name: string) => join(dir, name);
  writeFileSync(path('with-names.mjs'), 'export const answer = 42;');
  writeFileSync(path('without.cjs'), 'exports.answer = 42;');
  for (const name of ['with-names.mjs', 'without.cjs'])
    writeFileSync(path(`${name}.ts`), `export const late = () => import('./${name}');`);
  await bundled({ main: path('with-names.mjs.ts') });
  await assert.rejects(
    bundled({ main: path('without.cjs.ts') }),
    /without-\w+\.js is a library whose names are lost: add it to LEFT_ALONE/,
  );
});

test('a library that few requests need is loaded by the first of them, and answers as ever', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-program-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'asks.ts');
  writeFileSync(path, "export { generateAuthenticationOptions as ask } from '@simplewebauthn/server';");
  const files = await bundled({ main: path });
  for (const file of files) writeFileSync(join(dir, basename(file.path)), file.text);
  const main = files.find(({ path: each }) => basename(each) === 'main.js');
  assert.ok(main && main.text.length < 2_000, 'the library is in a file of its own');
  const { ask } = await import(pathToFileURL(join(dir, 'main.js')).href);
  const options = await ask({ rpID: 'tocsin.example', userVerification: 'required' });
  assert.deepEqual([options.rpId, options.userVerification], ['tocsin.example', 'required']);
});

test('a library that few servers need is loaded at its first use, and does as ever', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-program-'));
  t.after(() => rmSync(dir, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const path = join(dir, 'uses.ts');
  const uses = [
    "import { RE2JS } from 're2js';",
    "import MarkdownIt from 'markdown-it';",
    "import { compile, FunctionExpressionType } from 'json-p3';",
    'export const pattern = () => RE2JS.compile("a+", RE2JS.CASE_INSENSITIVE);',
    'export const isOne = () => pattern() instanceof RE2JS;',
    'export const bold = () => new MarkdownIt().render("**b**").trim();',
    'export const of = (value: object) => compile("$.a").query(value).values();',
    'export const type = () => FunctionExpressionType.ValueType;',
  ];
  writeFileSync(path, uses.join('\n'));
  const [main] = (await bundled({ main: path })).filter(({ path: each }) => each.endsWith('.js'));
  assert.ok(main && main.text.length < 5_000, 'no library is in the file');
  writeFileSync(join(dir, 'main.js'), main.text);
  const loaded = () => Object.keys(require.cache).filter((each) => /markdown-it|re2js|json-p3/.test(each));
  const before = loaded();
  const used = await import(pathToFileURL(join(dir, 'main.js')).href);
  assert.deepEqual(loaded(), before);
  assert.equal(used.pattern().matcher('bAa').find(), true);
  assert.equal(used.isOne(), true);
  assert.equal(used.bold(), '<p><strong>b</strong></p>');
  assert.deepEqual(used.of({ a: 1 }), [1]);
  assert.equal(used.type(), FunctionExpressionType.ValueType);
  assert.ok(loaded().length > before.length);
});

test('of the languages of Zod, a built module has the one that it speaks', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-program-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'checks.ts');
  // From a temporary folder a library is found by its path only.
  const zod = JSON.stringify(join(ROOT, 'node_modules/zod/index.js'));
  writeFileSync(
    path,
    `import { z } from ${zod};\nexport const said = z.string().safeParse(1).error?.issues[0]?.message;`,
  );
  const [main] = (await bundled({ main: path })).filter(({ path: each }) => each.endsWith('.js'));
  assert.doesNotMatch(main?.text ?? '', /erwartet instanceof/);
  writeFileSync(join(dir, 'main.js'), main?.text ?? '');
  const { said } = await import(pathToFileURL(join(dir, 'main.js')).href);
  assert.match(said, /^Invalid input: expected string/);
});

test('of its libraries, the program leaves out what it does not use', async () => {
  const files = await bundled({ 'server-process': join(ROOT, 'src/supervise/server-process.ts') });
  const maps = files.flatMap(({ path, text }) => (path.endsWith('.map') ? text : []));
  const sources: string[] = maps.flatMap((map) => JSON.parse(map).sources);
  const has = (part: string) => sources.some((source) => source.includes(`node_modules/${part}`));
  assert.ok(has('rate-limiter-flexible/lib/RateLimiterMemory.js'));
  const unused = ['rate-limiter-flexible/lib/RateLimiterMongo.js', 'zod/v4/locales/de.js'];
  const atFirstUse = ['json-p3/', 'markdown-it/', 're2js/', 'rrule-temporal/'];
  assert.deepEqual([...unused, ...atFirstUse].filter(has), []);
  // Of these, only what says so is left.
  const text = files.map((file) => file.text).join('');
  assert.equal(text.split('Error("left out")').length - 1, 2, 'glob and OpenTelemetry');
});

test('a built module is plain ASCII, does the same, and its map leads to the lines of its source', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-program-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const source = [
    '/* a comment, which is not built */',
    "const shown = (strings: TemplateStringsArray) => strings.join('');",
    'export const said = shown`a → b`;',
    'export const isSaid = /^a → b$/.test(said) && "→".length === 1;',
    "export const fail = () => new Error('on the fifth line').stack ?? '';",
  ];
  const path = join(dir, 'some.ts');
  writeFileSync(path, source.join('\n'));
  const files = await bundled({ main: path });
  // As in a checkout: the traces of these files are those of dist/program.
  const folder = join(dir, 'dist/program');
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    writeFileSync(join(folder, basename(file.path)), file.text);
    if (file.path.endsWith('.js')) assert.match(file.text, /^[\0-\x7f]*$/);
  }
  const main = await import(pathToFileURL(join(folder, 'main.js')).href);
  assert.deepEqual([main.said, main.isSaid], ['a → b', true]);
  const [, place] = sourceStack(main.fail()).split('\n');
  assert.match(place ?? '', /some\.ts:5\)?$/);
});
