import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from './markdown.ts';

const render = (text: string) => renderMarkdown(text, { headings: 4 }).trim();

/** Every tag and attribute that a text may become. */
const ALLOWED =
  /^<\/?(?:p|br|strong|em|s|ul|ol|li|blockquote|pre|code|hr|h4|table|thead|tbody|tr|th|td)>$|^<ol start="\d+">$|^<code class="[^"<>]*">$|^<a href="(?:https?:\/\/|mailto:)[^"<>]*"(?: title="[^"<>]*")? target="_blank" rel="noopener nofollow">$|^<\/a>$/i;

function assertHarmless(text: string): void {
  const markup = render(text);
  for (const [tag] of markup.matchAll(/<[^>]*>?/g))
    assert.match(tag, ALLOWED, `${tag} of ${JSON.stringify(text)}`);
}

test('Markdown is rendered as its author means it', () => {
  const cases: [text: string, markup: string][] = [
    ['one\ntwo', '<p>one<br>\ntwo</p>'],
    ['**at once** and `code`', '<p><strong>at once</strong> and <code>code</code></p>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['# Cause', '<h4>Cause</h4>'],
    ['###### Cause', '<h4>Cause</h4>'],
    ['    indented', '<p>indented</p>'],
    ['in main.rs of a@example.com', '<p>in main.rs of a@example.com</p>'],
    [
      'see https://example.com/x',
      '<p>see <a href="https://example.com/x" target="_blank" rel="noopener nofollow">https://example.com/x</a></p>',
    ],
    [
      '[mail](mailto:a@example.com)',
      '<p><a href="mailto:a@example.com" target="_blank" rel="noopener nofollow">mail</a></p>',
    ],
  ];
  for (const [text, markup] of cases) assert.equal(render(text), markup);
});

test('a table has no inline styles', () => {
  const markup = render('| a | b |\n| :-: | --: |\n| 1 | 2 |');
  assert.match(markup, /<td>1<\/td>/);
  assert.doesNotMatch(markup, /style/);
});

test('anything that could run, load or mislead stays text', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](<java\nscript:alert(1)>)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox)',
    '[x](//evil.example.com)',
    '[x](/app/o/1)',
    '[x](file:///etc/passwd)',
    '[x](https://example.com/"onmouseover="alert(1))',
    '[x](https://example.com "\\" onclick=\\"alert(1)")',
    '![x](https://example.com/pixel.png)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<javascript:alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '```"><script>alert(1)</script>\ncode\n```',
    '<!-- --><iframe src="https://example.com"></iframe>',
    '&lt;script&gt;',
    '`<b>`',
  ])
    assertHarmless(text);
  assert.doesNotMatch(
    render('[x](//evil.example.com) [y](/app) ![z](https://example.com/z.png)'),
    /<img|href="\//,
  );
});

test('a link without an address keeps only its text', () => {
  assert.equal(render('[a note]() and ![]()').trim(), '<p>a note and !</p>');
});

test('no combination of parts produces anything else', () => {
  const part = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '&',
      '[',
      '](',
      ')',
      '![',
      '*',
      '_',
      '`',
      '```',
      '#',
      '- ',
      '> ',
      '|',
      '\n',
      '\n\n',
      '    ',
    ],
    ...[
      'javascript:',
      'data:',
      'https://a.example',
      'script',
      'onerror=',
      ' ',
      '\\',
      '&#x6a;',
      '<a ',
      '</',
      '~~',
      '1. ',
    ],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => assertHarmless(parts.join(''))),
    { numRuns: 500 },
  );
});

test('deep nesting and 100 kB of any input take time proportional to their size', () => {
  const long = 100_000;
  for (const unit of [
    '> ',
    '[',
    '*',
    '`',
    '![](',
    '<a',
    '- ',
    '**a ',
    '_a_',
    '[a](',
    '(',
    '\\',
    '&',
    '|',
    '~',
    '\n>',
  ])
    for (const text of [unit.repeat(long / unit.length), `${unit.repeat(2_000)}a`]) {
      const markup = render(text);
      assert.ok(markup.length < 40 * long, `${JSON.stringify(unit)}: ${markup.length}`);
    }
});
