import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CANNOT_CHECK } from '#src/domain/cannot-check.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '#src/domain/names.ts';
import type { AlarmNoticeData, NoticeContent, NoticeKind } from '../data.ts';
import { pushWords } from '../push/push-words.ts';
import { mailOf } from './alarm-mail.ts';

const ABOUT = {
  organization: { id: 'org_1', name: 'Example' },
  language: 'en' as const,
  baseUrl: 'https://tocsin.example',
  acknowledgeUrl: 'https://tocsin.example/ack/abc',
};
const AT = Date.UTC(2026, 10, 21, 23, 6) / 1000;

const incident = (name: string, cause = 'Connection refused', id = 'inc_1') => ({
  id,
  monitor_name: name,
  cause,
  started_at_unix: AT,
});

const alarm = (data: Partial<AlarmNoticeData> = {}): NoticeContent => ({
  kind: 'alarm',
  data: { incidents: [incident('Shop')], total: 1, stage: 'mail', ...data },
});

test('an alarm names the monitor, the cause and the time, and links to acknowledge it', () => {
  const { subject, text, html } = mailOf(alarm(), ABOUT);
  assert.equal(subject, '[Example] Alarm: Shop');
  assert.match(text, /Connection refused\./);
  assert.match(text, /\* Shop: Connection refused \(since 2026-11-21 23:06 UTC\)/);
  assert.match(text, /Acknowledge:\nhttps:\/\/tocsin\.example\/ack\/abc\n/);
  assert.match(text, /Open the incident:\nhttps:\/\/tocsin\.example\/app\/o\/org_1\/incidents\/inc_1\n/);
  assert.match(html, /href="https:\/\/tocsin\.example\/ack\/abc"/);
  assert.match(html, /href="https:\/\/tocsin\.example\/app\/o\/org_1\/incidents\/inc_1"/);
});

test('a storm is counted and listed: the first 20, then the number of others', () => {
  const incidents = Array.from({ length: 20 }, (_, at) =>
    incident(`Monitor ${at + 1}`, 'Timeout', `inc_${at}`),
  );
  const { subject, text, html } = mailOf(alarm({ incidents, total: 5000 }), ABOUT);
  assert.equal(subject, '[Example] Alarm: 5000 incidents, Monitor 1 among them');
  assert.equal(text.split('\n').filter((line) => line.startsWith('* Monitor ')).length, 20);
  assert.match(text, /\* and 4980 more/);
  assert.equal(html.match(/<li /g)?.length, 21);
  assert.match(text, /Open the incidents:\nhttps:\/\/tocsin\.example\/app\/o\/org_1\/incidents\n/);
});

test('an incident without a monitor is named by its cause', () => {
  const { subject, text } = mailOf(alarm({ incidents: [incident('', 'Warehouse on fire')] }), ABOUT);
  assert.equal(subject, '[Example] Alarm: Warehouse on fire');
  assert.match(text, /\* Warehouse on fire \(since/);
});

test('a name and a cause that run from right to left take no number, bracket or time along', () => {
  const [name, cause] = ['خدمة (الإنتاج)', 'انقطع الاتصال.'];
  const { subject, text } = mailOf(alarm({ incidents: [incident(name, cause)] }), ABOUT);
  assert.equal(subject, `[Example] Alarm: \u2068${name}\u2069`);
  assert.match(text, /\u2068انقطع الاتصال\.\u2069\n/, 'a sentence that has its full stop');
  assert.ok(text.includes(`* \u2068${name}\u2069: \u2068${cause}\u2069 (since 2026-11-21 23:06 UTC)`));
  const storm = mailOf(alarm({ storm_name: name, total: 23 }), ABOUT);
  assert.equal(storm.subject, `[Example] Alarm: \u2068${name}\u2069, 23 incidents`);
});

test('a long cause of an incident without a monitor is not repeated behind its beginning', () => {
  const cause = `Warehouse on fire: ${'a'.repeat(100)}`;
  const { text } = mailOf(alarm({ incidents: [incident('', cause)] }), ABOUT);
  assert.equal(text.match(/\* .*/)?.[0].match(/Warehouse/g)?.length, 1);
  assert.match(text, /\* Warehouse on fire:\u200b a{100} \(since/);
});

test('the mail at the end of an alarm names who ended it, and has no link to acknowledge', () => {
  const data = { incidents: [incident('Shop')], total: 1, stage: 'mail', by_name: 'Anna' } as const;
  const about = { ...ABOUT, acknowledgeUrl: null };
  const acknowledged = mailOf({ kind: 'alarm_acknowledged', data }, about);
  assert.equal(acknowledged.subject, '[Example] Acknowledged: Shop');
  assert.match(acknowledged.text, /The incident was acknowledged by Anna\./);
  assert.doesNotMatch(acknowledged.text, /\/ack\//);
  const { by_name: _, ...nobody } = data;
  assert.match(mailOf({ kind: 'alarm_resolved', data: nobody }, about).text, /The incident was resolved\./);
});

test('the mail at the end of an alarm says how many quiet incidents of its storm are still open, and then not that nothing is to be done', () => {
  const data = { incidents: [incident('Shop')], total: 3, stage: 'mail' } as const;
  const mail = (more: object) => mailOf({ kind: 'alarm_resolved', data: { ...data, ...more } }, ABOUT).text;
  assert.match(mail({ quiet: 2 }), /still open, but wake nobody at the moment: 2\./);
  assert.doesNotMatch(mail({ quiet: 2 }), /do not need to do anything/);
  assert.match(mail({}), /do not need to do anything/);
});

test('the mail of each stage explains why this person gets it', () => {
  const said = (['start', 'mail', 'stage1', 'stage2'] as const).map(
    (stage) => mailOf(alarm({ stage }), ABOUT).text,
  );
  assert.match(said[2] ?? '', /escalated to you/);
  assert.match(said[3] ?? '', /everyone on call and to the admins/);
  assert.equal(new Set(said).size, 3);
});

test('the mail about a failing target names its error class and when it started to fail', () => {
  const data = {
    target_id: 'wht_1',
    target_name: 'Chat',
    target_kind: 'slack',
    since_unix: AT,
    error: 'http_status 500',
  };
  const failing = mailOf({ kind: 'target_failing', data }, { ...ABOUT, acknowledgeUrl: null });
  assert.equal(failing.subject, '[Example] Notifications to Chat do not arrive');
  assert.match(failing.text, /since 2026-11-21 23:06 UTC\. The last error: http_status 500\./);
  assert.match(failing.text, /\/app\/o\/org_1\/notifications\/wht_1\n/);
  const off = mailOf({ kind: 'target_deactivated', data }, { ...ABOUT, acknowledgeUrl: null });
  assert.match(off.subject, /were turned off$/);
});

test('a German mail says the same, including the cause that Tocsin found', () => {
  const about = { ...ABOUT, language: 'de' } as const;
  const data = { incidents: [incident('Shop', 'Connection refused (2 of 3 regions)')], total: 1 };
  const { subject, text, html } = mailOf(alarm(data), about);
  assert.equal(subject, '[Example] Alarm: Shop');
  assert.match(html, /^<!doctype html><html lang="de">/);
  assert.match(text, /\* Shop: Verbindung abgelehnt \(2 von 3 Regionen\) \(seit 2026-11-21 23:06 UTC\)/);
  assert.match(text, /Übernehmen:\nhttps:\/\/tocsin\.example\/ack\/abc\n/);
  const { title, body } = pushWords(alarm(data), 'org_1', 'de');
  assert.deepEqual([title, body], ['Alarm: Shop', 'Verbindung abgelehnt (2 von 3 Regionen).']);
});

const NOTICES: Record<NoticeKind, NoticeContent> = (() => {
  const data = { incidents: [incident('Shop')], total: 1, stage: 'reminder', by_name: 'Anna' } as const;
  const target = {
    target_id: 'wht_1',
    target_name: 'Chat',
    target_kind: 'slack',
    since_unix: AT,
    error: 'timeout',
  };
  const monitors = [{ id: 'mon_1', name: 'Shop' }];
  const silence = { monitors, total: 1, since_unix: AT, remedies: [CANNOT_CHECK.ping_unavailable] };
  const drill = { drill_id: 'drl_1', stage: 'start', started_at_unix: AT, started_by_name: 'Anna' } as const;
  return {
    alarm: { kind: 'alarm', data },
    alarm_escalated: { kind: 'alarm_escalated', data: { ...data, stage: 'stage2' } },
    alarm_reminder: { kind: 'alarm_reminder', data },
    alarm_commander: { kind: 'alarm_commander', data: { ...data, acknowledged_at_unix: AT } },
    alarm_acknowledged: { kind: 'alarm_acknowledged', data },
    alarm_resolved: { kind: 'alarm_resolved', data },
    target_failing: { kind: 'target_failing', data: target },
    target_deactivated: { kind: 'target_deactivated', data: target },
    monitors_silent: { kind: 'monitors_silent', data: silence },
    monitors_report: { kind: 'monitors_report', data: silence },
    drill: { kind: 'drill', data: drill },
    drill_ended: { kind: 'drill_ended', data: { ...drill, outcome: 'stopped', by_name: 'Anna' } },
  };
})();

for (const [kind, notice] of Object.entries(NOTICES))
  test(`a German mail or push message contains no English: ${kind}`, () => {
    const lines = (language: PageLanguage) =>
      [mailOf(notice, { ...ABOUT, language }).text, pushWords(notice, 'org_1', language).body]
        .flatMap((text) => text.split('\n'))
        // Names, addresses and classes of errors are what they are.
        .filter((line) => / /.test(line) && !/^(?:\* Shop$|-- |https:)/.test(line));
    const english = new Set(lines('en'));
    assert.deepEqual(
      lines('de').filter((line) => english.has(line) && !line.startsWith('Alarm: ')),
      [],
    );
  });

test('a mail contains only Tocsin’s own links, whoever wrote the names, the cause and the error', () => {
  const lure = 'Locked: http://evil.test/login now';
  const about = { ...ABOUT, organization: { id: 'org_1', name: lure } };
  const target = {
    target_id: 'wht_1',
    target_name: lure,
    target_kind: 'slack',
    since_unix: AT,
    error: lure,
  };
  const incidents = [incident(lure, lure), incident('', lure, 'inc_2')];
  const notices: NoticeContent[] = [
    alarm({ incidents: incidents.slice(0, 1) }),
    alarm({ incidents, total: 2 }),
    { kind: 'alarm_acknowledged', data: { incidents, total: 2, stage: 'mail', by_name: lure } },
    { kind: 'target_failing', data: target },
    { kind: 'target_deactivated', data: target },
  ];
  for (const notice of notices) {
    const { subject, text, html } = mailOf(notice, about);
    for (const part of [subject, text, html]) assert.doesNotMatch(part, /http:\/|evil\.test/);
    assert.ok(text.replaceAll('\u200b', '').includes(lure), 'it reads the same');
  }
});

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3000 }),
  fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    'a\r\nBcc: eve@example.org\r\n\r\nPay here',
    '\u202egnp.exe',
    '"><script>',
    'x'.repeat(100_000),
    '',
  ),
);
const CONTENT: fc.Arbitrary<NoticeContent> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('alarm', 'alarm_escalated', 'alarm_acknowledged', 'alarm_resolved'),
    data: fc.record({
      incidents: fc.array(
        fc.record({
          id: fc.constant('inc_1'),
          monitor_name: HOSTILE,
          cause: HOSTILE,
          started_at_unix: fc.nat(),
        }),
        { maxLength: 25 },
      ),
      total: fc.nat(5000),
      stage: fc.constantFrom('start', 'mail', 'stage1', 'stage2'),
      by_name: HOSTILE,
    }),
  }) as fc.Arbitrary<NoticeContent>,
  fc.record({
    kind: fc.constantFrom('target_failing', 'target_deactivated'),
    data: fc.record({
      target_id: fc.constant('wht_1'),
      target_name: HOSTILE,
      target_kind: HOSTILE,
      since_unix: fc.nat(),
      error: HOSTILE,
    }),
  }) as fc.Arbitrary<NoticeContent>,
);

const LANGUAGE = fc.constantFrom(...PAGE_LANGUAGES);

/** The text between tags, attributes included. */
const tagsOf = (html: string) => [...html.matchAll(/<(\/?[a-z0-9]+)/g)].map(([, tag]) => tag);
const KNOWN_TAGS = new Set(
  ['html', 'head', 'meta', 'title', 'style', 'body', 'div', 'h1', 'p', 'ul', 'li', 'a'].flatMap((tag) => [
    tag,
    `/${tag}`,
  ]),
);

test('no name can add markup, a line or a header, or exceed its limit', () => {
  fc.assert(
    fc.property(CONTENT, HOSTILE, LANGUAGE, (notice, organization, language) => {
      const about = { ...ABOUT, language, organization: { id: 'org_1', name: organization } };
      const { subject, html, text } = mailOf(notice, about);
      assert.doesNotMatch(subject, /[\r\n\u2028\u2029]/);
      assert.deepEqual(
        tagsOf(html).filter((tag) => !KNOWN_TAGS.has(tag ?? '')),
        [],
      );
      assert.ok(html.length < 100_000 && text.length < 20_000 && subject.length < 400, 'it is bounded');
    }),
    { numRuns: 200 },
  );
});

test('a push message stays within the services’ limit, whatever the names are', () => {
  fc.assert(
    fc.property(CONTENT, LANGUAGE, (notice, language) => {
      const words = pushWords(notice, 'org_01arz3ndektsv4rrffq69g5fav', language);
      // Addresses consist of Tocsin's own ids.
      assert.ok(Buffer.byteLength(JSON.stringify({ ...words, url: '' })) < 3000);
      assert.ok(words.url.startsWith('/app/o/'));
    }),
    { numRuns: 200 },
  );
});
