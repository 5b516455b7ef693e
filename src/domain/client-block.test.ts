import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientBlock } from './client-block.ts';

for (const [address, block] of [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51514', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['[2001:DB8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
] as const)
  test(`${address || 'nothing'} counts as ${block || 'nothing'}`, () => {
    assert.equal(clientBlock(address), block);
  });
