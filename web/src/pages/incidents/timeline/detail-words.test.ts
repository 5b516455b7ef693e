import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import i18next, { type TFunction } from 'i18next';
import { formatsFor } from '#web/format.ts';
import { de } from '#web/i18n/de/index.ts';
import { en } from '#web/i18n/en/index.ts';
import { detailWords } from './detail-words.ts';

const words = new Map<'en' | 'de', TFunction>();
before(async () => {
  const texts = i18next.createInstance();
  await texts.init({
    lng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  });
  for (const language of ['en', 'de'] as const) words.set(language, texts.getFixedT(language));
});

function said(language: 'en' | 'de', kind: string, detail: string): string | null {
  const t = words.get(language);
  assert.ok(t);
  return detailWords({ kind, detail }, t, formatsFor(language));
}

test('why a notice did not reach somebody is said in words', () => {
  const why = (language: 'en' | 'de', detail: string) => said(language, 'delivery_failed', detail);
  assert.equal(why('en', 'by e-mail: mail_not_configured'), 'by e-mail: no mail server');
  assert.equal(why('de', 'by e-mail: mail_not_configured'), 'per E-Mail: kein Mailserver');
  assert.equal(why('en', 'by web push: no_push_subscription'), 'by web push: push not turned on');
  assert.equal(why('de', 'by web push: no_push_subscription'), 'per Web-Push: Push nicht eingeschaltet');
});

test('a class without words keeps its own, beside a channel in the reader’s language', () => {
  assert.equal(said('de', 'delivery_failed', 'by e-mail: smtp_timeout'), 'per E-Mail: smtp timeout');
  assert.equal(
    said('de', 'delivery_failed', 'by web push: http_status 500'),
    'per Web-Push: http status 500',
  );
});

test('what people write stays as it is', () => {
  assert.equal(said('de', 'note', 'by e-mail: mail_not_configured'), 'by e-mail: mail_not_configured');
});

test('what an alarm did has a German side, also where it rang for everybody already', () => {
  const details = [
    ...['stage 1', 'stage 2', 'stage 1: nobody else is on the roster, the administrators are told'],
    ...['stage 1: it rings for everybody already', 'stage 2: it rings for everybody already'],
    ...['the loud alarm rings', 'the loud alarm rings again', 'the loud alarm rings: nobody is on duty'],
    'the loud alarm rings: those whom it had reached have left',
  ];
  const german = details.map((detail) => said('de', 'escalated', detail));
  assert.deepEqual(
    german.filter((words) => !/^(Stufe [12]: |der laute Alarm läutet)/.test(words ?? '')),
    [],
  );
  assert.equal(new Set(german).size, details.length);
});
