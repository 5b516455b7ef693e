// Sends mail over SMTP. The text of a mail is written by its sender; this file only delivers it.

import type { SMTPTransportOptions } from 'nodemailer';
import { ATTEMPT_MS } from '#src/domain/attempt-time.ts';
import { oneLine } from '#src/domain/one-line.ts';
import { OutboundFailure } from '../outbound/failures.ts';
import { loadLibrary } from '../outbound/load-library.ts';
import { connectedSocket } from './connected-socket.ts';
import { readSmtpUrl } from './smtp-url.ts';

export type Message = {
  to: string;
  subject: string;
  html: string;
  text: string;
  /**
   * Its name in this installation, the same for every attempt, so that a mailbox that received it twice shows it once; and the
   * name of its thread. Letters, digits, dots and hyphens.
   */
  name?: string;
  thread?: string;
  /** An attachment. */
  attachment?: { name: string; type: string; bytes: Buffer };
  /** Address of the one-click unsubscribe link (RFC 8058); answers a POST. */
  unsubscribeUrl?: string;
};

export type Mail = {
  /**
   * Hands one message to the mail server; resolves once the server has accepted it. Rejects only with MailFailure, within 15 s.
   * Never call it inside a unit of work: save, then send.
   */
  send: (message: Message) => Promise<void>;
  /** Connects, signs in if SMTP_URL has a user, and sends nothing. Rejects as `send` does. */
  verify: () => Promise<void>;
};

export type MailOptions = {
  /** smtp: or smtps:, user and password in it; null: no mail can be sent. */
  smtpUrl: string | null;
  /** An address, or `Name <address>`. */
  from: string | null;
  /** Limit for the whole exchange, from the DNS lookup to the server's last reply. */
  totalTimeoutMs?: number;
};

/**
 * Why a mail was not sent: a stable class and, if the server refused it, its status codes. Never the server's text: it
 * may quote the mail, and with it a token.
 */
export class MailFailure extends Error {
  readonly failureClass: string;
  /** The server's status if it answered: 4xx is temporary, 5xx is permanent (RFC 5321, section 4.2.1). */
  readonly replyCode: number | null;
  /** What is refused for good; null: nothing, or only us: the sender, its password, its address or what it may relay. */
  readonly refused: Refused | null;

  constructor(
    failureClass: string,
    sentence: string,
    { replyCode = null, refused = null }: { replyCode?: number | null; refused?: Refused | null } = {},
  ) {
    super(sentence);
    this.name = 'MailFailure';
    this.failureClass = failureClass;
    this.replyCode = replyCode;
    this.refused = refused;
  }
}

/** `recipient`: the mailbox does not exist, or takes no mail. `message`: its content. */
type Refused = 'recipient' | 'message';

const CONNECTION_TIMEOUT_MS = 10_000;
const MAX_SUBJECT_CHARACTERS = 200;

/** The mailer, or null if none is configured. */
export function makeMail({ smtpUrl, from, totalTimeoutMs = ATTEMPT_MS }: MailOptions): Mail | null {
  if (smtpUrl === null || from === null) return null;
  const server = readSmtpUrl(smtpUrl);
  const { host, port, secure, auth, requireTLS } = server;
  const transport = async (signal: AbortSignal) => {
    // Loaded with the first mail, so an installation that sends none does not pay for it.
    const { createTransport } = await loadLibrary(() => import('nodemailer'));
    const options: SMTPTransportOptions = {
      host,
      port,
      secure,
      requireTLS,
      ...(auth ? { auth } : {}),
      // An attacker could hide the offer of TLS altogether, so checking the certificate would prove nothing.
      tls: { rejectUnauthorized: secure || requireTLS },
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: totalTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: connectedSocket(server, CONNECTION_TIMEOUT_MS, signal),
    };
    return createTransport(options);
  };
  return {
    async verify() {
      const signal = AbortSignal.timeout(totalTimeoutMs);
      try {
        await (await transport(signal)).verify();
      } catch (error) {
        throw mailFailure(error, signal);
      }
    },
    async send({ to, subject, html, text, name, thread, attachment, unsubscribeUrl }) {
      const address = recipient(to);
      const signal = AbortSignal.timeout(totalTimeoutMs);
      try {
        const sender = await transport(signal);
        await sender.sendMail({
          from,
          to: { name: '', address },
          subject: headerText(subject),
          html,
          text,
          ...(name === undefined ? {} : { messageId: messageId(name, from) }),
          ...(thread === undefined ? {} : conversation(messageId(thread, from))),
          ...(attachment === undefined ? {} : { attachments: [attached(attachment)] }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl === undefined ? {} : wayOut(unsubscribeUrl)),
          },
          signal,
        });
      } catch (error) {
        throw mailFailure(error, signal);
      }
    },
  };
}

/** Exactly one address: no second recipient, no further header, no route. */
function recipient(to: string): string {
  if (to.length <= 254 && /^[^\s\p{Cc}@<>()[\]",;:\\]+@[^\s\p{Cc}@<>()[\]",;:\\]+$/u.test(to)) return to;
  throw new MailFailure('bad_recipient', 'The recipient is not one mail address.', { refused: 'recipient' });
}

/** `<name@domain of the sender>` (RFC 5322, section 3.6.4). */
function messageId(name: string, from: string): string {
  if (!/^[A-Za-z0-9]+([.-][A-Za-z0-9]+)*$/.test(name)) throw new Error('this is not the name of a message');
  const domain = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${name}@${domain}>`;
}

/** Mail programs thread messages that refer to the same message id, even if no message has that id. */
const conversation = (root: string) => ({ inReplyTo: root, references: root });

const attached = ({ name, type, bytes }: NonNullable<Message['attachment']>) => ({
  filename: name,
  contentType: type,
  content: bytes,
});

function wayOut(url: string): Record<string, string> {
  if (!/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(url))
    throw new Error('this is not the address of a way out');
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
  };
}

/** A header is one line of text, whatever names it contains. */
function headerText(text: string): string {
  const line = oneLine(text);
  const characters = [...line];
  return characters.length > MAX_SUBJECT_CHARACTERS
    ? `${characters.slice(0, MAX_SUBJECT_CHARACTERS - 1).join('')}…`
    : line;
}

const SENTENCE: Record<string, string> = {
  EAUTH: 'The mail server refused the user or password of SMTP_URL',
  ENOAUTH: 'The mail server demands a user and a password, and SMTP_URL has none',
  EENVELOPE: 'The mail server refused the sender or the recipient',
  EMESSAGE: 'The mail server refused the message',
  ETLS: 'The mail server could not be reached over TLS with a certificate that is trusted here',
  ETIMEDOUT: 'The mail server did not answer in time',
};

type LibraryError = {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  response?: string;
  /** The SMTP command that was refused. */
  command?: string;
};

function mailFailure(error: unknown, signal: AbortSignal): MailFailure {
  if (error instanceof OutboundFailure) return new MailFailure(error.failureClass, `${error.message}.`);
  const { code, originalCode, responseCode, response, command } = error as LibraryError;
  if (signal.aborted) return new MailFailure('smtp_timeout', `${SENTENCE.ETIMEDOUT}.`);
  // A certificate refused after STARTTLS surfaces as a failed socket, with OpenSSL's code in its cause.
  const isTls = code === 'ESOCKET' && originalCode !== undefined && !/^E[A-Z]+$/.test(originalCode);
  const kind = isTls ? 'ETLS' : /^E[A-Z]+$/.test(code ?? '') ? String(code) : 'EUNKNOWN';
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const said = [responseCode, enhanced].filter((part) => part !== undefined).join(' ');
  const sentence = SENTENCE[kind] ?? 'The connection to the mail server was lost';
  return new MailFailure(
    `smtp_${kind.slice(1).toLowerCase()}`,
    `${sentence}${said === '' ? '' : ` (${said})`}.`,
    {
      replyCode: responseCode ?? null,
      refused: refusedBy({ command, responseCode, response }),
    },
  );
}

/**
 * What a permanent refusal of a command is about. Replies below 550 are about the session (530: sign in first), and so is 555
 * (RFC 5321, section 4.3.2). The enhanced status (RFC 3463, section 3) decides where it tells: 1 is the address, unless it is the
 * sender's (X.1.7, X.1.8), 2 the mailbox, 6 the content. Others are the network, the protocol or a policy: the same mail arrives
 * once the operator has corrected that.
 */
function refusedBy({ command, responseCode = 0, response = '' }: LibraryError): Refused | null {
  if (responseCode < 550 || responseCode === 555) return null;
  const [subject, detail] = STATUS.exec(response)?.[1]?.split('.').slice(1) ?? [];
  if (subject === '1' && (detail === '7' || detail === '8')) return null;
  if (command === 'DATA') {
    if (subject === '1' || subject === '2') return 'recipient';
    return subject === '7' ? null : 'message';
  }
  if (command !== 'RCPT TO') return null;
  const tells = subject !== undefined && subject !== '0' && !(subject === '1' && detail === '0');
  if (tells) return subject === '1' || subject === '2' ? 'recipient' : null;
  // Postfix and Exim judge the sender and what it may relay only once they know the recipient.
  return /\b(sender|relay)/i.test(response.replace(/\S+@\S+/g, '')) ? null : 'recipient';
}

/** An enhanced status, in its place or at the end, where qmail has it. */
const STATUS = /(?<=^\d{3}[ -]|\(#)(\d\.\d{1,3}\.\d{1,3})\b/;
