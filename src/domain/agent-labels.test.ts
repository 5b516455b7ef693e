import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layLabels, readLabels, writeLabels } from './agent-labels.ts';

const normalized = (text: string) => {
  const read = readLabels(text);
  return read.ok ? writeLabels(read.labels) : read.problem;
};

const ACCEPTED: [text: string, stored: string][] = [
  ['', ''],
  [' , ,', ''],
  ['env=prod,web', 'env=prod,web'],
  ['  env = prod , web  ', 'env=prod,web'],
  ['url=https://a.example/?b=c', 'url=https://a.example/?b=c'],
  ['rolle=prüfen,team/eu@x', 'rolle=prüfen,team/eu@x'],
  ['empty=', 'empty='],
];
for (const [text, stored] of ACCEPTED)
  test(`labels ${JSON.stringify(text)} are stored as ${JSON.stringify(stored)}`, () =>
    assert.equal(normalized(text), stored));

const REFUSED: [text: string, says: RegExp][] = [
  ['env=prod,env=test', /names "env" twice/],
  ['web,web', /names "web" twice/],
  ['=prod', /begins with a letter or digit/],
  ['a b', /letters, digits/],
  ['<script>', /letters, digits/],
  ['a=b\u0000c', /no control characters/],
  ['a=b\u202ec', /no control characters/],
  [`${'k'.repeat(64)}`, /63 at most/],
  [`k=${'v'.repeat(201)}`, /200 characters/],
  [Array.from({ length: 51 }, (_, i) => `l${i}`).join(), /51 labels; 50/],
];
for (const [text, says] of REFUSED)
  test(`labels ${JSON.stringify(text.slice(0, 30))} are refused`, () => assert.match(normalized(text), says));

test('labels of a machine override those of its token, key by key', () => {
  const [under, over] = ['env=prod,web,rack=1', 'env=test,new'].map((text) => {
    const read = readLabels(text);
    assert.ok(read.ok);
    return read.labels;
  });
  assert.ok(under && over);
  assert.equal(writeLabels(layLabels(under, over)), 'env=test,web,rack=1,new');
});
