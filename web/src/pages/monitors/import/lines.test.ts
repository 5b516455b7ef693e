import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BareHost, readLines, sameTarget, targetKeyOf } from './lines.ts';

const shown = (text: string, bare: BareHost = 'http') =>
  readLines(text, bare).map(({ no, monitor, problem, sameAs }) => {
    if (monitor === null) return `${no} ! ${problem?.key}`;
    const { name, type, config, tags = [] } = monitor;
    const target = config.url ?? [config.host, config.port].filter((part) => part !== undefined).join(' ');
    return `${no} ${name} = ${type} ${target} [${tags?.join()}]${sameAs === null ? '' : ` as ${sameAs}`}`;
  });

for (const [text, expected] of [
  ['https://example.com/health', '1 example.com/health = http https://example.com/health []'],
  ['example.com', '1 example.com = http https://example.com/ []'],
  ['example.com/shop', '1 example.com/shop = http https://example.com/shop []'],
  ['db.example.com:5432', '1 db.example.com:5432 = tcp db.example.com 5432 []'],
  ['tcp://db.example.com:5432/', '1 db.example.com:5432 = tcp db.example.com 5432 []'],
  ['[2001:db8::1]:22', '1 [2001:db8::1]:22 = tcp 2001:db8::1 22 []'],
  ['wss://example.com/live', '1 example.com/live = websocket wss://example.com/live []'],
  ['Shop, https://example.com/', '1 Shop = http https://example.com/ []'],
  ['Shop;https://example.com/;prod;core', '1 Shop = http https://example.com/ [prod,core]'],
  ['Shop\texample.com:22\tprod | core', '1 Shop = tcp example.com 22 [prod,core]'],
  ['https://example.com/, prod', '1 example.com = http https://example.com/ [prod]'],
  ['"Shop, ""new""",https://example.com/?a=1,prod', '1 Shop, "new" = http https://example.com/?a=1 [prod]'],
  ['nas', '1 nas = http https://nas/ []'],
  ['ftp://example.com/', '1 ! importing.scheme'],
  ['tcp://example.com', '1 ! importing.noPort'],
  ['Shop, https://shop:hunter2@example.com/', '1 ! importing.signIn'],
  ['wss://token@example.com/', '1 ! importing.signIn'],
  ['https://', '1 ! errors.reasons.no_host'],
  ['example.com:70000', '1 ! errors.reasons.port_range'],
  ['Shop, two words', '1 ! errors.reasons.whitespace'],
  ['Shop,', '1 ! errors.reasons.missing'],
  [`${'x'.repeat(201)}, example.com`, '1 ! importing.longName'],
  [`example.com, ${Array.from({ length: 21 }, (_, i) => `t${i}`).join(';')}`, '1 ! importing.manyTags'],
] as const)
  test(`the line ${JSON.stringify(text.slice(0, 60))} is parsed`, () => {
    assert.deepEqual(shown(text), [expected]);
  });

test('a host alone is a ping if chosen', () => {
  assert.deepEqual(shown('example.com\n192.0.2.1', 'ping'), [
    '1 example.com = ping example.com []',
    '2 192.0.2.1 = ping 192.0.2.1 []',
  ]);
});

test('blank lines, comments and a heading are skipped, and lines keep their numbers', () => {
  assert.deepEqual(shown('\uFEFFname,url,tags\r\n\r\n# of the shop\r\nShop,https://example.com/\r\n'), [
    '4 Shop = http https://example.com/ []',
  ]);
});

test('a duplicate names its first line', () => {
  assert.deepEqual(shown('https://example.com\nShop, https://EXAMPLE.com/\nexample.com:22\nexample.com:22'), [
    '1 example.com = http https://example.com []',
    '2 Shop = http https://EXAMPLE.com/ [] as 1',
    '3 example.com:22 = tcp example.com 22 []',
    '4 example.com:22 = tcp example.com 22 [] as 3',
  ]);
});

test('an existing monitor has the same key', () => {
  const [line] = readLines('https://example.com', 'http');
  assert.equal(targetKeyOf(line?.monitor ?? assert.fail()), sameTarget('http', 'https://example.com/'));
  const [ip] = readLines('[2001:db8::1]:22', 'http');
  assert.equal(targetKeyOf(ip?.monitor ?? assert.fail()), sameTarget('tcp', '[2001:db8::1]:22'));
});

test('any pasted line is a monitor or has a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const { monitor, problem, no } of readLines(text, 'http')) {
        assert.notEqual(monitor === null, problem === null);
        assert.ok(no >= 1);
        if (monitor) assert.ok(monitor.name.length <= 200);
      }
    }),
  );
});
