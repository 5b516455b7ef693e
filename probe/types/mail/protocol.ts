import { OutboundFailure } from '#src/platform/outbound/failures.ts';

/** A mail protocol as far as a check speaks it; everything throws OutboundFailure. */
export type MailProtocol = {
  /** Takes the greeting and introduces itself; answers what the server said (`greeting_refused`). */
  greet(): Promise<string>;
  /** Asks for TLS on this connection; on return the handshake is due (`starttls_unavailable`). */
  askForTls(): Promise<void>;
  /** Forgets the server's capabilities from before TLS, and asks for them again. */
  secured(): Promise<void>;
  /** Wrong credentials are `auth_failed`; a server that cannot check them now, or not this way, is `auth_unavailable`. */
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

/** A server's words, short. */
export function quoted(said: string): string {
  return `"${said.length > 200 ? `${said.slice(0, 199)}…` : said}"`;
}
