import type { Socket } from 'node:net';
import { endpoint, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { invalidAnswer } from './answer-failures.ts';
import { inbound } from './inbound.ts';
import type { RunningCheck } from './run-check.ts';

/** A conversation in lines of text, as SMTP, IMAP and POP3 have it. */
export type Dialogue = {
  /** The next line without its end. Throws OutboundFailure, `invalid_answer` for one that is too long. */
  line(): Promise<string>;
  /** Sends a line. One that holds a line break or NUL is refused: it would be a second command. */
  send(line: string): void;
  /** Says goodbye and waits briefly for the answer: servers log a cut connection as an error. */
  leave(line: string): Promise<void>;
  /**
   * Stops reading so that TLS can take over. Refuses bytes beyond the last answer (`invalid_answer`): anybody on the path could
   * have inserted them.
   */
  release(): void;
  /** Continues over the secured connection. */
  resume(secured: Socket): void;
  /** The local address of the connection. */
  localAddress(): string;
};

const MAX_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 4 * 1024;
const GOOD_BYE_MS = 500;

export function dialogue(connected: Socket, host: string, running: RunningCheck): Dialogue {
  let socket = connected;
  const where = endpoint(host, socket.remotePort ?? 0);
  const read = () => inbound(socket, where, MAX_BYTES, running);
  let answers = read();
  const startedAtMs = performance.now();

  const takeLine = (unread: Buffer) => {
    if (unread.length > 0) running.timings.first_byte ??= performance.now() - startedAtMs;
    const end = unread.indexOf(0x0a);
    if ((end === -1 ? unread.length : end) > MAX_LINE_BYTES)
      throw invalidAnswer(`${where} sent a line of more than ${MAX_LINE_BYTES} bytes`);
    if (end === -1) return undefined;
    return { value: unread.subarray(0, end).toString('utf8').replace(/\r$/, ''), used: end + 1 };
  };
  const send = (line: string) => {
    if (/[\r\n\0]/.test(line))
      throw new OutboundFailure(
        'invalid_config',
        'probe',
        'User name and password must not hold line breaks',
      );
    socket.write(`${line}\r\n`);
  };

  return {
    line: () => answers.until(takeLine),
    send,
    async leave(line) {
      send(line);
      const byMs = Math.min(running.deadlineAtMs, performance.now() + GOOD_BYE_MS);
      // A failure here does not matter: the check has its answer.
      await answers.until(takeLine, byMs).catch(() => undefined);
    },
    release() {
      const early = answers.unread().length;
      answers.release();
      if (early > 0) throw invalidAnswer(`${where} sent ${early} bytes more than its answer before TLS`);
    },
    resume(secured) {
      socket = secured;
      answers = read();
    },
    localAddress: () => socket.localAddress ?? '127.0.0.1',
  };
}
