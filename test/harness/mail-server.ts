// Small IMAP and POP3 servers: the few commands of signing in, implemented properly, with STARTTLS (no npm package provides
// one).
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Issued } from './certificates.ts';
import { upgradingServer } from './listeners.ts';

export type MailServerOptions = {
  /** Offers STARTTLS, or TLS from the first byte. */
  tls?: Issued;
  secure?: boolean;
  users?: Record<string, string>;
  /** Its first line, instead of a welcome. */
  greeting?: string;
  /** Allows signing in without TLS. */
  plainLogin?: boolean;
  /** Sent right behind the go-ahead for TLS, as an attacker on the path would. */
  injected?: string;
};

export type MailServer = {
  port: number;
  /** The received commands, each with whether TLS was on: "plain CAPABILITY". */
  received: string[];
};

type Talk = {
  say(line: string): void;
  secured: boolean;
  startTls(goAhead: string): void;
  end(): void;
  /** The next `bytes` are read as they are. */
  literal(bytes: number, take: (text: string) => void): void;
};
type Protocol = (talk: Talk, options: MailServerOptions) => { greet(): void; receive(line: string): void };

export const imapServer = (t: TestContext, options: MailServerOptions) => serve(t, imap, options);
export const pop3Server = (t: TestContext, options: MailServerOptions) => serve(t, pop3, options);

async function serve(t: TestContext, protocol: Protocol, options: MailServerOptions): Promise<MailServer> {
  const received: string[] = [];
  const port = await upgradingServer(t, (plain, upgrade) => {
    let socket: Socket = plain;
    let text = '';
    let literal: { bytes: number; take: (text: string) => void } | undefined;
    const talk: Talk = {
      say: (line) => socket.write(`${line}\r\n`),
      secured: false,
      startTls(goAhead) {
        socket.removeAllListeners('data');
        socket.write(`${goAhead}\r\n${options.injected ?? ''}`);
        secure();
      },
      end: () => socket.end(),
      literal: (bytes, take) => {
        literal = { bytes, take };
      },
    };
    const session = protocol(talk, options);
    const secure = () => {
      socket = upgrade(options.tls as Issued);
      talk.secured = true;
      listen();
    };
    const consume = () => {
      for (;;) {
        if (literal) {
          const bytes = Buffer.from(text);
          if (bytes.length < literal.bytes) return;
          const { take, bytes: count } = literal;
          literal = undefined;
          text = bytes.subarray(count).toString();
          take(bytes.subarray(0, count).toString());
          continue;
        }
        const end = text.indexOf('\r\n');
        if (end === -1) return;
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        received.push(`${talk.secured ? 'tls' : 'plain'} ${line}`);
        session.receive(line);
      }
    };
    const listen = () =>
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        consume();
      });
    if (options.secure) secure();
    else listen();
    session.greet();
  });
  return { port, received };
}

const imap: Protocol = (talk, { tls: offered, users = {}, greeting, plainLogin }) => {
  const mayLogin = () => talk.secured || plainLogin === true;
  const login = (tag: string, args: string[]) => {
    const [user = '', password = ''] = args;
    if (!mayLogin()) return talk.say(`${tag} NO [PRIVACYREQUIRED] not in the clear`);
    if (users[user] === password) return talk.say(`${tag} OK welcome ${user}`);
    talk.say(`${tag} NO [AUTHENTICATIONFAILED] no such user or password: ${user}`);
  };
  /** A user name and a password, each an atom, a quoted string, or a literal that the server must ask for. */
  const read = (tag: string, rest: string, args: string[]): void => {
    if (rest === '') login(tag, args);
    const quoted = /^"((?:[^"\\]|\\.)*)" ?/.exec(rest);
    const literal = /^\{(\d+)\}$/.exec(rest);
    const atom = /^(\S+) ?/.exec(rest);
    if (quoted) {
      args.push((quoted[1] as string).replace(/\\(.)/g, '$1'));
      read(tag, rest.slice(quoted[0].length), args);
    } else if (literal) {
      talk.say('+ go on');
      talk.literal(Number(literal[1]), (text) => {
        args.push(text);
        continued = (line) => read(tag, line.trimStart(), args);
      });
    } else if (atom) {
      args.push(atom[1] as string);
      read(tag, rest.slice(atom[0].length), args);
    }
  };
  let continued: ((line: string) => void) | undefined;
  return {
    greet: () => talk.say(greeting ?? '* OK IMAP4rev2 test server'),
    receive(line) {
      if (continued) {
        const go = continued;
        continued = undefined;
        return go(line);
      }
      const [tag = '', command = '', ...rest] = line.split(' ');
      switch (command.toUpperCase()) {
        case 'CAPABILITY': {
          const more = [offered && !talk.secured ? 'STARTTLS' : '', mayLogin() ? '' : 'LOGINDISABLED'];
          talk.say(`* CAPABILITY IMAP4rev2 ${more.filter((one) => one !== '').join(' ')}`.trimEnd());
          return talk.say(`${tag} OK done`);
        }
        case 'STARTTLS':
          return offered ? talk.startTls(`${tag} OK go ahead`) : talk.say(`${tag} BAD unknown`);
        case 'LOGIN':
          return read(tag, rest.join(' '), []);
        case 'LOGOUT':
          talk.say('* BYE good-bye');
          talk.say(`${tag} OK done`);
          return talk.end();
        default:
          return talk.say(`${tag} BAD unknown command`);
      }
    },
  };
};

const pop3: Protocol = (talk, { tls: offered, users = {}, greeting }) => {
  let user = '';
  return {
    greet: () => talk.say(greeting ?? '+OK POP3 test server'),
    receive(line) {
      const [, command = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
      switch (command.toUpperCase()) {
        case 'STLS':
          return offered && !talk.secured ? talk.startTls('+OK go ahead') : talk.say('-ERR no');
        case 'USER':
          user = rest;
          return talk.say('+OK and the password?');
        case 'PASS':
          if (users[user] === rest) return talk.say('+OK welcome');
          return talk.say(user === 'busy' ? '-ERR [IN-USE] locked' : `-ERR [AUTH] no ${user}`);
        case 'QUIT':
          talk.say('+OK good-bye');
          return talk.end();
        default:
          return talk.say('-ERR unknown command');
      }
    },
  };
};
