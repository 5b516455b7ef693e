import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { type Authority, authority, endOf, type Issued, selfSigned } from '#test/harness/certificates.ts';
import { closedPort, httpServer, httpsServer, tcpServer, upgradingServer } from '#test/harness/listeners.ts';
import { imapServer, pop3Server } from '#test/harness/mail-server.ts';
import { startMailbox } from '#test/harness/mailbox.ts';
import { checkJudged, checkOnce, linesOf, wordsOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';

let ca: Authority;
before(async () => {
  ca = await trustedAuthority();
});

/** A TLS server with this certificate; returns the config of a check of it. */
async function presenting(t: TestContext, issued: Issued) {
  return { host: '127.0.0.1', port: await httpsServer(t, issued, (_, response) => response.end()) };
}

test('a valid certificate is up, and the metric is its days left', async (t) => {
  const seen = await checkOnce('tls', await presenting(t, await ca.issue({ untilDays: 60 })));
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.ok(Math.abs((seen.metric_value ?? 0) - 60) < 0.1);
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}), ['connect', 'tls', 'total']);
});

test('few days left warn, fewer fail, and both details name the day of expiry', async (t) => {
  const issued = await ca.issue({ untilDays: 5 });
  const config = await presenting(t, issued);
  const warned = await checkOnce('tls', config);
  assert.equal(wordsOf(warned), 'degraded tls_expires_soon target_tls');
  assert.match(
    String(warned.detail),
    new RegExp(`expires on ${endOf(issued)} .*, in [45] days; degraded below 14 days`),
  );
  const failed = await checkOnce('tls', { ...config, fail_days: 10 });
  assert.equal(wordsOf(failed), 'down tls_expires_soon target_tls');
  assert.equal((await checkOnce('tls', { ...config, warn_days: 4, fail_days: 1 })).status, 'up');
});

test('an expired certificate is down with its day of expiry, even if nothing else is verified', async (t) => {
  const issued = await ca.issue({ fromDays: -30, untilDays: -2 });
  const config = await presenting(t, issued);
  for (const verify of [true, false]) {
    const seen = await checkOnce('tls', { ...config, verify_chain: verify, verify_hostname: verify });
    assert.equal(wordsOf(seen), 'down tls_expired target_tls');
    assert.match(
      String(seen.detail),
      new RegExp(`certificate of 127\\.0\\.0\\.1 expired on ${endOf(issued)}`),
    );
    assert.ok(Math.abs((seen.metric_value ?? 0) + 2) < 0.1, 'negative days left');
  }
  const vouchingForItself = await presenting(t, await selfSigned({ fromDays: -9, untilDays: -1 }));
  assert.equal(wordsOf(await checkOnce('tls', vouchingForItself)), 'down tls_expired target_tls');
});

test('the days left are counted from the right time, whatever the clock of this machine says', async (t) => {
  const config = await presenting(t, await ca.issue({ untilDays: 60 }));
  const at = (days: number) =>
    checkOnce('tls', config, {
      policy: { allowPrivate: true, nowMs: () => Date.now() + days * 86_400_000 },
    });
  const early = await at(20);
  assert.ok(Math.abs((early.metric_value ?? 0) - 40) < 0.1, String(early.metric_value));
  assert.equal(early.status, 'up');
  assert.equal(wordsOf(await at(61)), 'down tls_expired target_tls');
});

test('for a certificate that is not valid yet the detail says from when it is', async (t) => {
  const config = await presenting(t, await ca.issue({ fromDays: 2 }));
  const seen = await checkOnce('tls', { ...config, verify_chain: false });
  assert.equal(wordsOf(seen), 'down tls_not_yet_valid target_tls');
  assert.match(String(seen.detail), /not valid before 2/);
});

test('of the whole chain, the certificate that expires first is judged and named', async (t) => {
  const soon = await ca.intermediate('Short Lived CA', { untilDays: 6 });
  const warned = await checkOnce('tls', await presenting(t, await soon.issue({ untilDays: 80 })));
  assert.equal(wordsOf(warned), 'degraded tls_expires_soon target_tls');
  assert.match(String(warned.detail), /intermediate certificate "Short Lived CA"/);
  assert.ok(Math.abs((warned.metric_value ?? 0) - 6) < 0.1);
  const over = await ca.intermediate('Bygone CA', { fromDays: -90, untilDays: -3 });
  const expired = await checkOnce('tls', await presenting(t, await over.issue({ untilDays: 80 })));
  assert.equal(wordsOf(expired), 'down tls_expired target_tls');
  assert.match(String(expired.detail), /The intermediate certificate "Bygone CA" of 127\.0\.0\.1 expired on/);
});

test('certificates sent beyond a trusted issuer are ignored', async (t) => {
  // An old root vouches for ours, which is trusted by itself, so its expiry changes nothing (as with cross-signed roots).
  const leaf = await ca.issue({ untilDays: 80 });
  const old = await selfSigned({ fromDays: -90, untilDays: -3 });
  const sent = { cert: `${leaf.cert}\n${ca.cert}\n${old.cert}`, key: leaf.key };
  const seen = await checkOnce('tls', await presenting(t, sent));
  assert.equal(seen.status, 'up', String(seen.detail));
});

test('chain and name are verified, each only if configured', async (t) => {
  const own = await presenting(t, await selfSigned());
  const stranger = await presenting(t, await (await authority('Stranger')).issue());
  const other = await presenting(t, await ca.issue({ names: ['other.test'] }));
  const cases = [
    [own, {}, 'down tls_self_signed target_tls'],
    [own, { verify_chain: false }, 'up'],
    [stranger, {}, 'down tls_untrusted target_tls'],
    [stranger, { verify_chain: false }, 'up'],
    [other, {}, 'down tls_hostname_mismatch target_tls'],
    [other, { verify_chain: false }, 'down tls_hostname_mismatch target_tls'],
    [other, { verify_hostname: false }, 'up'],
    [other, { server_name: 'other.test' }, 'up'],
  ] as const;
  for (const [config, given, expected] of cases) {
    const seen = await checkOnce('tls', { ...config, ...given });
    assert.equal(wordsOf(seen), expected, JSON.stringify(given));
  }
});

test('the requested name decides which certificate is presented', async (t) => {
  const [outer, inner] = await Promise.all([ca.issue(), ca.issue({ names: ['inner.test'], untilDays: 40 })]);
  const options = {
    ...outer,
    SNICallback: (name: string, done: (error: null, context?: tls.SecureContext) => void) =>
      done(null, name === 'inner.test' ? tls.createSecureContext(inner) : undefined),
  };
  const config = await presenting(t, options);
  const seen = await checkOnce('tls', { ...config, server_name: 'inner.test' });
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.ok(Math.abs((seen.metric_value ?? 0) - 40) < 0.1);
});

test('TLS is reached through SMTP, IMAP, POP3 and PostgreSQL', async (t) => {
  const issued = await ca.issue({ untilDays: 50 });
  const mailbox = await startMailbox({ tls: issued });
  t.after(mailbox.stop);
  const ports = {
    smtp: Number(new URL(mailbox.url).port),
    imap: (await imapServer(t, { tls: issued })).port,
    pop3: (await pop3Server(t, { tls: issued })).port,
    postgres: await postgres(t, 'S', issued),
  };
  for (const [starttls, port] of Object.entries(ports)) {
    const seen = await checkOnce('tls', { host: '127.0.0.1', port, starttls });
    assert.equal(seen.status, 'up', `${starttls}: ${seen.detail}`);
    assert.ok(Math.abs((seen.metric_value ?? 0) - 50) < 0.1);
  }
});

test('a server without TLS on its plain port says so', async (t) => {
  const mailbox = await startMailbox();
  t.after(mailbox.stop);
  const ports = {
    smtp: Number(new URL(mailbox.url).port),
    imap: (await imapServer(t, {})).port,
    pop3: (await pop3Server(t, {})).port,
    postgres: await postgres(t, 'N'),
  };
  for (const [starttls, port] of Object.entries(ports)) {
    const seen = await checkOnce('tls', { host: '127.0.0.1', port, starttls });
    assert.equal(wordsOf(seen), 'down starttls_unavailable target_app', starttls);
  }
});

test('bytes injected before TLS end the check', async (t) => {
  const issued = await ca.issue();
  const ports = {
    imap: (await imapServer(t, { tls: issued, injected: 't9 OK forged\r\n' })).port,
    pop3: (await pop3Server(t, { tls: issued, injected: '+OK forged\r\n' })).port,
    postgres: await postgres(t, 'SE', issued),
  };
  for (const [starttls, port] of Object.entries(ports)) {
    const seen = await checkOnce('tls', { host: '127.0.0.1', port, starttls });
    assert.equal(wordsOf(seen), 'down invalid_answer target_app', starttls);
  }
});

test('each kind of failed connection has its own class, within the time limit', async (t) => {
  const plain = await httpServer(t, (_, response) => response.end());
  const silent = await tcpServer(t, () => undefined);
  const closing = await tcpServer(t, (socket) => socket.destroy());
  const endless = await tcpServer(t, (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', more);
    more();
  });
  const cases = [
    [{ port: await closedPort() }, 'down connect_refused target_connect'],
    [{ port: plain }, 'down tls_handshake target_tls'],
    [{ port: silent }, 'down tls_timeout target_tls'],
    [{ port: closing }, 'down tls_handshake target_tls'],
    [{ port: endless }, 'down tls_handshake target_tls'],
    [{ port: silent, starttls: 'smtp' }, 'down answer_timeout target_app'],
    [{ port: silent, starttls: 'postgres' }, 'down answer_timeout target_app'],
    [{ port: closing, starttls: 'imap' }, /down connection_(closed|reset) target_app/],
    [{ port: endless, starttls: 'pop3' }, 'down invalid_answer target_app'],
    [{ port: plain, starttls: 'smtp' }, /down (answer_timeout|invalid_answer) target_app/],
  ] as const;
  for (const [given, expected] of cases) {
    const seen = await checkOnce('tls', { host: '127.0.0.1', timeout_ms: 1_500, ...given });
    if (typeof expected === 'string') assert.equal(wordsOf(seen), expected, JSON.stringify(given));
    else assert.match(wordsOf(seen), expected);
    assert.ok((seen.latency_ms ?? 0) < 3_000);
  }
});

test('the network policy comes first; a cancelled check ends at once', async (t) => {
  const blocked = {
    policy: { allowPrivate: false },
    resolver: async () => [{ address: '127.0.0.1', family: 4 as const }],
  };
  const port = await tcpServer(t, () => undefined);
  for (const host of ['127.0.0.1', 'inside.test'])
    assert.equal(wordsOf(await checkOnce('tls', { host, port }, blocked)), 'down blocked_target probe');
  for (const starttls of ['none', 'smtp', 'postgres']) {
    const stop = new AbortController();
    const checking = checkOnce('tls', { host: '127.0.0.1', port, starttls }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    assert.equal(wordsOf(await checking), 'down aborted probe', starttls);
  }
});

test('a check on demand gets every fault, not only the first', async (t) => {
  const stranger = await authority('Stranger');
  const issued = await stranger.issue({ names: ['other.test'], untilDays: 5 });
  const { judged } = await checkJudged('tls', await presenting(t, issued));
  assert.deepEqual(
    judged.map(({ what, ok }) => `${ok ? 'ok' : 'NOT'} ${what}`),
    ['ok Connection', 'ok TLS', 'ok Validity', 'NOT Chain', 'NOT Name', 'NOT Days left'],
    linesOf(judged).join('\n'),
  );
});

/** PostgreSQL's answer to an SSLRequest: one byte, then TLS. */
function postgres(t: TestContext, answer: string, issued?: Issued): Promise<number> {
  return upgradingServer(t, (socket, upgrade) => {
    socket.once('data', (request: Buffer) => {
      assert.equal(request.toString('hex'), '0000000804d2162f');
      socket.write(answer);
      if (issued) upgrade(issued);
    });
  });
}
