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

/** The client side of POP3 up to sign-in (RFC 1939, 2595, 3206). */
export function pop3(talk: Dialogue, host: string): MailProtocol {
  const answer = async (): Promise<{ ok: boolean; text: string }> => {
    const line = await talk.line();
    const parts = /^(\+OK|-ERR)\b ?(.*)$/i.exec(line);
    if (parts === null) throw invalidAnswer(`${host} does not speak POP3: it said ${quoted(line)}`);
    return { ok: (parts[1] as string).startsWith('+'), text: parts[2] as string };
  };
  const say = (line: string) => {
    talk.send(line);
    return answer();
  };

  return {
    async greet() {
      const { ok, text } = await answer();
      if (!ok) throw greetingRefused(host, text);
      return `+OK ${text}`;
    },
    async askForTls() {
      const { ok } = await say('STLS');
      if (!ok) throw starttlsUnavailable(host, '-ERR to STLS');
    },
    secured: async () => undefined,
    async signIn(username, password) {
      let last = await say(`USER ${username}`);
      if (last.ok) last = await say(`PASS ${password}`);
      if (last.ok) return;
      const code = /^\[([A-Z/-]+)\]/i.exec(last.text)?.[1]?.toUpperCase() ?? '';
      if (code !== '' && code !== 'AUTH') throw authUnavailable(host, code);
      throw authFailed(host, code);
    },
    leave: () => talk.leave('QUIT'),
  };
}
