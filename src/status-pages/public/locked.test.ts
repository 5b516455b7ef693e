// Tests of the small pages: forms of locked pages, and the not-found page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderChoosePassword, renderForgotPassword, renderLocked } from './locked.ts';
import { renderNotFound } from './not-found.ts';
import { WORDS } from './words.ts';

const locked = {
  language: 'en',
  action: '/public/status-pages/acme/unlock',
  forgotHref: null,
  problem: null,
} as const;

test('a page with a shared password asks for it, posts it as a form, and reveals nothing of the page', () => {
  const document = renderLocked({ ...locked, kind: 'password' });
  assert.match(
    document,
    /<form method="post" action="\/public\/status-pages\/acme\/unlock"><label for="password">Password<\/label><input id="password" name="password" type="password" autocomplete="current-password"/,
  );
  assert.match(document, /<meta name="robots" content="noindex, nofollow">/);
  assert.equal(/Tocsin|<img|<script/.test(document), false);
});

test('viewers sign in by name or address, and can reset the password if mails can be sent', () => {
  const document = renderLocked({ ...locked, kind: 'viewer', action: '/x', forgotHref: '/forgot?a&b' });
  assert.match(document, /name="username" autocomplete="username"/);
  assert.match(document, /name="password"/);
  assert.match(document, /<a href="\/forgot\?a&#38;b">Forgot your password\?<\/a>/);
  assert.equal(renderLocked({ ...locked, kind: 'viewer' }).includes('Forgot'), false);
});

test('errors are shown beside the field', () => {
  const wrong = renderLocked({ ...locked, kind: 'password', problem: 'wrong' });
  assert.match(wrong, /role="alert" id="problem">That is not the password\.</);
  assert.match(wrong, /aria-invalid="true" aria-describedby="problem"/);
  const slowed = renderLocked({ ...locked, language: 'de', kind: 'viewer', problem: 'slowed' });
  assert.match(slowed, /Zu viele Versuche/);
  assert.equal(slowed.includes('aria-invalid'), false);
});

test('the answer to a password reset is the same for known and unknown addresses', () => {
  const given = { language: 'en', action: '/f', backHref: '/status/acme', problem: null } as const;
  assert.match(
    renderForgotPassword({ ...given, sent: false }),
    /<input id="email" name="email" type="email"/,
  );
  const sent = renderForgotPassword({ ...given, sent: true });
  assert.match(sent, /If the address has an account/);
  assert.equal(sent.includes('<form'), false);
});

test('a password is set with the token of the mail; a used link has no form', () => {
  const given = { language: 'en', action: '/c', token: '"><b>', problem: null, forgotHref: '/f' } as const;
  const form = renderChoosePassword(given);
  assert.match(form, /<input type="hidden" name="token" value="&#34;&#62;&#60;b&#62;">/);
  assert.match(form, /autocomplete="new-password" minlength="8" maxlength="128" required/);
  assert.match(renderChoosePassword({ ...given, problem: 'too_short' }), /needs at least 8 characters/);
  const spent = renderChoosePassword({ ...given, problem: 'spent' });
  assert.match(spent, /was already used/);
  assert.equal(spent.includes('<form'), false);
});

test('an unknown page says so in both languages', () => {
  for (const language of ['en', 'de'] as const)
    assert.ok(renderNotFound(language).includes(`<h1>${WORDS[language].notFoundTitle}</h1>`));
});

test('the placeholders of sentences are the same in both languages', () => {
  const places = (words: object): unknown[] =>
    Object.entries(words).map(([name, value]) =>
      typeof value === 'string'
        ? [name, [...value.matchAll(/\{\w+\}/g)].map(String).sort()]
        : [name, places(value as object)],
    );
  assert.deepEqual(places(WORDS.de), places(WORDS.en));
});
