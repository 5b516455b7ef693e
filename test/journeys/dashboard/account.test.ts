// The pages of a person: signing in in every way, their account, a forgotten password, an invitation. A real
// installation, a real browser with an authenticator of its own, real codes and real mail.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import type { CDPSession, Page } from 'playwright-core';
import { giveBack, noBrowser } from '#test/harness/browser.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { startDashboard } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { startMailbox } from '#test/harness/mailbox.ts';
import { CLIENT, startProvider } from '#test/harness/oidc-provider.ts';
import { fits, follow, heading, press, stepsOf } from '#test/harness/page.ts';

const PHONE = { width: 390, height: 844 };
const NEW_PASSWORD = 'four random words more';
const RESET_PASSWORD = 'five quite other random words';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const alert = (page: Page, words: RegExp) => page.getByRole('alert').getByText(words);

async function givePassword(page: Page, password: string, email: string = ADMIN.email): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

async function giveRecoveryCode(page: Page, code: string): Promise<void> {
  await press(page, 'Use a recovery code');
  await page.getByLabel('Recovery code').fill(code);
  await press(page, 'Continue');
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
}

/** A platform authenticator that says yes at once, as a finger on the sensor does; it goes with its session. */
async function withAuthenticator(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

/** The link of a mail, wherever in its text it stands. */
const linkIn = (text: string | undefined, page: string): string => {
  const link = new RegExp(`http://localhost:\\d+/app/${page}#token=[\\w-]+`).exec(text ?? '')?.[0];
  assert.ok(link, `no link to ${page} in: ${text}`);
  return link;
};

test('the account page', { skip: noBrowser() }, async (t) => {
  await using stack = new AsyncDisposableStack();
  const mailbox = await startMailbox();
  stack.defer(() => mailbox.stop());
  const port = await closedPort();
  const provider = await startProvider(`http://localhost:${port}/auth/oauth2/callback/oidc`);
  stack.defer(() => provider.stop());
  const { browser, admin: started } = await startDashboard(stack, {
    PORT: String(port),
    // Passkeys belong to a name; the rest follows from it.
    BASE_URL: `http://localhost:${port}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Tocsin <tocsin@example.com>',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Example ID',
  });
  // Every session from here on is one of a browser.
  await started.ok('POST', '/auth/sign-out', {});
  const app = `http://localhost:${port}/app`;
  const broken: string[] = [];

  async function someonesPage(): Promise<Page> {
    const page = await browser.desktopPage();
    page.on('pageerror', (error) => broken.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        broken.push(message.text());
    });
    return page;
  }
  const page = await someonesPage();

  const step = stepsOf(t, page, () => assert.deepEqual(broken, []));

  await step('after signing in people are at the page they asked for', async () => {
    await page.goto(`${app}/account`);
    await heading(page, 'Sign in').waitFor();
    await givePassword(page, 'not the password');
    await alert(page, /Wrong e-mail or password/).waitFor();
    await givePassword(page, ADMIN.password);
    await heading(page, 'Account and security').waitFor();
    assert.equal(new URL(page.url()).pathname, '/app/account');
  });

  await step('the return address never leads to another site', async () => {
    const guest = await someonesPage();
    await guest.goto(`${app}/sign-in?back=${encodeURIComponent('//evil.example/')}`);
    await givePassword(guest, ADMIN.password);
    await guest.waitForURL(`${app}/o/**`);
    await giveBack(guest);
  });

  await step('a new name replaces the old one on the page', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Ada Lindqvist');
    await press(page, 'Save name');
    await page.getByText('Your name is saved.').waitFor();
    await page.getByRole('button', { name: 'Account and settings' }).getByText('Ada Lindqvist').waitFor();
  });

  await step('mails come in the language that a person chooses', async () => {
    await page
      .getByRole('radiogroup', { name: 'E-mail and push notifications' })
      .getByText('Deutsch')
      .click();
    await page.getByText('E-mail and push notifications come in this language from now on.').waitFor();
    await page
      .getByRole('radiogroup', { name: 'E-mail and push notifications' })
      .getByText('English')
      .click();
  });

  let app6digits: TOTP | undefined;
  let recovery: string[] = [];
  await step(
    'two-factor is on after password, picture and code; the recovery codes are confirmed',
    async () => {
      await section(page, 'Two-factor').getByText('Off', { exact: true }).waitFor();
      await press(page, 'Turn on two-factor');
      await dialog(page).getByLabel('Your password', { exact: true }).fill('not the password');
      await press(page, 'Continue');
      await dialog(page).getByText('The password is wrong.').waitFor();
      await dialog(page).getByLabel('Your password', { exact: true }).fill(ADMIN.password);
      await press(page, 'Continue');
      await dialog(page).getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
      const secret = await dialog(page).getByLabel('Secret for your authenticator app').inputValue();
      app6digits = new TOTP({ secret });
      const code = app6digits.generate();
      await dialog(page)
        .getByLabel('Code from the app')
        .fill(code === '000000' ? '111111' : '000000');
      await alert(page, /Wrong code/).waitFor();
      // As people paste it: the sixth digit sends it.
      await dialog(page)
        .getByLabel('Code from the app')
        .fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      const codes = dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      recovery = await codes.allTextContents();
      assert.equal(new Set(recovery).size, 10);
      const saved = page.waitForEvent('download');
      await press(page, 'Download .txt');
      const text = await readFile(await (await saved).path(), 'utf8');
      for (const each of recovery) assert.ok(text.includes(each));
      assert.equal(await dialog(page).getByRole('button', { name: 'Done' }).isDisabled(), true);
      await page.keyboard.press('Escape');
      await dialog(page).getByLabel('I have saved them').check();
      await press(page, 'Done');
      await section(page, 'Two-factor').getByText('On', { exact: true }).waitFor();
    },
  );

  await step('signing in then asks for a code, and accepts a recovery code once', async () => {
    await signOut(page);
    await givePassword(page, ADMIN.password);
    await heading(page, 'Second step').waitFor();
    const code = app6digits?.generate() ?? '';
    await page.getByLabel('Code').fill(code === '000000' ? '111111' : '000000');
    await alert(page, /Wrong code/).waitFor();
    await page.getByLabel('Code').fill(app6digits?.generate() ?? '');
    await page.waitForURL(`${app}/o/**`);

    const [used = '', another = ''] = recovery;
    await signOut(page);
    await givePassword(page, ADMIN.password);
    await giveRecoveryCode(page, ` ${used} `);
    await page.waitForURL(`${app}/o/**`);
    await signOut(page);
    await givePassword(page, ADMIN.password);
    await giveRecoveryCode(page, used);
    await alert(page, /Wrong recovery code/).waitFor();
    await page.getByRole('link', { name: 'Start over' }).click();
    await givePassword(page, ADMIN.password);
    await giveRecoveryCode(page, another);
    await page.waitForURL(`${app}/o/**`);
  });

  await step('a passkey is added under its own name, renamed, and signs in alone', async () => {
    const authenticator = await withAuthenticator(page);
    stack.defer(() => authenticator.detach());
    await page.goto(`${app}/account`);
    await press(page, 'Add a passkey');
    assert.match(await dialog(page).getByLabel('Name').inputValue(), /^Chrome, \w+/);
    await dialog(page).getByLabel('Name').fill('Key on the desk');
    await press(page, 'Create passkey');
    await section(page, 'Passkeys').getByText('Key on the desk').waitFor();
    await press(page, 'Rename Key on the desk');
    await section(page, 'Passkeys').getByLabel('Name').fill('Desk');
    await press(page, 'Save');
    await press(page, 'Add a passkey');
    await press(page, 'Create passkey');
    await alert(page, /already has a passkey/).waitFor();
    await press(page, 'Cancel');
    // A sign-in of long ago is not enough to add a way in: it is asked for again, and the act goes on.
    const stale = { error: 'fresh_sign_in_required', message: 'Sign in again.' };
    const registration = '**/auth/passkey/generate-register-options';
    await page.route(registration, (route) => route.fulfill({ status: 403, json: stale }), { times: 1 });
    await press(page, 'Add a passkey');
    await press(page, 'Create passkey');
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
    await press(page, 'Use a passkey');
    await alert(page, /already has a passkey/).waitFor();
    await press(page, 'Cancel');
    // Without the suggestion in the field the button signs in.
    const options = '**/auth/passkey/generate-authenticate-options';
    await page.route(options, (route) => route.abort());
    // Where the page asks for it only after the route is gone, it signs in by itself, and there is no button.
    const asked = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('generate-authenticate'),
    );
    await signOut(page);
    await asked;
    await page.unroute(options);
    await press(page, 'Sign in with a passkey');
    await page.waitForURL(`${app}/o/**`);
  });

  await step('each session can be ended, and does not come back', async () => {
    const other = await someonesPage();
    await other.goto(`${app}/account`);
    await givePassword(other, ADMIN.password);
    await giveRecoveryCode(other, recovery[2] ?? '');
    await heading(other, 'Account and security').waitFor();

    await page.goto(`${app}/account`);
    const sessions = section(page, 'Sessions').getByRole('listitem');
    await sessions.nth(1).waitFor();
    assert.match((await sessions.first().textContent()) ?? '', /Chrome \d+ on \w+this one/);
    // The one used last stands behind this one; a guest's of before is the third.
    await sessions.nth(2).waitFor();
    await sessions.nth(1).getByRole('button').press('Enter');
    await sessions.nth(2).waitFor({ state: 'detached' });
    await other.goto(`${app}/account`);
    await heading(other, 'Sign in').waitFor();
    await giveBack(other);
    await press(page, 'End all other sessions');
    await sessions.nth(1).waitFor({ state: 'detached' });
    await sessions.getByText('this one').waitFor();
  });

  await step('a new password is rated and replaces the old one, and two-factor is turned off', async () => {
    const password = section(page, 'Password');
    await password.getByLabel('Current password').fill('not the password');
    await password.getByLabel('New password').fill(NEW_PASSWORD);
    await password.getByText('Strong.').waitFor();
    await press(page, 'Change password');
    await password.getByText('The password is wrong.').waitFor();
    await password.getByLabel('Current password').fill(ADMIN.password);
    await press(page, 'Change password');
    await page.getByText('Your password is changed').waitFor();
    await press(page, 'Turn off two-factor');
    await dialog(page).getByLabel('Your password', { exact: true }).fill(NEW_PASSWORD);
    await dialog(page).getByRole('button', { name: 'Turn off two-factor' }).click();
    await section(page, 'Two-factor').getByText('Off', { exact: true }).waitFor();
    await press(page, 'Remove Desk');
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await section(page, 'Passkeys').getByText('No passkey yet.').waitFor();
  });

  await step('a forgotten password is reset by mail, and the token is hidden', async () => {
    await signOut(page);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    assert.equal(await page.getByLabel('E-mail').inputValue(), ADMIN.email);
    await press(page, 'Send the link');
    await page.getByText(`If ${ADMIN.email} has an account here`).waitFor();
    const { mail } = await mailbox.next(({ recipients }) => recipients.includes(ADMIN.email));
    const link = linkIn(mail.text, 'new-password');
    await page.goto(link);
    await page.getByLabel('New password').fill(RESET_PASSWORD);
    assert.equal(page.url(), `${app}/new-password`);
    await press(page, 'Set the new password');
    await page.getByText('Your new password is set.').waitFor();
    await page.goto(link);
    await page.getByLabel('New password').fill(RESET_PASSWORD);
    await press(page, 'Set the new password');
    await heading(page, 'This link does not work').waitFor();
  });

  const admin = async () => {
    const client = makeClient(`http://localhost:${port}`);
    await signIn(client, ADMIN.email, RESET_PASSWORD);
    return client;
  };
  async function invited(email: string): Promise<string> {
    const client = await admin();
    const [organization] = await client.ok<{ id: string }[]>('GET', '/me/organizations');
    await client.ok('POST', `/organizations/${organization?.id}/invitations`, { email, role: 'manager' });
    const { mail } = await mailbox.next(({ recipients }) => recipients.includes(email));
    return linkIn(mail.text, 'invitation');
  }

  const linus = await someonesPage();
  await step('an invitation creates an account for a person without one, and works once', async () => {
    const link = await invited('linus@example.com');
    await linus.goto(link);
    await heading(linus, 'Join Example').waitFor();
    for (const fact of ['Ada Lindqvist', 'linus@example.com', 'Manager'])
      await linus.getByRole('definition').getByText(fact).first().waitFor();
    assert.equal(linus.url(), `${app}/invitation`);
    await linus.reload();
    await linus.getByLabel('Your name').fill('Linus Berg');
    await linus.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await press(linus, 'Create account and join');
    await linus.waitForURL(`${app}/o/*/monitors`);
    await linus.goto(link);
    await heading(linus, 'This invitation is no longer valid').waitFor();
  });

  await step(
    'an invitation to another address asks the person to sign out; the provider leads back to it',
    async () => {
      await linus.goto(await invited('grace@example.com'));
      await linus.getByText('You are signed in as linus@example.com').waitFor();
      await press(linus, 'Sign out and continue');
      // Nobody is at the provider yet: who says no there is back on the sign-in page, and learns why.
      await press(linus, 'Continue with Example ID');
      await alert(linus, /Example ID cancelled or refused the sign-in/).waitFor();
      provider.person = { sub: 'g1', email: 'grace@example.com', email_verified: true, name: 'Grace Okafor' };
      await press(linus, 'Continue with Example ID');
      await linus.getByText('You are signed in as Grace Okafor').waitFor();
      await press(linus, 'Accept and join');
      await linus.waitForURL(`${app}/o/*/monitors`);
      await follow(linus, `${app}/account`);
      await linus.getByText('this account has no password of its own').waitFor();
      await press(linus, 'Delete my account');
      await dialog(linus).getByLabel('Type “grace@example.com” to confirm').fill('grace@example.com');
      await dialog(linus).getByRole('button', { name: 'Delete my account' }).click();
      await linus.getByText('Your account is deleted.').waitFor();
    },
  );

  await step('a person with an account signs in on the way and returns to accept', async () => {
    const client = await admin();
    const [organization] = await client.ok<{ id: string }[]>('GET', '/me/organizations');
    const path = `/organizations/${organization?.id}/members`;
    const members = await client.ok<{ user_id: string; email: string }[]>('GET', path);
    const member = members.find(({ email }) => email === 'linus@example.com');
    await client.ok('DELETE', `${path}/${member?.user_id}`);
    mailbox.received.length = 0;
    await linus.goto(await invited('linus@example.com'));
    await linus.getByRole('link', { name: 'Sign in and join' }).click();
    await heading(linus, 'Sign in').waitFor();
    assert.equal(await linus.getByLabel('E-mail').inputValue(), 'linus@example.com');
    await linus.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await press(linus, 'Sign in');
    await heading(linus, 'Join Example').waitFor();
    await press(linus, 'Accept and join');
    await linus.waitForURL(`${app}/o/*/monitors`);
  });

  await step('the last owner gets directions first; anybody else can delete their account', async () => {
    await page.goto(`${app}/sign-in`);
    await givePassword(page, RESET_PASSWORD);
    await page.waitForURL(`${app}/o/**`);
    await follow(page, `${app}/account`);
    await press(page, 'Delete my account');
    await dialog(page).getByText('You are the only owner here.').waitFor();
    await dialog(page).getByRole('link', { name: 'Members' }).click();
    await page.waitForURL(`${app}/o/*/settings/members`);

    await follow(linus, `${app}/account`);
    await press(linus, 'Delete my account');
    await dialog(linus).getByLabel('Your password', { exact: true }).fill(NEW_PASSWORD);
    await dialog(linus).getByRole('button', { name: 'Delete my account' }).click();
    await linus.getByText('Your account is deleted.').waitFor();
    await givePassword(linus, NEW_PASSWORD, 'linus@example.com');
    await alert(linus, /Wrong e-mail or password/).waitFor();
    await giveBack(linus);
  });

  await step('after too many tries the wait is counted down', async () => {
    const guest = await someonesPage();
    await guest.goto(`${app}/sign-in`);
    const limited = { error: 'rate_limited', message: 'Too many requests.' };
    await guest.route('**/auth/sign-in/email', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '9' }, json: limited }),
    );
    await givePassword(guest, 'whatever it was');
    // A slow machine does not show every second of it.
    await guest.getByText(/Try again in [5-9] seconds\./).waitFor();
    const button = guest.getByRole('button', { name: 'Sign in', exact: true });
    assert.equal(await button.isDisabled(), true);
    await guest.getByText(/in (?:[2-4] seconds|1 second)\./).waitFor();
    await guest.getByText('Too many attempts.').first().waitFor({ state: 'detached' });
    assert.equal(await button.isDisabled(), false);
    await giveBack(guest);
  });

  await step('nothing is wider than a phone, and all of it is German in German', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${app}/account`);
    await heading(page, 'Account and security').waitFor();
    await page.getByRole('radiogroup', { name: 'Language' }).getByText('Deutsch').click();
    await heading(page, 'Konto und Sicherheit').waitFor();
    const paths = ['account', 'sign-in', 'second-step', 'forgot-password', 'new-password', 'invitation'];
    await fits(page, ...paths.map((path) => `${app}/${path}`));
  });
});
