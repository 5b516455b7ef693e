import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import i18next from 'i18next';
import { de } from '#web/i18n/de/index.ts';
import { en } from '#web/i18n/en/index.ts';
import { ApiError } from '../call.ts';
import { partSentence, refusalSentence } from './refusal-sentence.ts';

const texts = i18next.createInstance();
before(async () => {
  await texts.init({
    lng: 'de',
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  });
});

const textsIn = (language: 'en' | 'de') => ({
  t: texts.getFixedT(language),
  i18n: { exists: texts.exists.bind(texts), language },
});

test('a limit is named only if the refusal has it: a plan does not allow 0 monitors', () => {
  const message = 'Plan starter allows 20 monitors and all are in use.';
  const said = (limit?: number) =>
    refusalSentence(
      new ApiError(402, { error: 'quota_reached', message, ...(limit === undefined ? {} : { limit }) }),
      textsIn('en'),
    );
  assert.equal(said(20), 'The plan allows 20 monitors, and all are in use.');
  assert.equal(said(), message);
});

test('the refusal of one of many is in the reader’s language, and in English names the thing', () => {
  const refusal = { error: 'name_taken', message: 'The project has a monitor named "Shop" already.' };
  assert.equal(partSentence(refusal, textsIn('de')), 'Dieser Name ist schon vergeben.');
  assert.equal(partSentence(refusal, textsIn('en')), refusal.message);
});
