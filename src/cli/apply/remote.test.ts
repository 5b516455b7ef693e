import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { httpServer } from '#test/harness/listeners.ts';
import { describeRemotely } from './remote.ts';

/** A server at which every address answers 200 with this body. */
async function answering(t: TestContext, body: string) {
  const port = await httpServer(t, (_request, response) => response.writeHead(200).end(body));
  return { url: `http://127.0.0.1:${port}`, key: 'tcn_x' };
}

for (const body of ['{"status":"ok"}', '"ok"', '[null]', '<html>'])
  test(`what answers ${body} is said to be no Tocsin server`, async (t) => {
    await assert.rejects(
      describeRemotely(undefined, await answering(t, body)),
      /^Error: http:\/\/127\.0\.0\.1:\d+ answered with status 200, and not as a Tocsin server does\.$/,
    );
  });
