import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { type TestContext, test } from 'node:test';
import { authority } from '#test/harness/certificates.ts';
import { checkHttp } from '#test/harness/http-check.ts';
import { httpServer, httpsServer } from '#test/harness/listeners.ts';

type Seen = { method: string; headers: IncomingHttpHeaders; body: string };

/** A server whose path names its redirect: /{status}/{encoded location}; anything else answers 200. */
async function redirecting(t: TestContext): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const port = await httpServer(t, async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    seen.push({ method: incoming.method ?? '', headers: incoming.headers, body });
    const [, status, location] = incoming.url?.split('/') ?? [];
    if (location === undefined) return void response.end('arrived');
    response.writeHead(Number(status), { location: decodeURIComponent(location) }).end();
  });
  return { port, seen };
}

const via = (port: number, status: number, location: string) =>
  `http://127.0.0.1:${port}/${status}/${encodeURIComponent(location)}`;

test('redirects are followed with the method and body of the fetch standard', async (t) => {
  const { port, seen } = await redirecting(t);
  const after = async (method: 'GET' | 'POST' | 'PUT' | 'HEAD', status: number) => {
    seen.length = 0;
    const body = method === 'POST' || method === 'PUT' ? 'data' : null;
    const headers: Record<string, string> = body ? { 'content-type': 'text/plain' } : {};
    const result = await checkHttp({ url: via(port, status, '/x'), method, body, headers });
    assert.equal(result.status, 'up');
    const [, last] = seen;
    return [last?.method, last?.body, last?.headers['content-type'], last?.headers['content-length']];
  };
  assert.deepEqual(await after('POST', 301), ['GET', '', undefined, undefined]);
  assert.deepEqual(await after('POST', 302), ['GET', '', undefined, undefined]);
  assert.deepEqual(await after('POST', 303), ['GET', '', undefined, undefined]);
  assert.deepEqual(await after('PUT', 303), ['GET', '', undefined, undefined]);
  assert.deepEqual(await after('PUT', 302), ['PUT', 'data', 'text/plain', '4']);
  assert.deepEqual(await after('POST', 307), ['POST', 'data', 'text/plain', '4']);
  assert.deepEqual(await after('PUT', 308), ['PUT', 'data', 'text/plain', '4']);
  assert.deepEqual(await after('HEAD', 303), ['HEAD', '', undefined, undefined]);
});

test('credentials and secret headers stay with the origin, even if a redirect returns to it', async (t) => {
  const [home, away] = [await redirecting(t), await redirecting(t)];
  const back = via(away.port, 307, `http://127.0.0.1:${home.port}/end`);
  await checkHttp({
    url: via(home.port, 307, via(home.port, 302, back).replace(`http://127.0.0.1:${home.port}`, '')),
    auth: { kind: 'bearer', token: 't' },
    headers: { Cookie: 'c=1', 'X-Api-Key': 'k', 'X-Plain': 'p', 'Proxy-Authorization': 'q' },
    secret_headers: ['x-api-key'],
  });
  const sent = ({ headers }: Seen) => [
    headers.authorization,
    headers.cookie,
    headers['x-api-key'],
    headers['proxy-authorization'],
    headers['x-plain'],
  ];
  assert.deepEqual(home.seen.map(sent), [
    ['Bearer t', 'c=1', 'k', 'q', 'p'],
    ['Bearer t', 'c=1', 'k', 'q', 'p'],
    [undefined, undefined, undefined, undefined, 'p'],
  ]);
  assert.deepEqual(away.seen.map(sent), [[undefined, undefined, undefined, undefined, 'p']]);
  assert.equal(away.seen[0]?.headers.host, `127.0.0.1:${away.port}`);
});

test('a loop ends at max_redirects', async (t) => {
  let requests = 0;
  const port = await httpServer(t, (_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/' }).end();
  });
  const seen = await checkHttp({ url: `http://127.0.0.1:${port}/`, max_redirects: 3 });
  assert.deepEqual(
    [seen.status, seen.failure_class, seen.cause_layer],
    ['down', 'too_many_redirects', 'target_http'],
  );
  assert.equal(requests, 4);
});

test('with follow_redirects off the redirect is the response', async (t) => {
  const { port, seen } = await redirecting(t);
  const config = { url: via(port, 301, '/x'), follow_redirects: false };
  assert.equal((await checkHttp({ ...config, expected_status: ['301'] })).status, 'up');
  assert.equal((await checkHttp(config)).failure_class, 'http_status');
  assert.equal(seen.length, 2);
});

test('a redirect without a Location is the response', async (t) => {
  const port = await httpServer(t, (_, response) => response.writeHead(302).end());
  const seen = await checkHttp({ url: `http://127.0.0.1:${port}/` });
  assert.deepEqual([seen.failure_class, seen.response_code], ['http_status', 302]);
});

test('a redirect to a forbidden address is blocked, whatever the first address was', async (t) => {
  const { port } = await redirecting(t);
  for (const target of [
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://2852039166/',
  ]) {
    const seen = await checkHttp({ url: via(port, 302, target) });
    assert.deepEqual([seen.failure_class, seen.cause_layer], ['blocked_target', 'probe']);
  }
});

test('each hop is resolved and vetted again, so a name that moves to a private address is blocked', async (t) => {
  const { port } = await redirecting(t);
  let asked = 0;
  const resolver = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 as const }];
  };
  const url = via(port, 302, '/next').replace('127.0.0.1', 'rebind.test');
  assert.equal((await checkHttp({ url }, { resolver })).failure_class, 'blocked_target');
});

test('only http and https are followed', async (t) => {
  const { port } = await redirecting(t);
  const classOf = async (location: string) =>
    (await checkHttp({ url: via(port, 302, location) })).failure_class;
  assert.equal(await classOf('file:///etc/passwd'), 'unsupported_redirect');
  assert.equal(await classOf('ftp://127.0.0.1/'), 'unsupported_redirect');
  assert.equal(await classOf('http://'), 'invalid_redirect');
  assert.equal(await classOf('http://127.0.0.1:0/'), 'invalid_redirect');
});

test('details after a redirect contain no path and no query', async (t) => {
  const { port } = await redirecting(t);
  const seen = await checkHttp({ url: via(port, 302, 'http://127.0.0.1:1/private?token=s3cret') });
  assert.equal(seen.failure_class, 'connect_refused');
  assert.doesNotMatch(seen.detail ?? '', /private|s3cret/);
});

test('the client certificate is sent to its configured origin and to no other', async (t) => {
  const ca = await authority();
  const client = await ca.issue();
  const asked: boolean[] = [];
  const options = { ...(await ca.issue()), requestCert: true, rejectUnauthorized: false, ca: ca.cert };
  const away = await httpsServer(t, options, (incoming, response) => {
    asked.push((incoming.socket as unknown as { authorized: boolean }).authorized);
    response.end();
  });
  const home = await httpsServer(t, options, (incoming, response) => {
    asked.push((incoming.socket as unknown as { authorized: boolean }).authorized);
    response.writeHead(302, { location: `https://127.0.0.1:${away}/` }).end();
  });
  const seen = await checkHttp({
    url: `https://127.0.0.1:${home}/`,
    tls: { verify: true, ca_pem: ca.cert, client_cert_pem: client.cert, client_key_pem: client.key },
  });
  assert.equal(seen.status, 'up');
  assert.deepEqual(asked, [true, false]);
});
