import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { authority } from '#test/harness/certificates.ts';
import { closedPort, tcpServer } from '#test/harness/listeners.ts';
import { type MailboxOptions, startMailbox } from '#test/harness/mailbox.ts';
import { layout } from './layout.ts';
import { type Mail, MailFailure, makeMail } from './mail.ts';
import { readSmtpUrl } from './smtp-url.ts';

const FROM = 'Tocsin <tocsin@example.com>';
const BODIES = layout({ title: 'Hello', paragraphs: ['Grüße aus Köln.'] });

function mailTo(smtpUrl: string, totalTimeoutMs?: number): Mail {
  const mail = makeMail({ smtpUrl, from: FROM, ...(totalTimeoutMs ? { totalTimeoutMs } : {}) });
  assert.ok(mail);
  return mail;
}

async function mailbox(t: TestContext, options: MailboxOptions = {}) {
  const box = await startMailbox(options);
  t.after(box.stop);
  return box;
}

const failing = (failureClass: string) => (error: unknown) =>
  error instanceof MailFailure && error.failureClass === failureClass;

test('a mail arrives with both bodies, the right sender and the right recipient', async (t) => {
  const box = await mailbox(t);
  await mailTo(box.url).send({ to: 'ann@example.org', subject: 'Über alles', ...BODIES });
  const { mail, recipients } = box.received[0]!;
  assert.deepEqual(recipients, ['ann@example.org']);
  assert.equal(mail.subject, 'Über alles');
  assert.deepEqual(mail.from, { name: 'Tocsin', address: 'tocsin@example.com' });
  assert.equal(mail.text?.trim(), BODIES.text);
  assert.match(mail.html ?? '', /Grüße aus Köln\./);
  assert.ok(mail.headers.some(({ key, value }) => key === 'auto-submitted' && value === 'auto-generated'));
});

test('a subject cannot add a header, a recipient or a body', async (t) => {
  const box = await mailbox(t);
  const subject = 'Hi\r\nBcc: eve@example.org\r\n\r\nPay here\u2028now\0';
  await mailTo(box.url).send({ to: 'ann@example.org', subject, ...BODIES });
  const { mail, recipients } = box.received[0]!;
  assert.deepEqual(recipients, ['ann@example.org']);
  assert.equal(mail.subject, 'Hi Bcc: eve@example.org Pay here now');
  assert.equal(mail.bcc, undefined);
  assert.equal(mail.text?.trim(), BODIES.text);
});

test('a subject of any length is sent, truncated', async (t) => {
  const box = await mailbox(t);
  await mailTo(box.url).send({ to: 'ann@example.org', subject: 'ö'.repeat(5000), ...BODIES });
  assert.equal(box.received[0]?.mail.subject, `${'ö'.repeat(199)}…`);
});

for (const to of [
  'ann@example.org, eve@example.org',
  'ann@example.org\r\nBcc: eve@example.org',
  'Ann <ann@example.org>',
  'ann@example.org>\r\nRCPT TO:<eve@example.org',
  'ann@b.example,eve@example.org',
  'ann;eve@example.org',
  'ann',
  '',
])
  test(`a recipient that is not a single address gets no mail: ${JSON.stringify(to)}`, async (t) => {
    const box = await mailbox(t);
    await assert.rejects(mailTo(box.url).send({ to, subject: 's', ...BODIES }), failing('bad_recipient'));
    assert.equal(box.received.length, 0);
  });

test('a refused recipient is reported by the server’s codes, without its words', async (t) => {
  const box = await mailbox(t);
  box.refuse('550 5.1.1 no such user, said https://tocsin.example/app/invitation#token=abc');
  await assert.rejects(mailTo(box.url).send({ to: 'ann@example.org', subject: 's', ...BODIES }), (error) => {
    assert.ok(error instanceof MailFailure);
    assert.equal(error.failureClass, 'smtp_envelope');
    assert.equal(error.message, 'The mail server refused the sender or the recipient (550 5.1.1).');
    return true;
  });
});

for (const [at, line, refused] of [
  ['recipient', '550 5.1.1 no such user', 'recipient'],
  ['recipient', '550 no such user', 'recipient'],
  ['recipient', '552 5.2.2 mailbox full', 'recipient'],
  ['recipient', '554 5.7.1 relay access denied', null],
  ['recipient', '451 4.3.0 try again', null],
  ['recipient', '556 5.1.10 the domain takes no mail', 'recipient'],
  ['recipient', '550 5.1.0 address rejected', 'recipient'],
  ['recipient', '550 5.1.8 <status@gone.example>: Sender address rejected: Domain not found', null],
  ['recipient', '550 5.1.7 <status@gone.example>: Sender address rejected: undeliverable address', null],
  ['recipient', '550 5.1.0 <status@gone.example>: Sender address rejected: User unknown', null],
  ['recipient', '550 Sender verify failed', null],
  ['recipient', '550 relay not permitted', null],
  ['recipient', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", null],
  ['recipient', '530 Authentication required', null],
  ['recipient', '503 AUTH first', null],
  ['message', '550 5.1.8 the domain of the sender does not exist', null],
  ['message', '554 rejected', 'message'],
  ['message', '550 5.1.1 no such user', 'recipient'],
  ['message', '554 5.7.1 your address is on a block list', null],
  ['message', '451 4.7.1 try again', null],
  ['sender', '550 5.7.1 this sender is not yours', null],
  ['sender', '530 5.7.0 authentication required', null],
  ['sign-in', '535 5.7.8 the password has expired', null],
] as const)
  test(`a server that refuses the ${at} with ${line} refuses ${refused ?? 'only us'} for good`, async (t) => {
    const box = await mailbox(t);
    box.refuse(line, undefined, at);
    const mail = mailTo(box.url.replace('//', '//me:secret@'));
    await assert.rejects(mail.send({ to: 'ann@example.org', subject: 's', ...BODIES }), (error) => {
      assert.ok(error instanceof MailFailure);
      assert.deepEqual([error.replyCode, error.refused], [Number(line.slice(0, 3)), refused]);
      return true;
    });
    assert.equal(box.received.length, 0);
  });

test('an absent, silent or foreign mail server fails with a class', async (t) => {
  const message = { to: 'ann@example.org', subject: 's', ...BODIES };
  const refused = mailTo(`smtp://127.0.0.1:${await closedPort()}`);
  await assert.rejects(refused.send(message), failing('connect_refused'));
  const silent = await tcpServer(t, () => undefined);
  await assert.rejects(mailTo(`smtp://127.0.0.1:${silent}`, 200).send(message), failing('smtp_timeout'));
  const rude = await tcpServer(t, (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await assert.rejects(mailTo(`smtp://127.0.0.1:${rude}`).send(message), MailFailure);
});

test('a server that drips is cut off by the total timeout', async (t) => {
  const port = await tcpServer(t, (socket) => {
    const dripping = setInterval(() => socket.write('220-still here\r\n'), 20);
    socket.on('close', () => clearInterval(dripping));
    socket.on('error', () => undefined);
  });
  const mail = mailTo(`smtp://127.0.0.1:${port}`, 300);
  await assert.rejects(
    mail.send({ to: 'ann@example.org', subject: 's', ...BODIES }),
    failing('smtp_timeout'),
  );
  await assert.rejects(mail.verify(), failing('smtp_timeout'));
});

test('cloud metadata is not a mail server', async () => {
  const mail = mailTo('smtp://169.254.169.254:25');
  await assert.rejects(
    mail.send({ to: 'ann@example.org', subject: 's', ...BODIES }),
    failing('blocked_target'),
  );
});

test('user and password are sent, decoded', async (t) => {
  const box = await mailbox(t);
  await mailTo(box.url.replace('//', '//me%40example.com:p%3Aw%25@')).send({
    to: 'ann@example.org',
    subject: 's',
    ...BODIES,
  });
  assert.deepEqual(box.signedIn, ['me@example.com:p:w%']);
});

test('over smtps an untrusted certificate ends the connection before anything is sent', async (t) => {
  const tls = await (await authority()).issue();
  const box = await mailbox(t, { tls, secure: true });
  const mail = mailTo(box.url.replace('//', '//me:secret@'));
  await assert.rejects(
    mail.send({ to: 'ann@example.org', subject: 's', ...BODIES }),
    failing('tls_untrusted'),
  );
  assert.deepEqual([box.received, box.signedIn], [[], []]);
});

test('a password is sent only after a trusted certificate, also after STARTTLS', async (t) => {
  const tls = await (await authority()).issue();
  const box = await mailbox(t, { tls });
  // A name of this machine that does not count as its loopback.
  const mail = mailTo(box.url.replace('//127.0.0.1', '//me:secret@[::ffff:127.0.0.1]'));
  await assert.rejects(mail.send({ to: 'ann@example.org', subject: 's', ...BODIES }), failing('smtp_tls'));
  assert.deepEqual([box.received, box.signedIn], [[], []]);
});

test('without a password an offered STARTTLS is used, whatever the certificate', async (t) => {
  const tls = await (await authority()).issue();
  const box = await mailbox(t, { tls });
  await mailTo(box.url).send({ to: 'ann@example.org', subject: 's', ...BODIES });
  assert.match(box.received[0]?.security ?? '', /^TLS/);
});

test('a password never crosses a network in clear text', () => {
  const parts = { host: 'mail.example', port: 587, secure: false, auth: { user: 'me', pass: 'pw' } };
  assert.deepEqual(readSmtpUrl('smtp://me:pw@mail.example'), { ...parts, requireTLS: true });
  assert.equal(readSmtpUrl('smtp://me:pw@127.0.0.1').requireTLS, false);
  assert.equal(readSmtpUrl('smtp://me:pw@127.0.0.1.example.com').requireTLS, true);
  assert.equal(readSmtpUrl('smtp://mail.example').requireTLS, false);
  assert.equal(readSmtpUrl('smtps://me:pw@mail.example').port, 465);
  assert.equal(readSmtpUrl('smtp://[::1]:2525').host, '::1');
  assert.deepEqual(readSmtpUrl('smtp://me:50%@mail.example').auth, { user: 'me', pass: '50%' });
});

test('without a server or a sender there is no mail', () => {
  assert.equal(makeMail({ smtpUrl: null, from: FROM }), null);
  assert.equal(makeMail({ smtpUrl: 'smtp://127.0.0.1', from: null }), null);
});
