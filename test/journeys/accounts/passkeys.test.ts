// Passkeys, made and used by a real browser with an authenticator of its own (docs/rules/access.md#passkeys).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { PASSWORD, type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { noBrowser, openBrowser } from '#test/harness/browser.ts';
import { assertErrorBody } from '#test/harness/refused.ts';

const skip = noBrowser();
let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Passkey = { id: string; name: string; publicKey: string };
type Reply = {
  status: number;
  body: { error?: string; reason?: string; id?: string } & Record<string, unknown>;
};
type Window = { page: Page; cdp: CDPSession; authenticatorId: string } & AsyncDisposable;

/** The host name that passkeys of an installation at a loopback address are for. */
const origin = () => app.url.replace('127.0.0.1', 'localhost');

/** A browser at a page of ours, with an authenticator that its user unlocks, or does not. */
async function openWindow(isUserVerified = true, url = origin()): Promise<Window> {
  const browser = await openBrowser();
  const page = await (await browser.newContext()).newPage();
  // An empty page of our origin: the server's own would not let a test ask from within it.
  await page.route(`${url}/empty`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${url}/empty`);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { page, cdp, authenticatorId, [Symbol.asyncDispose]: () => browser.close() };
}

/** A request of the page itself, cookies and all. */
function say({ page }: Window, method: string, path: string, body?: unknown): Promise<Reply> {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    },
    [method, path, body] as const,
  );
}

const signIn = (window: Window, { email }: Person) =>
  say(window, 'POST', '/auth/sign-in/email', { email, password: PASSWORD });

/** The browser's ceremony: what it would send to the server. */
function ceremony({ page }: Window, kind: 'create' | 'get', options: unknown): Promise<unknown> {
  const parse = kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  // As text: these tests know the browser's types as little as the server does.
  return page.evaluate(`navigator.credentials
    .${kind}({ publicKey: PublicKeyCredential.${parse}(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON())`);
}

async function addPasskey(window: Window, name = 'Laptop'): Promise<Reply> {
  const options = await say(window, 'GET', '/auth/passkey/generate-register-options');
  assert.equal(options.status, 200, JSON.stringify(options.body));
  const response = await ceremony(window, 'create', options.body);
  return say(window, 'POST', '/auth/passkey/verify-registration', { response, name });
}

async function askForPasskey(window: Window): Promise<unknown> {
  const options = await say(window, 'GET', '/auth/passkey/generate-authenticate-options');
  return ceremony(window, 'get', options.body);
}

const giveAnswer = (window: Window, response: unknown) =>
  say(window, 'POST', '/auth/passkey/verify-authentication', { response });

async function listed(window: Window): Promise<Passkey[]> {
  return (await say(window, 'GET', '/auth/passkey/list-user-passkeys')).body as never;
}

test('a person adds a passkey, signs in with it alone, renames and removes it', { skip }, async () => {
  await using window = await openWindow();
  const bob = await app.person('bob');
  await signIn(window, bob);
  assert.equal((await addPasskey(window)).status, 200);
  assert.equal((await say(window, 'GET', '/me')).body.passkeys, 1);
  const [passkey] = await listed(window);
  assert.equal(passkey?.name, 'Laptop');

  await say(window, 'POST', '/auth/sign-out', {});
  assert.equal((await say(window, 'GET', '/me')).status, 401);
  const response = await askForPasskey(window);
  assert.equal((await giveAnswer(window, response)).status, 200);
  const me = await say(window, 'GET', '/me');
  assert.deepEqual([me.status, me.body.email], [200, bob.email]);

  await say(window, 'POST', '/auth/passkey/update-passkey', { id: passkey?.id, name: 'Old laptop' });
  assert.equal((await listed(window))[0]?.name, 'Old laptop');
  assert.equal((await say(window, 'POST', '/auth/passkey/delete-passkey', { id: passkey?.id })).status, 200);
  assert.deepEqual(await listed(window), []);
  await say(window, 'POST', '/auth/sign-out', {});
  assert.equal((await giveAnswer(window, await askForPasskey(window))).status, 401, 'removed');
  const actions = await app.db
    .selectFrom('activity')
    .select('action')
    .where('resource_id', '=', bob.userId)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    actions.map(({ action }) => action).filter((action) => action.includes('passkey')),
    ['account.passkey_add', 'account.passkey_rename', 'account.passkey_remove'],
  );
});

test('an authenticator’s answer works once', { skip }, async () => {
  await using window = await openWindow();
  await signIn(window, await app.person('bob'));
  await addPasskey(window);
  await say(window, 'POST', '/auth/sign-out', {});
  const response = await askForPasskey(window);
  assert.equal((await giveAnswer(window, response)).status, 200);
  await say(window, 'POST', '/auth/sign-out', {});
  const again = await giveAnswer(window, response);
  assert.equal(again.status, 400);
  assertErrorBody(again.body);
  await say(window, 'GET', '/auth/passkey/generate-authenticate-options');
  assert.equal((await giveAnswer(window, response)).status, 400, 'nor for another question');
});

test('a passkey whose authenticator did not verify its user is refused', { skip }, async () => {
  await using window = await openWindow();
  await signIn(window, await app.person('bob'));
  await addPasskey(window);
  await say(window, 'POST', '/auth/sign-out', {});
  await window.cdp.send('WebAuthn.setUserVerified', {
    authenticatorId: window.authenticatorId,
    isUserVerified: false,
  });
  const response = await askForPasskey(window).catch(() => null);
  // The browser itself gives up, or what it gives is not enough.
  if (response !== null) assert.equal((await giveAnswer(window, response)).body.reason, 'user_not_verified');
  assert.equal((await say(window, 'GET', '/me')).status, 401);
});

test('a manipulated or malformed answer is refused and never a server error', {
  skip,
}, async () => {
  await using window = await openWindow();
  await signIn(window, await app.person('bob'));
  await addPasskey(window);
  const [known] = await listed(window);
  await say(window, 'POST', '/auth/sign-out', {});
  type Answer = { id: string; response: Record<string, string> };
  const tampered: ((answer: Answer) => unknown)[] = [
    (answer) => ({ ...answer, response: { ...answer.response, signature: 'AAAA' } }),
    (answer) => ({ ...answer, response: { ...answer.response, authenticatorData: 'AAAA' } }),
    (answer) => ({ ...answer, response: { ...answer.response, clientDataJSON: btoa('{"type":"x"}') } }),
    (answer) => ({ ...answer, id: 'another' }),
    (answer) => ({ id: answer.id }),
    () => ({ id: '' }),
    (answer) => ({ ...answer, response: null }),
    (answer) => ({ ...answer, type: 7, rawId: {}, response: { signature: [], userHandle: 1 } }),
  ];
  for (const change of tampered) {
    const response = (await askForPasskey(window)) as Answer;
    const refused = await giveAnswer(window, change(response));
    assert.ok([400, 401].includes(refused.status), `${change} ${refused.status}`);
    assertErrorBody(refused.body);
  }
  assert.ok(known, 'it is still there');
  assert.equal((await giveAnswer(window, await askForPasskey(window))).status, 200);
});

test('a passkey answer from another origin is refused', { skip }, async () => {
  await using window = await openWindow();
  await signIn(window, await app.person('bob'));
  const options = await say(window, 'GET', '/auth/passkey/generate-register-options');
  const response = await ceremony(window, 'create', options.body);
  await using other = await app.another();
  const cookies = await window.page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const refused = await app
    .visitor()
    .send(
      'POST',
      '/auth/passkey/verify-registration',
      { response },
      { cookie, origin: other.url, host: new URL(other.url).host },
    );
  assert.ok([400, 403].includes(refused.status), String(refused.status));
  assertErrorBody(refused.body);
});

test('nobody sees, renames or removes somebody else’s passkey', { skip }, async () => {
  await using window = await openWindow();
  await signIn(window, await app.person('bob'));
  await addPasskey(window);
  const [passkey] = await listed(window);
  const carol = await app.person('carol');
  assert.deepEqual(await carol.ok('GET', '/auth/passkey/list-user-passkeys'), []);
  for (const [path, body] of [
    ['update-passkey', { id: passkey?.id, name: 'Mine' }],
    ['delete-passkey', { id: passkey?.id }],
  ] as const) {
    const refused = await carol.send('POST', `/auth/passkey/${path}`, body);
    assert.ok([401, 403, 404].includes(refused.status), String(refused.status));
  }
  assert.equal((await listed(window))[0]?.name, 'Laptop');
});

test('without a session nobody adds or lists passkeys', async () => {
  for (const [method, path, body] of [
    ['GET', 'generate-register-options'],
    ['POST', 'verify-registration', { response: { id: 'x' } }],
    ['GET', 'list-user-passkeys'],
    ['POST', 'update-passkey', { id: 'x', name: 'y' }],
    ['POST', 'delete-passkey', { id: 'x' }],
  ] as const)
    assert.equal((await app.visitor().send(method, `/auth/passkey/${path}`, body)).status, 401, path);
});
