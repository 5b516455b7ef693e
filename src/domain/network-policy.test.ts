import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkAccess } from './network-policy.ts';

const judged = (ip: string, allowPrivate: boolean) => {
  const result = networkAccess(ip, { allowPrivate });
  return result.allowed ? 'allowed' : result.why;
};

for (const ip of [
  '1.1.1.1',
  '93.184.216.34',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
]) {
  test(`${ip} is allowed everywhere`, () => {
    assert.deepEqual([judged(ip, false), judged(ip, true)], ['allowed', 'allowed']);
  });
}

for (const [ip, why] of [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['fec0::1', 'private'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:c0a8:101', 'private'],
  ['::7f00:1', 'loopback'],
  ['::ffff:0:10.0.0.1', 'private'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['2002:7f00:1::1', 'loopback'],
  ['2001:0:808:808::80ff:fffe', 'loopback'],
] as const) {
  test(`${ip} is ${why}: allowed only where private targets are`, () => {
    assert.deepEqual([judged(ip, false), judged(ip, true)], [why, 'allowed']);
  });
}

for (const [ip, why] of [
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:0ec2:0:0:0:0:0:0254', 'metadata'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['::a9fe:a9fe', 'metadata'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['2002:a9fe:a9fe::', 'metadata'],
  ['2001:0:a9fe:a9fe::f7f7:f7f7', 'metadata'],
  ['2001:0:808:808::5601:5601', 'metadata'],
  ['169.254.1.1', 'link_local'],
  ['fe80::1', 'link_local'],
  ['febf::1', 'link_local'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['64:ff9b:1::a00:1', 'reserved'],
  ['4000::1', 'reserved'],
  ['100::1', 'reserved'],
  ['example.com', 'not_an_address'],
  ['127.1', 'not_an_address'],
  ['0x7f000001', 'not_an_address'],
  ['[::1]', 'not_an_address'],
  ['fe80::1%eth0', 'not_an_address'],
  ['', 'not_an_address'],
] as const) {
  test(`${ip || 'an empty text'} is refused everywhere: ${why}`, () => {
    assert.deepEqual([judged(ip, false), judged(ip, true)], [why, why]);
  });
}
