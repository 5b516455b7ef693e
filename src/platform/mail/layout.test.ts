import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layout, nameInMail } from './layout.ts';

const HOSTILE = '<img src=x onerror=alert(1)> & "Co" \'s';

test('user texts are escaped in HTML and unchanged in plain text', () => {
  const { html, text } = layout({ title: HOSTILE, paragraphs: [HOSTILE], smallPrint: [HOSTILE] });
  assert.doesNotMatch(html, /<img/);
  assert.equal(html.split('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot; &#39;s').length, 5);
  assert.equal(text.split(HOSTILE).length, 4);
});

test('no text adds a tag or an attribute to the HTML', () => {
  const shape = (html: string) => html.replace(/>[^<]*</g, '><');
  const plain = layout({ title: 'a', paragraphs: ['a'], smallPrint: ['a'] });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { html } = layout({ title: value, paragraphs: [value], smallPrint: [value] });
      assert.equal(shape(html), shape(plain.html));
    }),
  );
});

test('the button links to its address in both forms, including the fragment', () => {
  const url = 'https://tocsin.example/app/invitation#token=abc&x=1';
  const { html, text } = layout({ title: 't', paragraphs: ['p'], button: { label: 'Accept', url } });
  assert.match(html, /href="https:\/\/tocsin\.example\/app\/invitation#token=abc&amp;x=1"/);
  assert.ok(text.includes(`Accept:\n${url}`));
});

test('a button never links to a script or breaks out of its attribute', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://a/"onclick="x'])
    assert.throws(() => layout({ title: 't', paragraphs: [], button: { label: 'Go', url } }));
});

test('a line break in a text does not start a paragraph', () => {
  const { text } = layout({ title: 't', paragraphs: ['Ann\r\n\r\nPay here\u2028now'] });
  assert.equal(text, 't\n\nAnn Pay here now');
});

test('a name is one line without direction characters, and long ones are truncated', () => {
  assert.equal(nameInMail(' Ann\n\u202eB '), 'Ann B');
  assert.equal(nameInMail('x'.repeat(200)), `${'x'.repeat(79)}…`);
  assert.equal(nameInMail('👩‍🚀'.repeat(100), 4).endsWith('…'), true);
});

test('a name that runs from right to left moves nothing beside it, whatever its length and its own controls', () => {
  assert.equal(nameInMail(' خدمة\u2069 (الإنتاج)\u202e\n'), '\u2068خدمة (الإنتاج)\u2069');
  assert.equal(nameInMail('خ'.repeat(200), 4), '\u2068خخخ…\u2069');
  assert.equal(nameInMail('\u2068 \u2069'), '', 'nothing remains nothing');
});
