// Logos of a status page (docs/rules/status-pages.md#logos): the content decides what a file is, and most files are refused.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { ALPH, JPEG, png, SVG, VP8, VP8X, webp } from '#test/harness/images.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newPage, readPage } from '#test/harness/status-page.ts';

const WEBP = webp(['VP8X', VP8X], ['ALPH', ALPH], ['VP8 ', VP8]);
const INVALID = { status: 400, error: 'invalid_request' };

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

type Logo = 'logo' | 'logo-dark';
const put = (
  page: { id: string },
  body: Uint8Array | string,
  { logo = 'logo', type = 'image/png', by = app.alice }: { logo?: Logo; type?: string; by?: Person } = {},
) => by.send('PUT', `/status-pages/${page.id}/${logo}`, body, { 'content-type': type });
const stored = ({ id }: { id: string }) =>
  app.db
    .selectFrom('status_page_logos')
    .select(['ground', 'media_type', 'bytes'])
    .where('status_page_id', '=', id)
    .orderBy('ground', 'desc')
    .execute();

test('an image of each kind is stored byte by byte under its real type, whatever type it was sent as', async () => {
  const page = await newPage(app.alice, place);
  for (const [image, media_type] of [
    [png(), 'image/png'],
    [JPEG, 'image/jpeg'],
    [WEBP, 'image/webp'],
    [SVG, 'image/svg+xml'],
  ] as const)
    for (const type of [
      'image/png',
      'image/gif',
      'application/octet-stream',
      'application/json',
      'text/html',
    ]) {
      const answer = await put(page, image, { type });
      assert.deepEqual([answer.status, answer.body], [204, ''], `${media_type} as ${type}`);
      assert.deepEqual(await stored(page), [{ ground: 'light', media_type, bytes: image }]);
    }
});

test('light and dark backgrounds have their own logos, shown by the page, and each is removed separately', async () => {
  const page = await newPage(app.alice, place);
  const has = async () => {
    const { has_logo, has_logo_dark } = await readPage(app.alice, page);
    return [has_logo, has_logo_dark];
  };
  assert.equal((await put(page, SVG, { logo: 'logo-dark' })).status, 204);
  assert.deepEqual(await has(), [false, true]);
  assert.equal((await put(page, JPEG)).status, 204);
  assert.deepEqual(await has(), [true, true]);
  for (let i = 0; i < 2; i++)
    assert.equal((await app.alice.send('DELETE', `/status-pages/${page.id}/logo-dark`)).status, 204);
  assert.deepEqual(await has(), [true, false]);
  const log = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?resource_id=${page.id}`,
  );
  assert.deepEqual(
    log.slice(0, 3).map(({ action, before, after }) => [action, before, after]),
    [
      ['status_page.remove_logo', { ground: 'dark', media_type: 'image/svg+xml' }, null],
      ['status_page.set_logo', null, { ground: 'light', media_type: 'image/jpeg', size_bytes: JPEG.length }],
      ['status_page.set_logo', null, { ground: 'dark', media_type: 'image/svg+xml', size_bytes: SVG.length }],
    ],
  );
});

test('anything but a whole image of these kinds is refused, and the logo stays', async () => {
  const page = await newPage(app.alice, place);
  await put(page, SVG);
  const html = Buffer.from('<!doctype html><html><script>alert(1)</script></html>');
  const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
  for (const [what, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('a logo')],
    ['JSON', Buffer.from('{}')],
    ['GIF', gif],
    ['HTML', html],
    ['half a PNG', png().subarray(0, 40)],
    ['HTML behind the first bytes of a PNG', Buffer.concat([png().subarray(0, 8), html])],
    ['HTML behind a whole PNG', Buffer.concat([png(), html])],
    ['a ZIP behind a JPEG', Buffer.concat([JPEG, Buffer.from('PK\x03\x04')])],
    ['a WebP of another length', Buffer.concat([WEBP, html])],
    [
      'an SVG with a DOCTYPE',
      Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['an SVG that is not closed', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['noughts', Buffer.alloc(1000)],
  ] as const)
    for (const type of ['image/png', 'application/json'])
      assertRefused(await put(page, bytes, { type }), INVALID, `${what} as ${type}`);
  assertRefused(await app.alice.send('PUT', `/status-pages/${page.id}/logo`), INVALID);
  assert.deepEqual(
    (await stored(page)).map(({ bytes }) => bytes),
    [SVG],
  );
});

test('an image of 4 megapixels is accepted, and a larger one is not, however small its file', async () => {
  const page = await newPage(app.alice, place);
  assert.equal((await put(page, png(2000, 2000))).status, 204);
  const bomb = png(2000, 2001);
  assert.ok(bomb.length < 10_000);
  assertRefused(await put(page, bomb), { ...INVALID, limit: 4_000_000 });
});

test('512 KiB are accepted, and more is 413', async () => {
  const page = await newPage(app.alice, place);
  const padded = (length: number) => Buffer.concat([SVG, Buffer.alloc(length - SVG.length, ' ')]);
  assert.equal((await put(page, padded(512 * 1024))).status, 204);
  assertRefused(await put(page, padded(512 * 1024 + 1)), { status: 413, error: 'payload_too_large' });
  const packed = await app.alice.send('PUT', `/status-pages/${page.id}/logo`, SVG, {
    'content-type': 'image/svg+xml',
    'content-encoding': 'gzip',
  });
  assertRefused(packed, { status: 415, error: 'unsupported_media_type' });
});

test('members see a logo as uploaded, even of a draft; others see none, and nothing in it can run', async () => {
  const page = await newPage(app.alice, place);
  await put(page, SVG, { logo: 'logo-dark' });
  const member = await app.person('onlooker', { [place.orgId]: 'member' });
  const seen = await member.send('GET', `/status-pages/${page.id}/logo-dark`);
  assert.deepEqual([seen.status, seen.headers.get('content-type')], [200, 'image/svg+xml']);
  assert.equal(seen.body, SVG.toString());
  assert.match(seen.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
  assertRefused(await member.send('GET', `/status-pages/${page.id}/logo`), {
    status: 404,
    error: 'not_found',
  });
  const stranger = await app.person('dora');
  const answer = await stranger.send('GET', `/status-pages/${page.id}/logo-dark`);
  assertRefused(answer, { status: 403, error: 'forbidden' });
});

test('members and others cannot set a logo', async () => {
  const page = await newPage(app.alice, place);
  const member = await app.person('member', { [place.orgId]: 'member' });
  const stranger = await app.person('carol');
  for (const by of [member, stranger])
    for (const logo of ['logo', 'logo-dark'] as const) {
      assertRefused(await put(page, SVG, { by, logo }), { status: 403, error: 'forbidden' });
      const answer = await by.send('DELETE', `/status-pages/${page.id}/${logo}`);
      assertRefused(answer, { status: 403, error: 'forbidden' });
    }
  assert.deepEqual(await stored(page), []);
});
