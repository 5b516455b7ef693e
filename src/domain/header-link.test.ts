import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefProblem } from './header-link.ts';

test('http, https, mailto and relative addresses are accepted', () => {
  for (const href of [
    'https://example.com',
    'HTTP://Example.com:8080/a?b=c#d',
    'https://bücher.example/straße',
    'https://[2001:db8::1]/',
    'mailto:help@example.com',
    'mailto:help@example.com?subject=Hello%20there',
    '/help',
    'help',
    '../help',
    './a:b',
    '?page=2',
    '#history',
    '/a//b',
  ])
    assert.equal(hrefProblem(href), null, href);
});

test('links that run scripts, disguise their target or carry credentials are refused', () => {
  for (const href of [
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'help:me',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'http://',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'https://example.com\\@evil.example/',
    'https://exa mple.com/',
    'https://example.com/\r\nset-cookie:a=b',
    'https://example.com/\u202egnp.exe',
    'https://exam\u200bple.com/',
    'https://a..b:99999/',
    'mailto:',
    'mailto:nobody',
    'mailto:?to=a@b',
  ])
    assert.notEqual(hrefProblem(href), null, JSON.stringify(href));
});
