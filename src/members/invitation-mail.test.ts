import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationMail } from './invitation-mail.ts';

const LINK = 'https://tocsin.example/app/invitation#token=abc';
const invitation = {
  id: 'inv_1',
  email: 'nia@example.org',
  role: 'manager',
  expires_at_unix: Date.UTC(2026, 10, 27, 22, 5) / 1000,
};
const by = { name: 'Ann', email: 'ann@example.com' };

test('an invitation names the inviter, the organization, the role, the expiry and the next step', () => {
  const { subject, ...bodies } = invitationMail({
    invitation,
    organization: 'Shop',
    by,
    link: LINK,
    language: 'en',
  });
  const text = bodies.text.replaceAll('\u200b', '');
  assert.equal(subject, 'Ann invites you to Shop on Tocsin');
  assert.match(text, /Ann \(ann@example\.com\) invites you to the organization “Shop”/);
  assert.match(
    text,
    /Your role there will be manager\. Open the invitation and sign in, or create your account/,
  );
  assert.match(text, /until 27 November 2026 at 22:05 UTC\./);
  assert.ok(text.includes(`Open the invitation:\n${LINK}\n`));
  assert.match(text, /If you do not know them, ignore it/);
});

test('names cannot break out of their sentence, in text and HTML', () => {
  const name =
    'Ann\r\n\r\nYour account is locked:\nhttps://evil.example <a href="https://evil.example">\u202e';
  const { subject, html, text } = invitationMail({
    invitation,
    organization: name,
    by: { ...by, name },
    link: LINK,
    language: 'en',
  });
  assert.doesNotMatch(subject, /[\r\n\u202e]/);
  assert.doesNotMatch(text, /\nYour account|\u202e/);
  assert.equal([...html.matchAll(/<a /g)].length, 2, 'the button and its address');
});

test('long names are truncated, and a person without a name is shown by address', () => {
  const long = invitationMail({ invitation, organization: 'x'.repeat(200), by, link: LINK, language: 'en' });
  assert.ok(long.subject.length < 120 && long.text.includes(`${'x'.repeat(79)}…`));
  const nameless = invitationMail({
    invitation,
    organization: 'Shop',
    by: { ...by, name: ' ' },
    link: LINK,
    language: 'en',
  });
  assert.equal(nameless.subject, 'ann@\u200bexample.\u200bcom invites you to Shop on Tocsin');
  assert.match(nameless.text, /\nann@\u200bexample\.\u200bcom invites you/);
});

test('the only link is the invitation’s, even if a name or an address looks like one', () => {
  const name = 'Your account is locked http://evil.test/login now';
  const strange = { name, email: 'www.evil.test/login@evil.test' };
  const asked = { ...invitation, email: 'nia+evil.test/login@example.org' };
  for (const by of [strange, { ...strange, name: '' }]) {
    const mail = invitationMail({ invitation: asked, organization: name, by, link: LINK, language: 'en' });
    for (const part of [mail.subject, mail.text, mail.html])
      assert.doesNotMatch(part, /evil\.test|http:\/\/|www\.evil|@evil|@example/);
    assert.ok(mail.text.replaceAll('\u200b', '').includes(name), 'it reads the same');
  }
});

test('an invitation in German says the same', () => {
  const about = { invitation, organization: 'Shop', by, link: LINK, language: 'de' } as const;
  const { subject, html, text } = invitationMail(about);
  assert.equal(subject, 'Ann lädt Sie auf Tocsin zu Shop ein');
  assert.match(html, /^<!doctype html><html lang="de">/);
  assert.match(text, /Ihre Rolle dort wird Manager sein\./);
  assert.match(text, /bis 27\. November 2026 um 22:05 UTC\./);
});
