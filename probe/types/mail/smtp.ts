import { isIPv6 } from 'node:net';
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

type Reply = { code: number; lines: string[] };

/** Permanent refusals of the sign-in method, not of the credentials (RFC 5321, section 4.2.2; RFC 4954, section 6). */
const NOT_ABOUT_WHO = new Set([500, 502, 503, 504, 530, 538]);

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The client side of SMTP (RFC 5321, 3207, 4954); `onCode` gets every reply code except the one to QUIT. */
export function smtp(talk: Dialogue, host: string, onCode: (code: number) => void): MailProtocol {
  let extensions: string[] = [];

  const reply = async (): Promise<Reply> => {
    const lines: string[] = [];
    for (;;) {
      const line = await talk.line();
      const parts = /^(\d{3})(?:([ -])(.*))?$/.exec(line);
      if (parts === null) throw invalidAnswer(`${host} does not speak SMTP: it said ${quoted(line)}`);
      lines.push(parts[3] ?? '');
      if (parts[2] === '-') continue;
      const code = Number(parts[1]);
      onCode(code);
      return { code, lines };
    }
  };
  const say = (line: string): Promise<Reply> => {
    talk.send(line);
    return reply();
  };
  const introduce = async () => {
    const address = talk.localAddress();
    const { code, lines } = await say(`EHLO [${isIPv6(address) ? 'IPv6:' : ''}${address}]`);
    if (code !== 250) throw greetingRefused(host, `${code} ${lines.at(-1)}`);
    extensions = lines.slice(1).map((line) => line.toUpperCase());
  };
  const mechanisms = () =>
    extensions.flatMap((line) => (/^AUTH[ =]/.test(line) ? line.slice(5).split(/\s+/) : []));

  return {
    async greet() {
      const { code, lines } = await reply();
      const said = `${code} ${lines[0]}`;
      if (code !== 220) throw greetingRefused(host, said);
      await introduce();
      return said;
    },
    async askForTls() {
      if (!extensions.includes('STARTTLS')) throw starttlsUnavailable(host, 'no STARTTLS after EHLO');
      const { code } = await say('STARTTLS');
      if (code !== 220) throw starttlsUnavailable(host, `${code} to STARTTLS`);
    },
    secured: introduce,
    async signIn(username, password) {
      const offered = mechanisms();
      let last: Reply;
      if (offered.includes('PLAIN')) {
        last = await say(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
      } else if (offered.includes('LOGIN')) {
        last = await say('AUTH LOGIN');
        if (last.code === 334) last = await say(base64(username));
        if (last.code === 334) last = await say(base64(password));
      } else {
        throw authUnavailable(host, 'it offers neither AUTH PLAIN nor AUTH LOGIN');
      }
      if (last.code === 235) return;
      if (last.code < 500 || NOT_ABOUT_WHO.has(last.code))
        throw authUnavailable(host, `${last.code} to AUTH`);
      throw authFailed(host, String(last.code));
    },
    leave: () => talk.leave('QUIT'),
  };
}
