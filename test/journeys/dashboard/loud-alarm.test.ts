// The loud alarm in a real browser that hears: it rings for whoever is paged until somebody takes it, in one tab of
// several, and says so where the browser lets nothing be heard; with web push it is told of even without a page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { noBrowser } from '#test/harness/browser.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { flip, heading, press, stepsOf, watch } from '#test/harness/page.ts';
import { startPushService } from '#test/harness/push-service.ts';
import { givePush } from '#test/harness/pushed-browser.ts';
import { recordSound, untilAudible, untilSilent, volume } from '#test/harness/sound.ts';
import { until } from '#test/harness/until.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Ringing alarm' });
const state = (page: Page, wanted: string) => page.locator(`[data-loud-alarm="${wanted}"]`).waitFor();
const quiet = (page: Page) => bar(page).waitFor({ state: 'detached' });
const titled = (page: Page, words: RegExp) =>
  until(async () => words.test(await page.title()), `a title like ${words}`);

async function opened(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await heading(page, /./).waitFor();
  return page;
}

test('the loud alarm', { skip: noBrowser('whole') }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const pushService = await startPushService();
  stack.defer(() => pushService.stop());
  const { url, admin, orgId, orgPath, browser } = await startDashboard(stack, {}, { browserKind: 'whole' });
  const base = `${url}/app/o/${orgId}`;
  const { invite_token } = await admin.ok<{ invite_token: string }>('POST', `${orgPath}/invitations`, {
    email: 'tom@example.com',
    role: 'member',
  });
  const accepted = { token: invite_token, name: 'Tom Okafor', password: ADMIN.password };
  await makeClient(url).ok('POST', '/auth/invitations/accept', accepted);
  const tom = makeClient(url);
  await signIn(tom, 'tom@example.com', ADMIN.password);
  const open = async (cause: string) => {
    const body = { cause, severity: 'critical' };
    return (await tom.ok<{ id: string }>('POST', `${orgPath}/incidents`, body)).id;
  };
  const act = (id: string, verb: string, body?: object) =>
    tom.ok('POST', `${orgPath}/incidents/${id}/${verb}`, body);

  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  await recordSound(context);
  const data = { email: ADMIN.email, password: ADMIN.password };
  await context.request.post(`${url}/auth/sign-in/email`, { data, headers: { origin: url } });
  const page = await opened(context, `${base}/monitors`);
  const seen = watch(page);
  await heading(page, /./).click();
  let incident = '';

  const step = stepsOf(t, page, () => assert.deepEqual(seen, { refused: [], broken: [] }));

  await step('an incident rings audibly, the title alternates, and a bar shows it', async () => {
    assert.equal(await volume(page), 0);
    incident = await open('Payments fail');
    await bar(page).getByRole('link', { name: 'Payments fail' }).waitFor();
    await untilAudible(page, 'the bell');
    await titled(page, /^\(1\) 🔔 Payments fail$/);
    await titled(page, /^\(1\) Monitors · Tocsin$/);
    await titled(page, /^\(1\) 🔔 Payments fail$/);
  });

  await step('of two tabs one rings; when it is closed, the other does', async () => {
    const second = await opened(context, `${base}/incidents`);
    await heading(second, /./).click();
    await bar(second).getByText('It rings in another tab.').waitFor();
    assert.equal(await volume(second), 0);
    const third = await opened(context, `${url}/app/account`);
    await bar(third).getByText('Payments fail').waitFor();
    await third.close();
    // The first tab goes elsewhere in the meantime, which ends its page. Where its icon may still be loading, it may be seen.
    await page.goto(`${url}/healthz`);
    await state(second, 'sounding');
    await untilAudible(second, 'the bell in the other tab');
    await second.close();
    await page.goto(`${base}/monitors`);
    await heading(page, /./).click();
    await state(page, 'sounding');
  });

  await step('this device can be muted for a while, and ring again', async () => {
    await press(page, 'Silence here for 5 minutes');
    await state(page, 'silent');
    await untilSilent(page, 'silenced');
    await press(page, 'Ring again');
    await untilAudible(page, 'the bell');
  });

  await step('an acknowledgement by somebody else silences it at once through the live stream', async () => {
    // Asking what rings would end it, too, but late: here nobody is answered, so that only the stream can have told.
    const asking = '**/on-call/ringing';
    const mayAnswer = Promise.withResolvers<void>();
    await page.route(asking, (route) => mayAnswer.promise.then(() => route.continue()));
    await act(incident, 'ack');
    await quiet(page);
    mayAnswer.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await untilSilent(page, 'acknowledged');
    await titled(page, /^\(1\) Monitors · Tocsin$/);
  });

  await step('a hold silences it, the end of the hold rings again, and resolving ends it', async () => {
    incident = await open('Bookings are lost');
    await state(page, 'sounding');
    await act(incident, 'hold', { seconds: 600 });
    await quiet(page);
    await act(incident, 'hold', { seconds: 0 });
    await state(page, 'sounding');
    await act(incident, 'resolve');
    await quiet(page);
    await untilSilent(page, 'resolved');
  });

  await step('several are counted and acknowledged with one click', async () => {
    for (const cause of ['Checkout is down', 'Search is down', 'Mail is down', 'Maps are down'])
      await open(cause);
    await bar(page).getByText('4 incidents are ringing').waitFor();
    await bar(page).getByText('and 1 more').waitFor();
    await press(page, 'Acknowledge all');
    await quiet(page);
    assert.deepEqual(await admin.ok('GET', `${orgPath}/on-call/ringing`), []);
  });

  await step('it can be switched off in this browser, and tested', async () => {
    await page.goto(`${base}/on-call`);
    await press(page, 'Play it');
    await untilAudible(page, 'the test');
    await page.getByText('That is how it sounds').waitFor();
    // What was heard for a try fades for an instant, and the ears remember 0.7 s: only then is silence one of this switch.
    await untilSilent(page, 'the test is over');
    await flip(page, 'Alarm sound in this browser');
    incident = await open('Nobody hears this');
    await bar(page).getByText('The sound is off in this browser.').waitFor();
    assert.equal(await volume(page), 0);
    await flip(page, 'Alarm sound in this browser');
    await untilAudible(page, 'the bell');
  });

  await step('if the browser blocks sound the bar says so, and a click turns it on', async () => {
    const fresh = await context.newPage();
    await page.close();
    // Only events are waited for: whatever is asked of the page would count as a press.
    const forbidden = fresh.waitForEvent('console', (message) =>
      message.text().startsWith('The AudioContext was not allowed'),
    );
    await fresh.goto(`${base}/monitors`);
    await forbidden;
    await bar(fresh).getByText('This browser blocks the sound until you allow it.').waitFor();
    assert.equal(await volume(fresh), 0);
    await press(fresh, 'Turn sound on');
    await state(fresh, 'sounding');
    await untilAudible(fresh, 'the bell');
    await press(fresh, 'Acknowledge Nobody hears this');
    await quiet(fresh);
  });

  await step(
    'a subscribed browser gets web push: it shows the alarm, then its end, and a click leads there',
    async () => {
      const { key } = await admin.ok<{ key: string }>('GET', '/me/push/key');
      const fresh = await context.newPage();
      const others = watch(fresh);
      const pushed = await givePush(context, fresh, url, pushService.browser(key));
      await fresh.goto(`${base}/on-call`);
      const pushSwitch = fresh.getByRole('switch', { name: 'Send push notifications to this browser' });
      await flip(fresh, 'Send push notifications to this browser');
      await until(() => pushSwitch.isChecked(), 'web push is on');

      incident = await open('Trucks stand still');
      const began = await pushService.next(({ payload }) => payload.kind === 'alarm');
      await pushed.deliver(began.payload);
      const { title, body, tag } = began.payload;
      assert.match(String(title), /Trucks stand still/);
      await until(async () => (await pushed.shown()).length === 1, 'a notification');
      // Browsers would wait up to 90 s for one that the server does not give.
      const icon = `data:image/png;base64,${await readFile('web/public/icon-192.png', 'base64')}`;
      assert.deepEqual(await pushed.shown(), [{ title, body, tag, silent: false, icon }]);

      await act(incident, 'ack');
      const ended = await pushService.next(({ payload }) => payload.kind === 'alarm_acknowledged');
      assert.equal(ended.payload.tag, tag);
      await pushed.deliver(ended.payload);
      await until(async () => (await pushed.shown())[0]?.title === ended.payload.title, 'its end');
      assert.deepEqual(await pushed.shown(), [
        { title: ended.payload.title, body: ended.payload.body, tag, silent: true, icon },
      ]);

      await pushed.click();
      await heading(fresh, 'Trucks stand still').waitFor();
      assert.deepEqual(await pushed.shown(), []);
      assert.deepEqual(others, { refused: [], broken: [] });
    },
  );
});
