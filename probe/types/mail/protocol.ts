import { OutboundFailure } from '#src/platform/outbound/failures.ts';

/** The part of a mail protocol that a check uses; every function throws OutboundFailure. */
export type MailProtocol = {
  /** Reads the greeting and introduces itself; returns the server's words (`greeting_refused`). */
  greet(): Promise<string>;
  /** Requests TLS on this connection; the handshake comes next (`starttls_unavailable`). */
  askForTls(): Promise<void>;
  /** Forgets the server's capabilities from before TLS, and asks for them again. */
  secured(): Promise<void>;
  /** Throws `auth_failed` for wrong credentials, `auth_unavailable` if the server cannot check them now or by this method. */
  signIn(username: string, password: string): Promise<void>;
  leave(): Promise<void>;
};

const fail = (failureClass: string, detail: string) =>
  new OutboundFailure(failureClass, 'target_app', detail);

export const greetingRefused = (host: string, said: string) =>
  fail('greeting_refused', `${host} refuses to talk: ${quoted(said)}`);

export const starttlsUnavailable = (host: string, why: string) =>
  fail('starttls_unavailable', `${host} does not offer TLS on this port (${why})`);

/** A server's answer to a wrong password is not shown: it may repeat the name, or more. */
export const authFailed = (host: string, code: string) =>
  fail('auth_failed', `${host} refuses user name and password${code === '' ? '' : ` (${code})`}`);

export const authUnavailable = (host: string, why: string) =>
  fail('auth_unavailable', `Nobody can sign in at ${host} this way now (${why})`);

/** The server's words, truncated. */
export function quoted(said: string): string {
  return `"${said.length > 200 ? `${said.slice(0, 199)}…` : said}"`;
}
