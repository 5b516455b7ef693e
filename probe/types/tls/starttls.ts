import type { Socket } from 'node:net';
import type { TlsConfig } from '#src/monitors/types/tls/config.ts';
import { invalidAnswer } from '../answer-failures.ts';
import { dialogue } from '../dialogue.ts';
import { inbound } from '../inbound.ts';
import { imap } from '../mail/imap.ts';
import { pop3 } from '../mail/pop3.ts';
import { starttlsUnavailable } from '../mail/protocol.ts';
import { smtp } from '../mail/smtp.ts';
import type { RunningCheck } from '../run-check.ts';

/** Requests TLS on a plain connection, up to the point of the handshake. Throws OutboundFailure (`starttls_unavailable`). */
export async function askForTls(
  protocol: Exclude<TlsConfig['starttls'], 'none'>,
  socket: Socket,
  host: string,
  running: RunningCheck,
): Promise<void> {
  if (protocol === 'postgres') return askPostgres(socket, host, running);
  const talk = dialogue(socket, host, running);
  const mail = { smtp, imap, pop3 }[protocol](talk, host, () => undefined);
  await mail.greet();
  await mail.askForTls();
  talk.release();
}

/** PostgreSQL's SSLRequest: sends eight bytes and reads one (PostgreSQL documentation, message flow). */
async function askPostgres(socket: Socket, host: string, running: RunningCheck): Promise<void> {
  const answers = inbound(socket, host, 4096, running);
  socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
  const said = await answers.until((unread) =>
    unread.length === 0 ? undefined : { value: String.fromCharCode(unread[0] as number), used: 1 },
  );
  const early = answers.unread().length;
  answers.release();
  if (said === 'N') throw starttlsUnavailable(host, 'N to SSLRequest');
  if (said !== 'S') throw invalidAnswer(`${host} does not speak the protocol of PostgreSQL`);
  if (early > 0) throw invalidAnswer(`${host} sent ${early} bytes more than its answer before TLS`);
}
