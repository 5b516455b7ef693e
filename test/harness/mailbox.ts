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
  /**
   * From now on recipients, or one alone, are refused with this line (`550 5.1.1 no such user`), or `at` another command; null accepts
   * mail again.
   */
  refuse: (line: string | null, address?: string, at?: Refusing) => void;
  /** From now on none of these mails is answered, whether it `arrives` or not. */
  beSilent: (arrives: boolean, fits: (mail: Email) => boolean) => Silence;
  /** The sign-ins, as `user:password`. */
  signedIn: string[];
  stop: () => Promise<void>;
};

type Refusing = 'sign-in' | 'sender' | 'recipient' | 'message';

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
  let refusedAt: Refusing = 'recipient';
  /** null: it is accepted. */
  const refusalAt = (at: Refusing): Error | null => {
    if (refusal === null || refusedAt !== at) return null;
    const [, code = '550', text = ''] = /^(\d{3}) (.*)$/.exec(refusal) ?? [];
    return Object.assign(new Error(text), { responseCode: Number(code) });
  };
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
      const refusal = refusalAt('sign-in');
      if (refusal === null) done(null, { user: username });
      else done(refusal);
    },
    onMailFrom: (_address, _session, done) => done(refusalAt('sender')),
    onRcptTo({ address }, _session, done) {
      done(refused === undefined || refused === address ? refusalAt('recipient') : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        void PostalMime.parse(bytes).then((mail) => {
          const kept = silence?.isOn() && silence.fits(mail) ? silence : null;
          const refusal = refusalAt('message');
          if (refusal !== null) return done(refusal);
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
    refuse: (line, address, at = 'recipient') => {
      refusal = line;
      refused = address;
      refusedAt = at;
    },
    beSilent(arrives, fits) {
      silence = { ...makeSilence(arrives), fits };
      return silence;
    },
    signedIn,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
