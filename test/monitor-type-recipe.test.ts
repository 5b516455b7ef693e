// The recipe for a new monitor type in CONTRIBUTING.md is complete, and works: a made-up type is added by its steps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { ROOT, sourceFiles, textOf } from './harness/imports.ts';

const RECIPE =
  /- \*\*monitor type\*\*([\s\S]*?)\n- \*\*/.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1] ??
  '';
/** Whole paths in the recipe: `src/monitors/types/<type>/`, `probe/types.ts`. */
const NAMED = [...RECIPE.matchAll(/`((?:src|probe|web|test)\/[^`]+)`/g)].map(([, path]) => path ?? '');
const FOLDERS = NAMED.filter((path) => path.includes('<type>'));

/** Names of these types are words of nothing else, but for the transport of DNS. */
const TYPES = ['grpc', 'udp', 'websocket'];
const ELSEWHERE = {
  udp: ['src/monitors/types/dns/', 'web/src/pages/monitors/types/dns/', 'probe/capsule/look-up-dns.ts'],
} as Record<string, string[]>;

for (const type of TYPES)
  test(`${type} is named only in the files of the recipe for a new type`, () => {
    const folders = [...FOLDERS.map((folder) => folder.replace('<type>', type)), ...(ELSEWHERE[type] ?? [])];
    const name = new RegExp(`(['"\`])${type}\\1|\\b${type}\\b\\s*[:,(]|types/${type}/`);
    const naming = sourceFiles(['src', 'probe', 'web/src'])
      .filter((path) => !/\.test\.tsx?$/.test(path) && !folders.some((folder) => path.startsWith(folder)))
      .filter((path) => name.test(textOf(path).replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')));
    const listed = NAMED.filter((path) => /^(src|probe|web)\//.test(path) && /(?<!\.test)\.tsx?$/.test(path));
    assert.deepEqual(naming.sort(), listed.sort());
  });

let copy: string;
before(() => {
  copy = mkdtempSync(join(tmpdir(), 'tocsin-recipe-'));
  for (const folder of ['src', 'probe', 'web/src'])
    cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  addMadeUpType();
});
after(() => rmSync(copy, { recursive: true, force: true }));

/** Follows the steps: the folders and the lines of `udp`, once more under the name of the made-up type. */
function addMadeUpType(): void {
  const renamed = (text: string) =>
    text.replace(/\budp\b/g, 'madeup').replace(/\bUdp(?=Config|Values|Fields)/g, 'Madeup');
  for (const folder of FOLDERS) {
    const to = join(copy, folder.replace('<type>', 'madeup'));
    cpSync(join(copy, folder.replace('<type>', 'udp')), to, { recursive: true });
    for (const file of readdirSync(to)) {
      const path = join(to, file.replace('Udp', 'Madeup'));
      renameSync(join(to, file), path);
      writeFileSync(path, renamed(readFileSync(path, 'utf8')));
    }
  }
  for (const list of NAMED.filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.startsWith('test/'))) {
    const path = join(copy, list);
    const lines = readFileSync(path, 'utf8').split('\n');
    const added = lines.flatMap((line, at) => {
      if (!/\budp\b|\bUdpConfig\b/.test(line)) return [line];
      // A list within one line gets one entry more, any other line stands again; what it opens, before it as a whole.
      if (/, 'udp',/.test(line)) return [line.replace("'udp',", "'udp', 'madeup',")];
      const end = line.endsWith('{') ? lines.indexOf(`${/^ */.exec(line)?.[0]}},`, at) : -1;
      return end < 0 ? [line, renamed(line)] : [...lines.slice(at, end + 1).map(renamed), line];
    });
    writeFileSync(path, added.join('\n'));
  }
}

test('a made-up type added by the recipe is accepted by the server and checked by a probe', () => {
  const program = `
    import { createSocket } from 'node:dgram';
    import { validType } from '#src/monitors/types.ts';
    import { targetChecks, validateConfig } from '#src/monitors/types/rules.ts';
    import { withDefaults } from '#src/monitors/types/defaults.ts';
    import { expectationWords } from '#src/domain/expectation-words.ts';
    import { check, CHECKED_TYPES } from '#probe/types.ts';
    import { TYPES } from '#web/pages/monitors/types.ts';
    const server = createSocket('udp4').on('message', (data, from) => server.send(data, from.port, from.address));
    await new Promise((bound) => server.bind(0, '127.0.0.1', bound));
    const { form } = await TYPES.madeup.form();
    const typed = { ...form.initial, host: '127.0.0.1', port: server.address().port, payload: 'hello' };
    const rules = validType('madeup');
    const config = withDefaults(rules.schema, form.write(typed));
    validateConfig(rules, config, targetChecks({ allowSingleLabel: false, allowPrivate: true }));
    const seen = await check('madeup', config, { policy: { allowPrivate: true } });
    server.close();
    console.log(JSON.stringify({
      status: seen.status,
      timeout: config.timeout_ms,
      problems: Object.values(form.problems(typed)).filter((problem) => problem !== null),
      checked: CHECKED_TYPES.includes('madeup'),
      expects: expectationWords('madeup', config),
    }));`;
  const file = join(copy, 'walk.ts');
  writeFileSync(file, program);
  const said = execFileSync(process.execPath, ['--no-warnings', file], { cwd: copy, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(said), {
    status: 'up',
    timeout: 3_000,
    problems: [],
    checked: true,
    expects: 'an answer within 3 s',
  });
});

test('a made-up type added by the recipe is offered in its group, shown in lists and has a form', async () => {
  const program = `
    import { MantineProvider } from '@mantine/core';
    import i18n from 'i18next';
    import { createElement as h } from 'react';
    import { renderToString } from 'react-dom/server';
    import { initReactI18next } from 'react-i18next';
    import { en } from '#web/i18n/en/index.ts';
    import { de } from '#web/i18n/de/index.ts';
    import { MonitorFormProvider, useForm } from '#web/pages/monitors/form/form-context.ts';
    import { newMonitor } from '#web/pages/monitors/form/values.ts';
    import { linkOf, OFFERED_TYPES, targetOf, TYPES } from '#web/pages/monitors/types.ts';
    const resources = { en: { translation: en }, de: { translation: de } };
    await i18n.use(initReactI18next).init({ lng: 'en', resources });
    const [{ form }, { fields }] = await Promise.all([TYPES.madeup.form(), TYPES.madeup.fields()]);
    function Form() {
      const values = useForm({ initialValues: newMonitor(form) });
      const sections = form.sections.map(({ id }) => h(fields.sections[id], { key: id }));
      return h(MonitorFormProvider, { form: values }, h(fields.Open), ...sections);
    }
    const drawn = renderToString(h(MantineProvider, null, h(Form)));
    const { group, types } = OFFERED_TYPES.find(({ types }) => types.some(({ type }) => type === 'madeup'));
    const { Icon } = types.find(({ type }) => type === 'madeup');
    const config = { host: '127.0.0.1', port: 7 };
    console.log(JSON.stringify({
      group,
      icon: /icon-[a-z]+/.exec(renderToString(h(Icon, { size: 20, stroke: 1 })))[0],
      words: [en, de].map(({ types }) => types.madeup.name),
      shown: targetOf({ type: 'madeup', config }, i18n.t, {}),
      link: linkOf({ type: 'madeup', config }),
      drawn: ['fields.host', 'fields.madeup.payloadHint', 'form.timeoutHint'].map((key) => drawn.includes(i18n.t(key))),
    }));`;
  writeFileSync(join(copy, 'web/src/walk.ts'), program);
  await build({
    root: copy,
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'web/src/walk.ts', outDir: 'built' },
  });
  const said = execFileSync(process.execPath, [join(copy, 'built/walk.js')], { cwd: copy, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(said), {
    group: 'network',
    icon: 'icon-broadcast',
    words: ['UDP service', 'UDP-Dienst'],
    shown: '127.0.0.1:7',
    link: null,
    drawn: [true, true, true],
  });
});
