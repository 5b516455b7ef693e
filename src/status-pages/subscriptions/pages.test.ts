import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subscriber } from './choose.ts';
import { renderConfirm, renderManage, renderUnsubscribed } from './pages.ts';

test('a name of a page that runs from right to left moves no word beside it', () => {
  const subscriber: Subscriber = {
    id: 'sub_1',
    email: '1@example.org',
    language: 'en',
    pageId: 'page_1',
    pageName: 'خدمة (2)',
    slug: 'acme',
    confirmed: true,
    monitors: [],
    allMonitors: true,
  };
  const name = '\u2068خدمة (2)\u2069';
  assert.ok(renderConfirm(subscriber).includes(`<h1>Get mails from ${name}?</h1>`));
  const manage = renderManage(subscriber, '/unsubscribe', { isSaved: false, problem: null });
  assert.ok(manage.includes(`Mails about ${name} to 1@example.org`));
  assert.ok(renderUnsubscribed(subscriber).includes(`gets no more mails from ${name}.`));
});
