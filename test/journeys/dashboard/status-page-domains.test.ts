// Custom domains in the dashboard: a newcomer adds one, sets its record in a real name server, sees it verified without touching
// anything, and removes it; with a real browser, mostly by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { certificateProblemSentence } from '#src/domain/certificate-problem.ts';
import { makeCnameLookUp } from '#src/platform/outbound/cname.ts';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import { lookUpDue } from '#src/status-pages/domains/lookups.ts';
import { violations } from '#test/harness/accessibility.ts';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { silent } from '#test/harness/cluster.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { dnsServer } from '#test/harness/dns-server.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { choose, fits, press, signedInPage, stepsOf, watch } from '#test/harness/page.ts';
import { newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

const EDGE = 'edge.example.net';
const NAME = 'status.example.com';

const item = (page: Page, name: string) => page.getByRole('listitem', { name });
const field = (page: Page) => page.getByRole('textbox', { name: 'Domain' });
const add = async (page: Page, name: string) => {
  await field(page).fill(name);
  await field(page).press('Enter');
};
/** Waits until the live region has said it. */
const said = (page: Page, words: string) =>
  page.locator('[aria-live]', { hasText: words }).first().waitFor({ state: 'attached' });
const stepsIn = (page: Page, name: string) =>
  item(page, name).getByRole('list').getByRole('listitem').allInnerTexts();

test('custom domains in the dashboard', { skip: noBrowser() }, async (t) => {
  /** The CNAME records of the world. */
  const records = new Map<string, string>();
  const { port } = await dnsServer(t, ({ question: { name, type } }) => {
    if (type === 'NS' && name === '.')
      return { answers: [{ type: 'NS', name: '.', ttl: 60, data: 'a.root-servers.net' }] };
    const data = records.get(name.toLowerCase());
    return type === 'CNAME' && data !== undefined
      ? { answers: [{ type: 'CNAME', name, ttl: 60, data }] }
      : { rcode: 3 };
  });
  await using stack = new AsyncDisposableStack();
  const { url, app, admin, orgId, orgPath, browser } = await startDashboard(stack, {
    EDGE_DOMAIN: EDGE,
    DNS_SERVERS: `127.0.0.1:${port}`,
  });
  const made = await newPage(app.alice, app.home, 'Acme Status');
  const address = `${url}/app/o/${orgId}/status-pages/${made.id}?part=domains`;
  const stored = () => admin.ok<CustomDomain[]>('GET', `/status-pages/${made.id}/domains`);
  const first = async () => {
    const [domain] = await stored();
    assert.ok(domain);
    return domain;
  };
  /** As the loop of a server does, without waiting until it is due. */
  const lookUpAll = async () => {
    await app.db.updateTable('status_page_domains').set({ next_check_at: new Date() }).execute();
    const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
    const options = { db: app.db, clock: app.clock.now, log: silent, lookUp } as const;
    await lookUpDue({ ...options, targetDomain: EDGE, edge: 'none' });
  };
  const page = await signedInPage(browser, url, ADMIN.email);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const seen = watch(page);
  const step = stepsOf(t, page, () => assert.deepEqual(seen.broken, []));
  const copied = async (what: string) => {
    await item(page, NAME).getByRole('button', { name: what }).press('Enter');
    return page.evaluate<string>('navigator.clipboard.readText()');
  };

  await step('whoever has no domain is shown what one is for, and how it begins', async () => {
    await page.goto(address);
    await page.getByText('Under a name of your own, such as status.example.com').waitFor();
    await press(page, 'Add domain');
    await page.getByText('Enter a domain.').waitFor();
  });

  await step(
    'what cannot have a record is warned of while it is typed, and what nobody may take refused',
    async () => {
      await field(page).fill('Example.com.');
      await page.getByText('example.com itself can have no CNAME record').waitFor();
      await add(page, `a.${EDGE}`);
      await page.getByText('Nobody can use this name').waitFor();
      await add(page, 'https://status.example.com');
      await page.getByText('This is not a host name.').waitFor();
      assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await stored(), []);
    },
  );

  await step('an added domain comes into view with its record, every part of it to copy', async () => {
    await add(page, NAME);
    await item(page, NAME).waitFor();
    await said(page, `${NAME} is added.`);
    await until(
      async () => (await page.evaluate<string>('document.activeElement.textContent')) === NAME,
      'the focus is on the new domain',
    );
    const { cname_target: target } = await first();
    assert.equal(await copied('Copy Name'), 'status');
    assert.equal(await copied('Copy Full name'), NAME);
    assert.equal(await copied('Copy Value'), target);
    await choose(page, 'DNS provider', 'Hetzner');
    await page.getByText('without it Hetzner appends your own domain').waitFor();
    assert.equal(await copied('Copy Value'), `${target}.`);
    await choose(page, 'DNS provider', 'Cloudflare');
    await page.getByText('“DNS only”').waitFor();
  });

  await step('a domain that the organization has already is refused at the field', async () => {
    await add(page, NAME.toUpperCase());
    await page.getByText('This domain is already on a status page of yours').waitFor();
  });

  await step('what is wrong with the record is said, and looked up again when asked', async () => {
    records.set(NAME, 'old.example.org');
    const verify = item(page, NAME).getByRole('button', { name: 'Verify now' });
    await verify.press('Enter');
    await item(page, NAME).getByText('The record points elsewhere').first().waitFor();
    await item(page, NAME).getByText('It leads to old.example.org').waitFor();
    await item(page, NAME).getByText('Looked up at').waitFor();
    await said(page, `${NAME}: The record points elsewhere`);
    assert.deepEqual(await violations(page), []);
  });

  await step(
    'once the record is right the page shows it by itself, and nobody loses their place',
    async () => {
      records.set(NAME, (await first()).cname_target);
      await field(page).fill('half typed');
      await lookUpAll();
      await item(page, NAME).getByText('Verified; your own proxy serves it').waitFor({ timeout: 60_000 });
      await said(page, `${NAME}: Verified; your own proxy serves it`);
      assert.equal(await field(page).inputValue(), 'half typed');
      assert.equal(await page.evaluate('document.activeElement.value'), 'half typed');
      assert.deepEqual(await stepsIn(page, NAME), [
        'Record set\n: done',
        'Verified\n: done',
        'On the edge\n: your own proxy',
        'Certificate\n: your own proxy',
      ]);
      // A draft is there for nobody, under no name.
      await page.getByText('The page is a draft').waitFor();
      assert.equal(await page.getByRole('link', { name: `Open ${NAME}` }).count(), 0);
      assert.deepEqual(await violations(page), []);
    },
  );

  await step('of a page that is online the domain can be opened', async () => {
    await admin.ok('PATCH', `/status-pages/${made.id}`, settings(made, { access_mode: 'public' }));
    await page.goto(address);
    const open = page.getByRole('link', { name: `Open ${NAME}` });
    await open.waitFor();
    assert.equal(await open.getAttribute('href'), `https://${NAME}/`);
  });

  await step('what the edge reports is followed until there is a certificate', async () => {
    /** As an installation with an edge would answer. */
    let edge: Partial<CustomDomain> = { edge_synced: false, cert_status: null, last_error: null };
    const path = /\/status-pages\/\w+\/domains$/;
    await page.route(path, async (route) => {
      const answer = await route.fetch();
      const domains = (await answer.json()) as CustomDomain[];
      await route.fulfill({ response: answer, json: domains.map((each) => ({ ...each, ...edge })) });
    });
    await page.reload();
    await page.getByText('Verified; the edge is being configured').waitFor();
    edge = {
      ...{ edge_synced: true, cert_status: 'failed' },
      last_error: certificateProblemSentence({ kind: 'missing' }, NAME),
    };
    await page.getByText('no CAA record excludes the certificate authority').waitFor();
    edge = { edge_synced: true, cert_status: 'issued', last_error: null };
    await page.getByText('Visitors reach the page under this domain.').waitFor();
    await said(page, `${NAME}: Online`);
    assert.equal((await stepsIn(page, NAME)).at(-1), 'Certificate\n: done');
    await page.unroute(path);
  });

  await step('punycode is also shown as people read it', async () => {
    await add(page, 'störung.example.com');
    await item(page, 'xn--strung-xxa.example.com').getByText('störung.example.com').waitFor();
  });

  await step('on a phone nothing is too wide, in German either', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, address);
    await page.evaluate("localStorage.setItem('tocsin-language', 'de')");
    await fits(page, address);
    await page.getByText('Domain hinzufügen').waitFor();
    await page.evaluate("localStorage.removeItem('tocsin-language')");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await step('a removed domain is gone after a question that says what happens', async () => {
    await page.goto(address);
    for (const name of ['xn--strung-xxa.example.com', NAME]) {
      await item(page, name).getByRole('button', { name: 'Remove' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Delete its CNAME record too').waitFor();
      await dialog.getByRole('button', { name: 'Remove domain' }).press('Enter');
      await item(page, name).waitFor({ state: 'detached' });
      await said(page, `${name} is removed.`);
    }
    assert.deepEqual(await stored(), []);
    await page.getByText('Under a name of your own').waitFor();
  });

  await step('the plan is said before it is hit, and in place of the form where it has no room', async () => {
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'pro' });
    await page.goto(address);
    await page.getByText('0 of 3 domains that the plan includes for each page.').waitFor();
    for (const name of ['a.example.com', 'b.example.com', 'c.example.com'])
      await admin.ok('POST', `/status-pages/${made.id}/domains`, { domain: name });
    // The list is older than what the server knows.
    await add(page, 'd.example.com');
    await page.getByText('This page has all 3 domains that the plan allows.').first().waitFor();
    await field(page).waitFor({ state: 'detached' });
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'free' });
    await page.goto(address);
    await page.getByText('This plan does not include custom domains.').waitFor();
    await admin.ok('PATCH', `/admin${orgPath}`, { plan: 'unlimited' });
  });

  await step('who may not change the page sees nothing of its domains', async () => {
    const member = await app.person('mia', { [orgId]: 'member' });
    const theirs = await signedInPage(browser, url, member.email);
    await theirs.goto(address);
    await theirs.getByRole('heading', { level: 1, name: 'Acme Status' }).waitFor();
    await theirs.getByText('UTC').first().waitFor();
    assert.equal(await theirs.getByText('Custom domains').count(), 0);
    await giveBack(theirs);
  });

  await step('only the expected refusals have happened', () => {
    assert.deepEqual([...new Set(seen.refused)].sort(), [
      '400 POST domains',
      '402 POST domains',
      '409 POST domains',
    ]);
    return Promise.resolve();
  });
});
