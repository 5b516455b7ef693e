// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../platform/refusals.ts';
import { readConfigurationFile, type Variables, writeConfigurationFile } from './configuration-file.ts';

const refusal = (text: string, variables: Variables = {}) => {
  try {
    readConfigurationFile(text, variables);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, 'invalid_request');
    assert.match(error.message, /^\S.*[.!?]$/s);
    return error.message;
  }
  return assert.fail('it was read');
};

test('YAML and JSON of one content are one file', () => {
  const yaml = 'organization: acme\nprojects:\n  - name: Shop # the shop\n    monitors: []\n';
  const json = '{"organization": "acme", "projects": [{"name": "Shop", "monitors": []}]}';
  assert.deepEqual(readConfigurationFile(yaml, {}).file, readConfigurationFile(json, {}).file);
});

test('anchors, aliases and merge keys are resolved', () => {
  const { file } = readConfigurationFile(
    `alert_profiles:
  - &calm { name: Calm, alarm_consecutive: 5 }
  - { <<: *calm, name: Calmer }
`,
    {},
  );
  assert.deepEqual(file.alert_profiles?.[1], { name: 'Calmer', alarm_consecutive: 5 });
});

test('words of YAML 1.1 and dates are texts', () => {
  const { file } = readConfigurationFile(
    'alert_profiles: [{ name: on }, { name: 2026-01-01 }, { name: 0o7x }]',
    {},
  );
  assert.deepEqual(
    file.alert_profiles?.map(({ name }) => name),
    ['on', '2026-01-01', '0o7x'],
  );
});

test('a variable is replaced in texts, wherever it stands, and only there', () => {
  const { file } = readConfigurationFile(
    `projects: [{ name: "\${A} and \${B}", monitors: [{ name: "$\${A}", type: http, config: { "\${A}": a$b } }] }]`,
    { A: 'one: [', B: '#2' },
  );
  assert.deepEqual(file.projects, [
    { name: 'one: [ and #2', monitors: [{ name: '${A}', type: 'http', config: { '${A}': 'a$b' } }] },
  ]);
});

test('a name of an object’s own is no variable', () => {
  for (const name of ['constructor', 'toString', '__proto__'])
    assert.match(
      refusal(`organization: "x\${${name}}"`, {}),
      new RegExp(`variable ${name} is not set`),
      name,
    );
});

test('one template serves any number of monitors, and may stand in a field of its own', () => {
  const monitors = Array.from({ length: 2_000 }, (_, i) => `      - { <<: *web, name: M${i} }\n`).join('');
  const text = `x-web: &web { type: http, config: { url: https://a.example.com/ } }\nprojects:\n  - name: P\n    monitors:\n${monitors}`;
  const { file } = readConfigurationFile(text, {});
  assert.equal(file.projects?.[0]?.monitors?.at(-1)?.name, 'M1999');
  assert.deepEqual(Object.keys(file), ['projects']);
});

test('a variable is always a text', () => {
  assert.match(
    refusal('alert_profiles: [{ name: a, alarm_consecutive: "${N}" }]', { N: '3' }),
    /^Line 1: alert_profiles\.0\.alarm_consecutive must be /,
  );
});

test('every mistake is refused with its line', () => {
  const table: [string, RegExp][] = [
    ['', /^The file is empty\.$/],
    ['# nothing\n', /^The file is empty\.$/],
    ['null', /^Line 1: The file has no fields/],
    ['- a\n', /^Line 1: The file has no fields/],
    ['a: 1\n---\nb: 1\n', /more than one YAML document/],
    ['projects:\n  - name: a\n   - name: b\n', /^Line 3: /],
    ['projects: [\n', /^Line \d: /],
    ['projects: []\nprojects: []\n', /^Line 2: Map keys must be unique\.$/],
    ['monitors: []\n', /^Line 1: monitors is not a field of a configuration file\.$/],
    ['alert_profiles:\n  - name: a\n    alarm: 3\n', /^Line 3: alert_profiles\.0\.alarm is not a field/],
    ['alert_profiles:\n  - alarm_consecutive: 3\n', /^Line 2: alert_profiles\.0\.name is required\.$/],
    [
      'alert_profiles:\n  - name: a\n    alarm_consecutive: x\n',
      /^Line 3: alert_profiles\.0\.alarm_consecutive must be /,
    ],
    ['alert_profiles: [{ name: a, alarm_consecutive: .inf }]', /^Line 1: A number must be finite\.$/],
    ['organization: "a\\0b"\n', /^organization contains a NUL character\.$/],
    [
      'projects: [{ name: a, monitors: [{ name: m, type: http, config: { __proto__: { a: 1 } } }] }]',
      /__proto__/,
    ],
    [
      'organization: *nobody\n',
      /^An alias or merge key \(<<\) of the file cannot be resolved: Unresolved alias .*: nobody\.$/,
    ],
    ['organization: "${NOT_SET}"\n', /^Line 1: The environment variable NOT_SET is not set\.$/],
    ['organization: "${EMPTY}"\n', /^Line 1: The environment variable EMPTY is not set\.$/],
    ['organization: "${A"\n', /^Line 1: "\$\{A" is no variable; /],
    ['organization: "${A:-b}"\n', /^Line 1: "\$\{A:-b\}" is no variable; /],
    ['projects: [{ <<: text }]', /^An alias or merge key .*: Merge sources must be maps or map aliases\.$/],
    [`a: ${'['.repeat(100_000)}`, /^The file is nested too deeply\.$/],
    [`a: ${'{a: '.repeat(3000)}1${'}'.repeat(3000)}`, /nested (too deeply|deeper than 32 levels)\.$/],
  ];
  for (const [text, message] of table) assert.match(refusal(text, { EMPTY: '' }), message, text.slice(0, 60));
});

test('aliases that name one another again and again are refused before they fill the memory', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i += 1) bomb.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`);
  assert.match(refusal(bomb.join('\n')), /^An alias or merge key /);
  assert.match(refusal('a: &a [*a]'), /^An alias or merge key |nested/);
});

test('the line of a value that the file does not have is that of the nearest value around it', () => {
  const { lineOf } = readConfigurationFile(
    'projects:\n  - name: a\n    monitors:\n      - name: m\n        type: http\n',
    {},
  );
  assert.equal(lineOf('projects.0.monitors.0.type'), 5);
  assert.equal(lineOf('projects.0.monitors.0.config.url'), 4);
  assert.equal(lineOf('webhooks.0'), 1);
});

test('a file that was written is read as it was, whatever is in its texts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.stringMatching(/^[$\\{}a: \n"'#|>&*!%@-]{0,20}$/),
    fc.constantFrom(
      'yes',
      'null',
      '~',
      '1e3',
      '0x1F',
      '2026-01-01',

      '- a',
      'a: b',
      ' a',
      'a ',
      '\t',
      '---',
      '...',
    ),
  );
  fc.assert(
    fc.property(
      text,
      // The two keys that no field has: one merges, the other is refused.
      fc.dictionary(
        text.filter((key) => key !== '<<' && key !== '__proto__'),
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      ),
      (name, config) => {
        const file = { projects: [{ name, monitors: [{ name, type: name.slice(0, 60), config }] }] };
        assert.deepEqual(
          readConfigurationFile(writeConfigurationFile(file), {}).file,
          JSON.parse(JSON.stringify(file)),
        );
      },
    ),
    { numRuns: 300 },
  );
});
