import { invalidAnswer } from '../answer-failures.ts';
import type { Dialogue } from '../dialogue.ts';
import {
  authFailed,
  authUnavailable,
  greetingRefused,
  type MailProtocol,
  quoted,
  starttlsUnavailable,
} from './protocol.ts';

/** The client side of IMAP up to sign-in (RFC 9051). */
export function imap(talk: Dialogue, host: string): MailProtocol {
  let commands = 0;
  let capabilities: string[] = [];

  /** The tagged answer, or the server's request to continue ("+"). */
  const answer = async (tag: string): Promise<{ state: string; text: string }> => {
    for (;;) {
      const line = await talk.line();
      const capability = /^\* CAPABILITY (.*)$/i.exec(line);
      if (capability) capabilities = (capability[1] as string).toUpperCase().split(/\s+/);
      if (line.startsWith('* ')) continue;
      if (line.startsWith('+')) return { state: '+', text: '' };
      const parts = /^(\S+) (OK|NO|BAD)\b ?(.*)$/i.exec(line);
      if (parts?.[1] !== tag) throw invalidAnswer(`${host} does not speak IMAP: it said ${quoted(line)}`);
      return { state: (parts[2] as string).toUpperCase(), text: parts[3] as string };
    }
  };
  const say = (command: string) => {
    commands += 1;
    const tag = `t${commands}`;
    talk.send(`${tag} ${command}`);
    return { tag, answered: answer(tag) };
  };
  const askCapabilities = async () => {
    capabilities = [];
    const { state, text } = await say('CAPABILITY').answered;
    if (state !== 'OK') throw invalidAnswer(`${host} does not say what it can: ${quoted(text)}`);
  };

  return {
    async greet() {
      const line = await talk.line();
      if (/^\* BYE\b/i.test(line)) throw greetingRefused(host, line.slice(2));
      if (!/^\* (OK|PREAUTH)\b/i.test(line))
        throw invalidAnswer(`${host} does not speak IMAP: it said ${quoted(line)}`);
      await askCapabilities();
      return line.slice(2);
    },
    async askForTls() {
      if (!capabilities.includes('STARTTLS'))
        throw starttlsUnavailable(host, 'no STARTTLS among its capabilities');
      const { state } = await say('STARTTLS').answered;
      if (state !== 'OK') throw starttlsUnavailable(host, `${state} to STARTTLS`);
    },
    secured: askCapabilities,
    async signIn(username, password) {
      if (capabilities.includes('LOGINDISABLED')) throw authUnavailable(host, 'LOGINDISABLED');
      const rest = [username, password].map(piece);
      // A literal is announced by its length, and sent when the server answers "+".
      let line = 'LOGIN';
      const lines: string[] = [];
      for (const { announced, literal } of rest) {
        line += ` ${announced}`;
        if (literal === undefined) continue;
        lines.push(line);
        line = literal;
      }
      lines.push(line);
      const { tag, answered } = say(lines[0] as string);
      let last = await answered;
      for (const next of lines.slice(1)) {
        if (last.state !== '+') break;
        talk.send(next);
        last = await answer(tag);
      }
      if (last.state === 'OK') return;
      const code = /^\[([A-Z-]+)/.exec(last.text)?.[1] ?? '';
      if (last.state !== 'NO') throw authUnavailable(host, `${last.state} to LOGIN`);
      if (['UNAVAILABLE', 'INUSE', 'LIMIT', 'PRIVACYREQUIRED'].includes(code))
        throw authUnavailable(host, code);
      throw authFailed(host, code);
    },
    leave: async () => {
      commands += 1;
      await talk.leave(`t${commands} LOGOUT`);
    },
  };
}

/** A text as an argument: a quoted string or, if that is impossible, a literal. */
function piece(text: string): { announced: string; literal?: string } {
  if (/^[\x20-\x7e]*$/.test(text)) return { announced: `"${text.replace(/[\\"]/g, '\\$&')}"` };
  return { announced: `{${Buffer.byteLength(text)}}`, literal: text };
}
