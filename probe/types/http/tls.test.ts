import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authority, endOf, selfSigned } from '#test/harness/certificates.ts';
import { checkHttp } from '#test/harness/http-check.ts';
import { httpsServer } from '#test/harness/listeners.ts';

test('an https address with a valid certificate is up, with the time of the handshake', async (t) => {
  const ca = await authority();
  const port = await httpsServer(t, await ca.issue(), (_, response) => response.end());
  const seen = await checkHttp({
    url: `https://127.0.0.1:${port}/`,
    tls: { verify: true, ca_pem: ca.cert },
  });
  assert.equal(seen.status, 'up');
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}).sort(), ['connect', 'first_byte', 'tls', 'total']);
});

test('an expired certificate is down and says when it expired; with verify false it is accepted', async (t) => {
  const expired = await selfSigned({ fromDays: -10, untilDays: -3 });
  const ca = await authority();
  const leaf = await ca.issue({ fromDays: -10, untilDays: -3 });
  const port = await httpsServer(t, leaf, (_, response) => response.end());
  const url = `https://127.0.0.1:${port}/`;
  const seen = await checkHttp({ url, tls: { verify: true, ca_pem: ca.cert } });
  assert.deepEqual(
    [seen.status, seen.failure_class, seen.cause_layer],
    ['down', 'tls_expired', 'target_tls'],
  );
  assert.match(seen.detail ?? '', new RegExp(`expired on ${endOf(expired)}`));
  assert.equal((await checkHttp({ url, tls: { verify: false } })).status, 'up');
});

test('a certificate that only the clock of this machine finds invalid is no outage', async (t) => {
  const ca = await authority();
  const wrong = { failure_class: 'probe_error', cause_layer: 'probe' };
  for (const [days, offDays, seen] of [
    [{ fromDays: -10, untilDays: -3 }, -5, wrong],
    [{ fromDays: 3, untilDays: 10 }, 5, wrong],
    [{ fromDays: -10, untilDays: -3 }, -1, { failure_class: 'tls_expired', cause_layer: 'target_tls' }],
  ] as const) {
    const port = await httpsServer(t, await ca.issue(days), (_, response) => response.end());
    const policy = { allowPrivate: true, nowMs: () => Date.now() + offDays * 86_400_000 };
    const config = { url: `https://127.0.0.1:${port}/`, tls: { verify: true, ca_pem: ca.cert } };
    const { status, failure_class, cause_layer } = await checkHttp(config, { policy });
    assert.deepEqual({ status, failure_class, cause_layer }, { status: 'down', ...seen });
  }
});

test('min_days_left requires that many days of validity', async (t) => {
  const ca = await authority();
  const port = await httpsServer(t, await ca.issue({ untilDays: 10.5 }), (_, response) => response.end());
  const withDays = (days: number) =>
    checkHttp({
      url: `https://127.0.0.1:${port}/`,
      tls: { verify: true, ca_pem: ca.cert, min_days_left: days },
    });
  assert.equal((await withDays(10)).status, 'up');
  const seen = await withDays(14);
  assert.deepEqual(
    [seen.status, seen.failure_class, seen.cause_layer],
    ['down', 'tls_expires_soon', 'target_tls'],
  );
  assert.match(seen.detail ?? '', /in 10 days; at least 14 are asked for/);
});

test('a server that demands a client certificate gets the configured one', async (t) => {
  const ca = await authority();
  const options = { ...(await ca.issue()), requestCert: true, rejectUnauthorized: true, ca: ca.cert };
  const port = await httpsServer(t, options, (_, response) => response.end());
  const url = `https://127.0.0.1:${port}/`;
  const client = await ca.issue({ names: ['client.test'] });
  const tls = { verify: true, ca_pem: ca.cert };
  const with_ = { ...tls, client_cert_pem: client.cert, client_key_pem: client.key };
  assert.equal((await checkHttp({ url, tls: with_ })).status, 'up');
  const seen = await checkHttp({ url, tls });
  assert.deepEqual([seen.failure_class, seen.cause_layer], ['tls_client_certificate', 'target_tls']);
});

test('nothing is sent to a server whose certificate was rejected', async (t) => {
  let requests = 0;
  const port = await httpsServer(t, await selfSigned(), (_, response) => {
    requests += 1;
    response.end();
  });
  const seen = await checkHttp({
    url: `https://127.0.0.1:${port}/`,
    auth: { kind: 'bearer', token: 'secret' },
  });
  assert.equal(seen.failure_class, 'tls_self_signed');
  assert.equal(requests, 0);
});
