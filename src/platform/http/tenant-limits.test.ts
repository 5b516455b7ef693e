import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mock, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import {
  BODY_KIB_A_DAY_PER_TENANT,
  BODY_KIB_PER_TENANT,
  makeTenantLimits,
  REQUESTS_PER_TENANT,
  TENANTS_OF_AN_OWNER,
  UNDER_WAY_PER_TENANT,
  WORKED_AT_A_TIME,
} from './tenant-limits.ts';

const answered = () => {
  const raw = new EventEmitter();
  return { raw: raw.setMaxListeners(0) } as unknown as FastifyReply;
};
const tenant = (id: string, owner: string | null = null) => ({ id, owner });
const refused = { code: 'rate_limited' };
const small = () => ({ reply: answered(), bodyBytes: 0, held: false });

test('each tenant has its own limit of concurrent requests', async () => {
  const limits = makeTenantLimits();
  const first = small();
  await limits.count(tenant('org_a'), first);
  for (let i = 1; i < UNDER_WAY_PER_TENANT; i++) await limits.count(tenant('org_a'), small());
  await assert.rejects(limits.count(tenant('org_a'), small()), refused);
  await limits.count(tenant('org_a'), { ...small(), held: true });
  await limits.count(tenant('org_b'), small());
  first.reply.raw.emit('close');
  await limits.count(tenant('org_a'), small());
});

test('a client that hung up while its request was being let in uses no place', async () => {
  const limits = makeTenantLimits();
  const gone = () => ({ ...small(), reply: { raw: { closed: true, once: () => undefined } } as never });
  for (let i = 0; i < 2 * UNDER_WAY_PER_TENANT; i++) await limits.count(tenant('org_a', 'alice'), gone());
  await limits.count(tenant('org_a', 'alice'), small());
});

test('a tenant has one request budget, however many credentials it has', async () => {
  const limits = makeTenantLimits();
  const request = { reply: answered(), bodyBytes: 0, held: true };
  for (let i = 0; i < REQUESTS_PER_TENANT; i++) await limits.count(tenant('org_a'), request);
  await assert.rejects(limits.count(tenant('org_a'), request), refused);
  await limits.count(tenant('org_b'), request);
});

test('large bodies use a byte budget', async () => {
  const limits = makeTenantLimits();
  const mebibyte = { reply: answered(), bodyBytes: 1024 * 1024, held: true };
  for (let i = 0; i < BODY_KIB_PER_TENANT / 1024; i++) await limits.count(tenant('org_a'), mebibyte);
  await assert.rejects(limits.count(tenant('org_a'), mebibyte), refused);
  await limits.count(tenant('org_a'), { ...mebibyte, bodyBytes: 0 });
});

test('bodies also have a daily budget, which steady ordinary use does not exhaust', async () => {
  mock.timers.enable({ apis: ['Date'] });
  try {
    const limits = makeTenantLimits();
    const aMinute = { reply: answered(), bodyBytes: BODY_KIB_PER_TENANT * 1024, held: true };
    for (let i = 0; i < BODY_KIB_A_DAY_PER_TENANT / BODY_KIB_PER_TENANT; i++) {
      await limits.count(tenant('org_a'), aMinute);
      mock.timers.tick(61_000);
    }
    await assert.rejects(limits.count(tenant('org_a'), { ...aMinute, bodyBytes: 1 }), refused);
    await limits.count(tenant('org_a'), { ...aMinute, bodyBytes: 0 });
    await limits.count(tenant('org_b'), aMinute);
  } finally {
    mock.timers.reset();
  }
});

test('a caller with many requests waits for itself, and others are served at once', async () => {
  const limits = makeTenantLimits();
  let working = 0;
  const ends: (() => void)[] = [];
  const endless = () => {
    working += 1;
    return new Promise<void>((end) => ends.push(end));
  };
  const greedy = Array.from({ length: 40 }, () => limits.inTurn(tenant('org_a'), endless));
  await new Promise(setImmediate);
  assert.equal(working, WORKED_AT_A_TIME / 2);
  assert.equal(await limits.inTurn(tenant('org_b'), async () => 'answered'), 'answered');
  while (working < 40) {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  }
  for (const end of ends.splice(0)) end();
  await Promise.all(greedy);
});

test('a failed request releases its slot', async () => {
  const limits = makeTenantLimits();
  for (let i = 0; i < 2 * WORKED_AT_A_TIME; i++)
    await assert.rejects(
      limits.inTurn(tenant('org_a'), () => Promise.reject(new Error('broken'))),
      { message: 'broken' },
    );
  assert.equal(await limits.inTurn(tenant('org_a'), async () => 'answered'), 'answered');
});

test('the tenants of one owner together have as much as four', async () => {
  const limits = makeTenantLimits();
  const mebibyte = { reply: answered(), bodyBytes: 1024 * 1024, held: true };
  const ofMallory = (i: number) => tenant(`org_${i % 10}`, 'mallory');
  for (let i = 0; i < (TENANTS_OF_AN_OWNER * BODY_KIB_PER_TENANT) / 1024; i++)
    await limits.count(ofMallory(i), mebibyte);
  await assert.rejects(limits.count(ofMallory(0), mebibyte), refused);
  for (let i = 0; i < TENANTS_OF_AN_OWNER * UNDER_WAY_PER_TENANT; i++)
    await limits.count(ofMallory(i), small());
  await assert.rejects(limits.count(ofMallory(0), small()), refused);
  await limits.count(tenant('org_a', 'alice'), { ...mebibyte, held: false });
});

test('ten organizations of one owner are served like one', async () => {
  const limits = makeTenantLimits();
  let working = 0;
  const endless = () => {
    working += 1;
    return new Promise<void>(() => undefined);
  };
  for (let i = 0; i < 40; i++) void limits.inTurn(tenant(`org_${i % 10}`, 'mallory'), endless);
  await new Promise(setImmediate);
  assert.ok(working <= WORKED_AT_A_TIME / 2, `${working}`);
  assert.equal(await limits.inTurn(tenant('org_a', 'alice'), async () => 'answered'), 'answered');
});
