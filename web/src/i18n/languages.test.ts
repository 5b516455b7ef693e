import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import i18n from 'i18next';
import { failureClasses } from '#test/harness/failure-classes.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { INTERPOLATION } from './languages.ts';

function leaves(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value as object, `${path}${key}.`),
  );
}

const variables = (text: string) =>
  [...text.matchAll(/\{\{(\w+)(?:, \w+)?\}\}/g)].map((match) => match[1]).sort();

test('every text has a German form, and none is English because of a missing key', () => {
  assert.deepEqual(
    leaves(de)
      .map(([key]) => key)
      .sort(),
    leaves(en)
      .map(([key]) => key)
      .sort(),
  );
});

test('a name that runs from right to left keeps its marks in a sentence, and nothing else of a name is changed', async () => {
  const words = i18n.createInstance();
  await words.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: INTERPOLATION });
  assert.equal(words.t('projects.rename', { name: 'דף (ייצור)!' }), 'Rename \u2068דף (ייצור)!\u2069');
  assert.equal(words.t('projects.rename', { name: 'A & <b>' }), 'Rename A & <b>');
});

test('every class of failure in the rules has words', () => {
  const classes = failureClasses();
  assert.ok(classes.length > 80, String(classes.length));
  const lacking = classes.filter((each) => !Object.hasOwn(en.failures, each));
  assert.deepEqual(lacking, []);
});

test('no key is in two files of a language: the later one would silently overwrite the other', async () => {
  for (const language of ['en', 'de']) {
    const folder = join(import.meta.dirname, language);
    const homes = new Map<string, string>();
    for (const file of globSync('*.ts', { cwd: folder, exclude: ['index.ts', 'errors.ts'] })) {
      const texts = Object.values((await import(join(folder, file))) as Record<string, object>);
      for (const key of texts.flatMap((each) => Object.keys(each))) {
        assert.equal(
          homes.get(key),
          undefined,
          `${language}: ${key} stands in ${homes.get(key)} and in ${file}`,
        );
        homes.set(key, file);
      }
    }
    assert.ok(homes.size > 40, `only ${homes.size} keys were found`);
  }
});

test('both languages have the same placeholders', () => {
  const german = new Map(leaves(de));
  for (const [key, text] of leaves(en)) {
    // The form for exactly one may spell the number out.
    if (key.endsWith('_one')) continue;
    assert.deepEqual(variables(german.get(key) ?? ''), variables(text), key);
  }
});

test('every text is used somewhere: by its whole key, or by a composed one', () => {
  const root = join(import.meta.dirname, '..');
  const source = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['i18n/**'] })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const whole = new Set([...source.matchAll(/['"`]([\w.-]+)['"`]/g)].map((match) => match[1]));
  // In `a.${b}.c` any key may stand in place of the interpolation.
  const patterns = [...source.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^`{}]*\})*)`/g)].map(
    ([, key = '']) =>
      new RegExp(
        `^${key
          .replaceAll(/\$\{[^}]*\}/g, '*')
          .replaceAll('.', '\\.')
          .replaceAll('*', '[\\w.-]+')}$`,
      ),
  );
  const isRead = (key: string) => whole.has(key) || patterns.some((pattern) => pattern.test(key));
  const unread = leaves(en)
    .map(([key]) => key)
    .filter((key) => !isRead(key) && !isRead(key.replace(/_(zero|one|two|few|many|other)$/, '')));
  assert.deepEqual(unread, []);
});
