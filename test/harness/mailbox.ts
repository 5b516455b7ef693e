// A real mail server on a free loopback port: it parses and keeps the mails it accepts.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { awaited } from './awaited.ts';
import { makeSilence, type Silence } from './silence.ts';

export type Received = {
  /** The envelope: the real recipients. */
  recipients: string[];
  mail: Email;
  /** The message as it arrived. */
  raw: string;
  /** The version of TLS; absent: in the clear. */
  security?: string;
};

export type Mailbox = {
  /** For SMTP_URL. */
  url: string;
  received: Received[];
  next: (fits: (received: Received) => boolean, withinMs?: number) => Promise<Received>;
  /** From now on recipients, or one alone, are refused with this line (`550 5.1.1 no such user`); null accepts mail again. */
  refuse: (line: string | null, address?: string) => void;
  /** From now on none of these mails is answered, whether it `arrives` or not. */
  beSilent: (arrives: boolean, fits: (mail: Email) => boolean) => Silence;
  /** The sign-ins, as `user:password`. */
  signedIn: string[];
  stop: () => Promise<void>;
};

export type MailboxOptions = {
  /** PEM pair: STARTTLS is offered. */
  tls?: { key: string; cert: string };
  /** TLS from the first byte. */
  secure?: boolean;
};

/** Starts the server; it accepts any user and password, and does not require them. */
export async function startMailbox({ tls, secure = false }: MailboxOptions = {}): Promise<Mailbox> {
  const received: Received[] = [];
  const signedIn: string[] = [];
  const { look, next } = awaited(received, () => `no such mail among ${received.length}`);
  let refusal: string | null = null;
  let refused: string | undefined;
  let silence: (Silence & { fits: (mail: Email) => boolean }) | null = null;
  const server = new SMTPServer({
    logger: false,
    secure,
    ...(tls ?? {}),
    disabledCommands: tls ? [] : ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      signedIn.push(`${username}:${password}`);
      done(null, { user: username });
    },
    onRcptTo({ address }, _session, done) {
      if (refusal === null || (refused !== undefined && refused !== address)) return done();
      const [, code = '550', text = ''] = /^(\d{3}) (.*)$/.exec(refusal) ?? [];
      done(Object.assign(new Error(text), { responseCode: Number(code) }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        void PostalMime.parse(bytes).then((mail) => {
          const kept = silence?.isOn() && silence.fits(mail) ? silence : null;
          if (kept === null || kept.arrives)
            received.push({
              recipients: session.envelope.rcptTo.map(({ address }) => address),
              mail,
              raw: bytes.toString('utf8'),
              ...(session.secure ? { security: 'TLS' } : {}),
            });
          const refuse = () => done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          if (kept === null) done();
          else kept.keep(done, refuse);
          look();
        }, done);
      });
    },
  });
  // A client that hangs up is no fault of the test.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    next,
    refuse: (line, address) => {
      refusal = line;
      refused = address;
    },
    beSilent(arrives, fits) {
      silence = { ...makeSilence(arrives), fits };
      return silence;
    },
    signedIn,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
