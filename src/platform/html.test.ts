import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('inserted text is escaped, our markup is kept', () => {
  const name = `<script>alert("x")</script>'&\``;
  assert.equal(
    html`<p title="${name}">${name}</p>`.text,
    `<p title="&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62;&#39;&#38;&#96;">&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62;&#39;&#38;&#96;</p>`,
  );
  assert.equal(
    html`<ul>${['<a>', 'b'].map((each) => html`<li>${each}</li>`)}${null}${0}</ul>`.text,
    '<ul><li>&#60;a&#62;</li><li>b</li>0</ul>',
  );
});
