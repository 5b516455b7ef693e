// What does nothing says so: a setting that nothing reads, a code that no operation answers with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VARIABLES, type Variable } from '#src/config/variables.ts';
import { codeOf, sourceFiles, textOf } from './harness/imports.ts';

const files = sourceFiles(['src', 'probe', 'agent']).filter((path) => !/\.test\.ts$/.test(path));

test('every variable is read by something', () => {
  const readers = files.filter((path) => path !== 'src/config/variables.ts').map(codeOf);
  for (const [field, { name }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const reads = readers.some((code) => new RegExp(`\\b${field}\\b`).test(code));
    assert.ok(reads, `nothing reads ${name}`);
  }
});

test('every error code is raised somewhere, or docs/ says that no operation answers with it yet', () => {
  const catalogue = 'src/platform/refusals.ts';
  const [, list = ''] = /^const STATUS = \{(.+?)^\} as const;/ms.exec(textOf(catalogue)) ?? [];
  const codes = [...list.matchAll(/^ {2}(\w+): \d{3},/gm)].map(([, code = '']) => code);
  assert.ok(codes.length > 40);
  const others = files.filter((path) => path !== catalogue).map((path) => textOf(path));
  const idle = codes.filter((code) => !others.some((text) => text.includes(`'${code}'`)));
  const [said = ''] = /^- .+\n(?: {2}.+\n)*?.*No operation answers with them yet\./m.exec(
    textOf('docs/rules/errors-and-conventions.md'),
  ) ?? [''];
  const named = [...said.matchAll(/`(\w+)` \(\d{3}\)/g)].map(([, code = '']) => code);
  assert.deepEqual(idle.toSorted(), named.toSorted());
});
