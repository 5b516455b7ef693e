// Custom domains (docs/rules/status-pages.md#custom-domains): added, looked up against a real name server, verified, lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCnameLookUp } from '#src/platform/outbound/cname.ts';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import { lookUpDue } from '#src/status-pages/domains/lookups.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { dnsServer } from '#test/harness/dns-server.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newPage } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

const EDGE = 'edge.example.net';
const HOUR_MS = 3_600_000;
const DUPLICATE = { status: 409, error: 'duplicate_domain', field: 'domain' };

let made = 0;
const freshName = () => `status-${++made}.example.com`;
const path = ({ id }: { id: string }) => `/status-pages/${id}/domains`;

test('custom domains', async (t) => {
  /** The CNAME records of the world; null: the name servers say nothing. */
  const records = new Map<string, string | null>();
  const { port } = await dnsServer(t, ({ question: { name, type } }) => {
    const data = records.get(name.toLowerCase());
    if (data === null) return null;
    if (type !== 'CNAME' || data === undefined) return { rcode: 3 };
    return { answers: [{ type: 'CNAME', name, ttl: 60, data }] };
  });
  const app: TestApp = await startAppOfFile({
    env: {
      BASE_URL: 'https://tocsin.example.com',
      HOSTS: 'monitor.example.com:8443',
      EDGE_DOMAIN: EDGE,
      DNS_SERVERS: `127.0.0.1:${port}`,
    },
  });
  const { alice, db, clock } = app;
  const home = await app.place();
  const page = await newPage(alice, home);
  const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
  /** As often as something is due, as the loop of a server does. */
  const lookUpAll = async () => {
    const options = { db, clock: clock.now, log: silent, lookUp, targetDomain: EDGE, edge: 'none' } as const;
    while ((await lookUpDue(options)) > 0);
  };
  const add = (domain: string, of = page, by: Person = alice) =>
    by.ok<CustomDomain>('POST', path(of), { domain });
  const read = async ({ id }: CustomDomain, of = page, by: Person = alice) => {
    const found = (await by.ok<CustomDomain[]>('GET', path(of))).find((each) => each.id === id);
    assert.ok(found);
    return found;
  };
  const verify = ({ id }: CustomDomain, of = page, by: Person = alice) =>
    by.ok<CustomDomain>('POST', `${path(of)}/${id}/verify`);
  const elsewhere = async (): Promise<{ place: Place; page: typeof page }> => {
    const place = await app.place();
    return { place, page: await newPage(alice, place) };
  };

  await t.test('a new domain is pending, with its own target, in lower case', async () => {
    const name = freshName();
    const answer = await alice.send<CustomDomain>('POST', path(page), { domain: ` ${name.toUpperCase()}. ` });
    assert.equal(answer.status, 201);
    const { id, cname_target, verification_token, ...rest } = answer.body;
    assert.match(id, /^spd_/);
    assert.match(cname_target, /^[0-9a-f]{24}\.edge\.example\.net$/);
    assert.ok(verification_token.length >= 20);
    assert.deepEqual(rest, {
      ...{ domain: name, status: 'pending', verification_method: 'cname', verified_at: null },
      ...{ cert_status: 'pending', edge_synced: false, last_error: null },
    });
    const other = await add(freshName());
    assert.notEqual(other.cname_target, cname_target);
    assert.deepEqual(
      (await alice.ok<CustomDomain[]>('GET', path(page))).slice(-2).map((each) => each.id),
      [id, other.id],
    );
  });

  await t.test('reserved domains are refused by name', async () => {
    const reserved = ['tocsin.example.com', 'monitor.example.com', EDGE, `a.${EDGE}`, 'co.uk', '10.0.0.1'];
    for (const domain of [...reserved, 'localhost', 'status.test'])
      assertRefused(await alice.send('POST', path(page), { domain }), {
        ...{ status: 400, error: 'reserved_domain', field: 'domain' },
      });
    for (const domain of [
      '*.example.com',
      '',
      'https://a.example.com',
      `${'a'.repeat(64)}.example.com`,
      'a\u0000b.com',
    ])
      assertRefused(await alice.send('POST', path(page), { domain }), {
        ...{ status: 400, error: 'invalid_request', field: 'domain' },
      });
  });

  await t.test('the deprecated method is accepted and ignored', async () => {
    const added = await alice.ok<CustomDomain>('POST', path(page), { domain: freshName(), method: 'txt' });
    assert.equal(added.verification_method, 'cname');
  });

  await t.test('an organization has each domain once, whatever its case', async () => {
    const { domain } = await add(freshName());
    const other = await newPage(alice, home);
    assertRefused(await alice.send('POST', path(page), { domain: domain.toUpperCase() }), DUPLICATE);
    assertRefused(await alice.send('POST', path(other), { domain }), DUPLICATE);
  });

  await t.test('a record that points at the target verifies the domain in the background', async () => {
    const added = await add(freshName());
    records.set(added.domain, `${added.cname_target.toUpperCase()}.`);
    await lookUpAll();
    const verified = await read(added);
    assert.deepEqual(
      [verified.status, verified.verified_at, verified.edge_synced, verified.cert_status],
      ['verified', Math.floor(clock.ms() / 1000), true, 'pending'],
    );
    assert.match(verified.last_error ?? '', /own proxy/);
  });

  await t.test('a record that leads there through another name verifies it', async () => {
    const added = await add(freshName());
    records.set(added.domain, 'alias.example.org');
    records.set('alias.example.org', added.cname_target);
    assert.equal((await verify(added)).status, 'verified');
  });

  await t.test('an error in the record is reported, and a cycle of records ends', async () => {
    const added = await add(freshName());
    assert.match((await verify(added)).last_error ?? '', /has no CNAME record/);
    records.set(added.domain, 'elsewhere.example.org');
    const wrong = await verify(added);
    assert.deepEqual([wrong.status, wrong.verified_at], ['pending', null]);
    assert.match(wrong.last_error ?? '', /points at elsewhere\.example\.org, not at /);
    records.set(added.domain, added.domain);
    assert.match((await verify(added)).last_error ?? '', /points at /);
  });

  await t.test('an abandoned domain fails after 72 hours, and is checked again on request', async () => {
    const added = await add(freshName());
    await lookUpAll();
    clock.advance(72 * HOUR_MS);
    await lookUpAll();
    const failed = await read(added);
    assert.equal(failed.status, 'failed');
    assert.match(failed.last_error ?? '', /72 hours/);
    clock.advance(HOUR_MS);
    records.set(added.domain, added.cname_target);
    await lookUpAll();
    assert.equal((await read(added)).status, 'failed');
    assert.equal((await verify(added)).status, 'verified');
  });

  await t.test('a verified domain whose record points elsewhere is served for seven days', async () => {
    const added = await add(freshName());
    records.set(added.domain, added.cname_target);
    await lookUpAll();
    records.set(added.domain, 'elsewhere.example.org');
    clock.advance(HOUR_MS);
    await lookUpAll();
    assert.match((await read(added)).last_error ?? '', /points at elsewhere/);
    clock.advance(6.9 * 24 * HOUR_MS);
    await lookUpAll();
    assert.equal((await read(added)).status, 'verified');
    clock.advance(0.2 * 24 * HOUR_MS);
    await lookUpAll();
    const lost = await read(added);
    assert.deepEqual([lost.status, lost.verified_at, lost.edge_synced], ['failed', null, false]);
  });

  await t.test(
    'a verified domain stays where the operator moves the targets, and its owner is told',
    async () => {
      const added = await add(freshName());
      records.set(added.domain, added.cname_target);
      // The old names still lead to the edge.
      records.set(added.cname_target, 'edge.machines.example.org');
      await lookUpAll();
      const options = { db, clock: clock.now, log: silent, lookUp, edge: 'none' } as const;
      const lookUpMoved = async () => {
        clock.advance(HOUR_MS);
        while ((await lookUpDue({ ...options, targetDomain: 'moved.example.net' })) > 0);
      };
      for (let day = 0; day < 9; day++) {
        await lookUpMoved();
        clock.advance(24 * HOUR_MS);
      }
      const { status, last_error } = await read(added);
      assert.equal(status, 'verified');
      assert.match(
        last_error ?? '',
        /points at edge\.machines\.example\.org, not at [0-9a-f]{24}\.moved\.example\.net/,
      );
      records.set(added.domain, 'elsewhere.example.org');
      await lookUpMoved();
      clock.advance(7 * 24 * HOUR_MS);
      await lookUpMoved();
      assert.equal((await read(added)).status, 'failed');
    },
  );

  await t.test(
    'of two organizations the first to verify gets the domain, and the other is told why',
    async () => {
      const name = freshName();
      const mine = await add(name);
      const { page: theirs } = await elsewhere();
      const other = await add(name, theirs);
      assert.notEqual(other.cname_target, mine.cname_target);
      records.set(name, other.cname_target);
      assert.equal((await verify(other, theirs)).status, 'verified');
      const lost = await read(mine);
      assert.equal(lost.status, 'failed');
      assert.match(lost.last_error ?? '', /first/);
      records.set(name, mine.cname_target);
      assert.equal((await verify(mine)).status, 'failed');
      assert.equal((await read(other, theirs)).status, 'verified');
      const { page: third } = await elsewhere();
      assertRefused(await alice.send('POST', path(third), { domain: name }), DUPLICATE);
    },
  );

  await t.test('two simultaneous verifications do not both succeed', async () => {
    const name = freshName();
    const mine = await add(name);
    const { page: theirs } = await elsewhere();
    const other = await add(name, theirs);
    // A name that points at both in turns.
    records.set(name, 'turn.example.org');
    records.set('turn.example.org', mine.cname_target);
    records.set(mine.cname_target, other.cname_target);
    const states = await Promise.all([verify(mine), verify(other, theirs)]);
    assert.deepEqual(states.map(({ status }) => status).sort(), ['failed', 'verified']);
  });

  await t.test(
    'a removed domain is free for another organization; one of another page is unknown',
    async () => {
      const added = await add(freshName());
      records.set(added.domain, added.cname_target);
      await verify(added);
      const { page: theirs } = await elsewhere();
      assert.equal((await alice.send('DELETE', `${path(theirs)}/${added.id}`)).status, 404);
      assert.equal((await alice.send('DELETE', `${path(page)}/${added.id}`)).status, 204);
      assert.equal((await alice.send('DELETE', `${path(page)}/${added.id}`)).status, 404);
      const again = await add(added.domain, theirs);
      assert.notEqual(again.cname_target, added.cname_target);
      assert.equal((await verify(again, theirs)).status, 'pending');
    },
  );

  await t.test('archiving a page frees its domains', async () => {
    const own = await newPage(alice, home);
    const { domain } = await add(freshName(), own);
    await alice.ok('DELETE', `/status-pages/${own.id}`);
    await add(domain);
  });

  await t.test('the plan’s limit of domains per page is checked first', async () => {
    const pro = await app.place(alice, 'pro');
    const own = await newPage(alice, pro);
    for (let n = 0; n < 3; n++) await add(freshName(), own);
    const refused = { status: 402, error: 'plan_limit', field: 'custom_domains_per_page', limit: 3 };
    for (const domain of [freshName(), 'localhost', 7])
      assertRefused(await alice.send('POST', path(own), { domain }), refused);
    const free = await app.place(alice, 'free');
    const none = await newPage(alice, free);
    assertRefused(await alice.send('POST', path(none), { domain: freshName() }), { ...refused, limit: 0 });
  });

  await t.test('of two simultaneous requests for the last domain one is refused', async () => {
    const pro = await app.place(alice, 'pro');
    const own = await newPage(alice, pro);
    for (let n = 0; n < 2; n++) await add(freshName(), own);
    const answers = await Promise.all(
      [freshName(), freshName()].map((domain) => alice.send('POST', path(own), { domain })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 402]);
  });
});

test('domains require project management', async () => {
  const app = await startAppOfFile();
  const place = await app.place();
  const page = await newPage(app.alice, place);
  const member = await app.person('mia', { [place.orgId]: 'member' });
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', { domain: freshName() }],
  ] as const)
    assertRefused(await member.send(method, path(page), body), { status: 403, error: 'forbidden' });
  const manager = await app.person('max', { [place.orgId]: 'manager' });
  assert.equal((await manager.send('POST', path(page), { domain: freshName() })).status, 201);
});

test('organizations whose name servers are silent do not delay the others', async (t) => {
  const app = await startAppOfFile();
  const asked: string[] = [];
  const { port } = await dnsServer(t, ({ question: { name } }) => {
    asked.push(name);
    return name.startsWith('silent') ? null : { rcode: 3 };
  });
  const { alice, db, clock } = app;
  const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
  t.after(() => lookUp.cancel());
  const many = await newPage(alice, await app.place());
  for (let n = 0; n < 20; n++) await alice.ok('POST', path(many), { domain: `silent-${n}.example.com` });
  const other = await newPage(alice, await app.place());
  await alice.ok('POST', path(other), { domain: 'other.example.com' });
  const lookup = lookUpDue({ db, clock: clock.now, log: silent, lookUp, targetDomain: EDGE, edge: 'none' });
  await until(() => asked.includes('other.example.com'), 'the other one was looked up');
  lookUp.cancel();
  assert.ok((await lookup) < 10);
});
