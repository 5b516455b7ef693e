import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Authority, type Issued, selfSigned } from '#test/harness/certificates.ts';
import { closedPort, tcpServer } from '#test/harness/listeners.ts';
import { imapServer, pop3Server } from '#test/harness/mail-server.ts';
import { checkJudged, checkOnce, wordsOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';

let ca: Authority;
let issued: Issued;
before(async () => {
  ca = await trustedAuthority();
  issued = await ca.issue();
});

const HOST = '127.0.0.1';
const auth = { username: 'watch@example.test', password: 's3cret "quoted" \\ word' };
const users = { [auth.username]: auth.password, müller: 'pässwörd' };

/** A real SMTP server that knows the users above; returns its port. */
async function smtpServer(t: TestContext, options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    logger: false,
    ...issued,
    authOptional: true,
    onAuth({ username = '', password }, _session, done) {
      if (users[username] === password) return done(null, { user: username });
      done(new Error(`no such user ${username}`));
    },
    ...options,
  });
  server.on('error', () => undefined);
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => {
    server.listen(0, HOST, resolve);
  });
  return (server.server.address() as { port: number }).port;
}

/** A server that sends these lines, one for each line it receives, the first at once; `heard` has the received lines. */
async function scripted(
  t: TestContext,
  lines: readonly string[],
): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const port = await tcpServer(t, (socket) => {
    const left = [...lines];
    const say = () => {
      const line = left.shift();
      if (line !== undefined) socket.write(`${line}\r\n`);
    };
    say();
    socket.on('data', (data: Buffer) => {
      received.push(data.toString().trimEnd());
      say();
    });
  });
  return { port, received };
}

test('without a sign-in the greeting is enough', async (t) => {
  const ports = {
    smtp: await smtpServer(t),
    imap: (await imapServer(t, {})).port,
    pop3: (await pop3Server(t, {})).port,
  };
  for (const [protocol, port] of Object.entries(ports)) {
    const { seen, judged } = await checkJudged('mail', { protocol, host: HOST, port });
    assert.equal(seen.status, 'up', `${protocol}: ${seen.detail}`);
    assert.deepEqual(
      judged.map(({ what }) => what),
      ['Connection', 'Greeting'],
    );
    assert.equal(seen.response_code, protocol === 'smtp' ? 250 : undefined);
  }
});

test('signing in works over TLS, STARTTLS and, if configured, in clear text', async (t) => {
  const servers = {
    smtp: {
      none: await smtpServer(t, { allowInsecureAuth: true, disabledCommands: ['STARTTLS'] }),
      starttls: await smtpServer(t),
      tls: await smtpServer(t, { secure: true }),
    },
    imap: {
      none: (await imapServer(t, { users, plainLogin: true })).port,
      starttls: (await imapServer(t, { users, tls: issued })).port,
      tls: (await imapServer(t, { users, tls: issued, secure: true })).port,
    },
    pop3: {
      none: (await pop3Server(t, { users })).port,
      starttls: (await pop3Server(t, { users, tls: issued })).port,
      tls: (await pop3Server(t, { users, tls: issued, secure: true })).port,
    },
  };
  for (const [protocol, bySecurity] of Object.entries(servers))
    for (const [security, port] of Object.entries(bySecurity)) {
      const config = { protocol, security, host: HOST, port };
      const seen = await checkOnce('mail', { ...config, auth });
      assert.equal(seen.status, 'up', `${protocol} ${security}: ${seen.detail}`);
      if (protocol === 'smtp') assert.equal(seen.response_code, 235);
      const wrong = await checkOnce('mail', { ...config, auth: { ...auth, password: 'wrong one' } });
      assert.equal(wordsOf(wrong), 'down auth_failed target_app', `${protocol} ${security}`);
      assert.doesNotMatch(JSON.stringify(wrong), /wrong one|watch@/, 'neither name nor password is told');
    }
});

test('names and passwords in any script are sent intact', async (t) => {
  const foreign = { username: 'müller', password: 'pässwörd' };
  const imap = await imapServer(t, { users, plainLogin: true });
  const ports = {
    smtp: await smtpServer(t, { allowInsecureAuth: true }),
    imap: imap.port,
    pop3: (await pop3Server(t, { users })).port,
  };
  for (const [protocol, port] of Object.entries(ports)) {
    const seen = await checkOnce('mail', { protocol, host: HOST, port, auth: foreign });
    assert.equal(seen.status, 'up', `${protocol}: ${seen.detail}`);
  }
  assert.ok(imap.received.includes('plain t2 LOGIN {7}'), imap.received.join('\n'));
});

test('a line break in a name or password is never sent', async (t) => {
  const pop3 = await pop3Server(t, { users });
  const imap = await imapServer(t, { users, plainLogin: true });
  const evil = { username: 'x', password: 'y\r\nDELE 1' };
  for (const [protocol, { port, received }] of Object.entries({ pop3, imap })) {
    const seen = await checkOnce('mail', { protocol, host: HOST, port, auth: evil });
    assert.equal(wordsOf(seen), 'down invalid_config probe');
    assert.ok(!received.some((line) => line.includes('DELE')));
  }
});

test('AUTH LOGIN is used if PLAIN is not offered, and offering neither is a failure', async (t) => {
  const config = { protocol: 'smtp', host: HOST, auth };
  const login = await smtpServer(t, { allowInsecureAuth: true, authMethods: ['LOGIN'] });
  const seen = await checkOnce('mail', { ...config, port: login });
  assert.equal(seen.status, 'up', String(seen.detail));
  const odd = await smtpServer(t, { allowInsecureAuth: true, authMethods: ['CRAM-MD5'] });
  const { detail, ...rest } = await checkOnce('mail', { ...config, port: odd });
  assert.equal(wordsOf(rest), 'down auth_unavailable target_app');
  assert.match(String(detail), /neither AUTH PLAIN nor AUTH LOGIN/);
});

test('if STARTTLS is not offered, nothing secret is sent, and the check says why', async (t) => {
  const imap = await imapServer(t, { users, plainLogin: true });
  const pop3 = await pop3Server(t, { users });
  const smtp = await scripted(t, ['220 hello', '250-hello\r\n250 AUTH PLAIN LOGIN', '221 bye']);
  for (const [protocol, { port, received }] of Object.entries({ imap, pop3, smtp })) {
    const seen = await checkOnce('mail', { protocol, security: 'starttls', host: HOST, port, auth });
    assert.equal(wordsOf(seen), 'down starttls_unavailable target_app', protocol);
    assert.ok(!received.some((line) => /AUTH|LOGIN|USER|PASS/.test(line)), received.join('\n'));
  }
});

test('a rejected certificate ends the check before anything secret is sent', async (t) => {
  const own = await selfSigned();
  for (const [protocol, serve] of Object.entries({ imap: imapServer, pop3: pop3Server }))
    for (const security of ['starttls', 'tls']) {
      const { port, received } = await serve(t, { users, tls: own, secure: security === 'tls' });
      const seen = await checkOnce('mail', { protocol, security, host: HOST, port, auth });
      assert.equal(wordsOf(seen), 'down tls_self_signed target_tls');
      assert.ok(!received.some((line) => line.startsWith('tls')));
    }
});

test('capabilities offered before TLS are discarded after it', async (t) => {
  const imap = await imapServer(t, { users, tls: issued });
  await checkOnce('mail', { protocol: 'imap', security: 'starttls', host: HOST, port: imap.port, auth });
  assert.deepEqual(
    imap.received.map((line) => line.replace(/LOGIN .*/, 'LOGIN')),
    ['plain t1 CAPABILITY', 'plain t2 STARTTLS', 'tls t3 CAPABILITY', 'tls t4 LOGIN', 'tls t5 LOGOUT'],
  );
});

test('a server that refuses to talk is quoted', async (t) => {
  const smtp = await scripted(t, ['554 5.7.1 your address is listed']);
  const imap = await imapServer(t, { greeting: '* BYE overloaded' });
  const pop3 = await pop3Server(t, { greeting: '-ERR [SYS/TEMP] overloaded' });
  for (const [protocol, { port }] of Object.entries({ smtp, imap, pop3 })) {
    const seen = await checkOnce('mail', { protocol, host: HOST, port });
    assert.equal(wordsOf(seen), 'down greeting_refused target_app');
    assert.match(String(seen.detail), /listed|overloaded/);
    assert.equal(seen.response_code, protocol === 'smtp' ? 554 : undefined);
  }
});

test('a temporary sign-in failure is distinguished from a wrong password', async (t) => {
  const imap = await imapServer(t, { users });
  const pop3 = await pop3Server(t, { users });
  const smtp = await scripted(t, ['220 hello', '250-hello\r\n250 AUTH PLAIN', '454 4.7.0 try later', '221']);
  const busy = { username: 'busy', password: 'x' };
  for (const [protocol, { port }] of Object.entries({ imap, pop3, smtp })) {
    const seen = await checkOnce('mail', { protocol, host: HOST, port, auth: busy });
    assert.equal(wordsOf(seen), 'down auth_unavailable target_app', protocol);
  }
});

test('each kind of missing answer has its own class, within the time limit and a bound on memory', async (t) => {
  const silent = await tcpServer(t, () => undefined);
  const closing = await tcpServer(t, (socket) => socket.end());
  const other = await scripted(t, ['SSH-2.0-OpenSSH']);
  const dripping = await tcpServer(t, (socket) => {
    const drip = setInterval(() => socket.write('2'), 10);
    socket.once('close', () => clearInterval(drip));
  });
  let sent = 0;
  const endless = (piece: string) =>
    tcpServer(t, (socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(piece.repeat(1000))) sent += piece.length * 1000;
      };
      socket.on('drain', more);
      more();
    });
  const cases = [
    [{ port: await closedPort() }, 'down connect_refused target_connect'],
    [{ port: silent }, 'down answer_timeout target_app'],
    [{ port: dripping }, 'down answer_timeout target_app'],
    [{ port: closing }, 'down connection_closed target_app'],
    [{ port: other.port }, 'down invalid_answer target_app'],
    [{ port: await endless('220-more and more\r\n') }, 'down answer_too_large target_app'],
    [{ port: await endless('\0') }, 'down invalid_answer target_app'],
    [{ port: await endless('* OK more\r\n'), protocol: 'imap' }, 'down answer_too_large target_app'],
    [{ port: silent, security: 'tls' }, 'down tls_timeout target_tls'],
  ] as const;
  for (const [given, expected] of cases) {
    const seen = await checkOnce('mail', { protocol: 'smtp', host: HOST, timeout_ms: 1_500, ...given });
    assert.equal(wordsOf(seen), expected, JSON.stringify(given));
    assert.ok((seen.latency_ms ?? 0) < 3_000);
  }
  assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
});

test('a greeting in endless short lines is abandoned at the byte limit', async (t) => {
  const port = await tcpServer(t, (socket) => void socket.write('220-\n'.repeat(10_000)));
  const seen = await checkOnce('mail', { host: HOST, port, protocol: 'smtp', security: 'none' });
  assert.equal(wordsOf(seen), 'down answer_too_large target_app');
  assert.match(seen.detail ?? '', /more than 4096 pieces/);
});

test('the network policy comes first; a cancelled check ends at once', async (t) => {
  const port = await tcpServer(t, () => undefined);
  const blocked = {
    policy: { allowPrivate: false },
    resolver: async () => [{ address: HOST, family: 4 as const }],
  };
  for (const host of [HOST, 'inside.test'])
    assert.equal(
      wordsOf(await checkOnce('mail', { protocol: 'smtp', host, port }, blocked)),
      'down blocked_target probe',
    );
  const stop = new AbortController();
  const checking = checkOnce('mail', { protocol: 'imap', host: HOST, port }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 20);
  assert.equal(wordsOf(await checking), 'down aborted probe');
});

test('a server that echoes its input cannot get the password into the result', async (t) => {
  for (const protocol of ['smtp', 'imap', 'pop3']) {
    const welcome = { smtp: '220 hi', imap: '* OK hi', pop3: '+OK hi' }[protocol];
    const port = await tcpServer(t, (socket) => {
      socket.write(`${welcome}\r\n`);
      socket.on('data', (data: Buffer) => {
        const line = data.toString();
        if (line.startsWith('EHLO')) return socket.write('250-hi\r\n250 AUTH PLAIN\r\n');
        if (line.startsWith('t1 CAP')) return socket.write('t1 OK done\r\n');
        if (line.startsWith('USER')) return socket.write('+OK\r\n');
        return socket.write(data);
      });
    });
    const { seen, judged } = await checkJudged('mail', { protocol, host: HOST, port, auth });
    assert.equal(wordsOf(seen), 'down invalid_answer target_app', protocol);
    const encoded = Buffer.from(`\0${auth.username}\0${auth.password}`).toString('base64');
    for (const secret of ['s3cret', encoded.slice(0, 20)])
      assert.ok(!JSON.stringify([seen, judged]).includes(secret), protocol);
  }
});

test('an agreed handshake that never comes ends at the time limit, or when cancelled', async (t) => {
  const says = ['220 hello', '250-hello\r\n250 STARTTLS', '220 go ahead'];
  const { port } = await scripted(t, says);
  const config = { protocol: 'smtp', security: 'starttls', host: HOST, port };
  const late = await checkOnce('mail', { ...config, timeout_ms: 1_000 });
  assert.equal(wordsOf(late), 'down tls_timeout target_tls');
  const stop = new AbortController();
  const checking = checkOnce('mail', config, { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  assert.equal(wordsOf(await checking), 'down aborted probe');
});
