import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SVG } from '#test/harness/images.ts';
import { svgProblem } from './svg.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const problem = (text: string) => svgProblem(Buffer.from(text));

test('well-formed SVG is accepted, even with scripts: it is served so that none runs', () => {
  for (const text of [
    SVG.toString(),
    `<svg ${NS}/>`,
    `\ufeff  <svg ${NS}/>`.trimStart(),
    `<!-- made by hand --><svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`,
    `<svg ${NS} xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"/></svg>`,
    `<svg ${NS}><metadata><?xpacket begin="x"?></metadata><style><![CDATA[a > b {}]]></style></svg>`,
    `<svg ${NS} onload="alert(1)"><script>alert(1)</script><text>שלום 🔔 &#x1F514; &amp;</text></svg>`,
  ])
    assert.equal(problem(text), null, text);
});

test('a DOCTYPE is refused, and with it all entities', () => {
  const bomb = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><svg ${NS}><text>&b;</text></svg>`;
  for (const text of [
    bomb,
    `<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg ${NS}/>`,
    `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg ${NS}/>`,
  ])
    assert.match(problem(text) ?? '', /DOCTYPE/);
  assert.match(problem(`<svg ${NS}><text>&nbsp;</text></svg>`) ?? '', /well-formed/);
});

test('a document that is not SVG is refused', () => {
  for (const [text, why] of [
    ['<html><body>hello</body></html>', /root/],
    ['<svg/>', /root/],
    ['<svg xmlns="http://www.w3.org/1999/xhtml"/>', /root/],
    [`<SVG ${NS}/>`, /root/],
    [`<svg ${NS}>`, /well-formed/],
    [`<svg ${NS}></svg><script/>`, /well-formed/],
    [`<svg ${NS}></svg>text`, /well-formed/],
    [`<svg ${NS} a=1/>`, /well-formed/],
    [`<svg ${NS} a="1" a="2"/>`, /well-formed/],
    [`<svg ${NS}><b:c/></svg>`, /well-formed/],
    [`<svg ${NS}>\u0001</svg>`, /well-formed/],
    ['<', /well-formed/],
    [`<?xml-stylesheet type="text/xsl" href="x"?><svg ${NS}/>`, /stylesheet/],
    [`<?xml version="1.0" encoding="UTF-16"?><svg ${NS}/>`, /UTF-8/],
    [`<svg ${NS}>${'<g>'.repeat(300)}${'</g>'.repeat(300)}</svg>`, /200 levels/],
  ] as const)
    assert.match(problem(text) ?? '', why, text);
  assert.match(svgProblem(Buffer.from(`<svg ${NS}>\xff</svg>`, 'latin1')) ?? '', /UTF-8/);
  assert.match(svgProblem(Buffer.from(`<svg ${NS}/>`, 'utf16le')) ?? '', /./);
});
