import { randomInt } from 'node:crypto';
import dnsPacket, { type DecodedPacket, type Packet } from 'dns-packet';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import { exchangeDatagrams } from '#src/platform/outbound/datagram.ts';
import { dial } from '#src/platform/outbound/dial.ts';
import { endpoint, OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { Address } from '#src/platform/outbound/resolve.ts';
import { answerFailure } from '../answer-failures.ts';
import { type Bounds, inbound } from '../inbound.ts';

export type Question = { name: string; type: DnsConfig['record_type'] };
export type NameServer = { addresses: readonly Address[]; port: number };

/** An unanswered query may have been lost, so it is repeated at this interval. */
const AGAIN_MS = 1_000;
/** A message over TCP is preceded by its length in two bytes. */
const MAX_TCP_BYTES = 2 + 65_535;

/**
 * Asks a name server one question over UDP, and again over TCP if the answer was truncated, or over TCP at once. The addresses
 * must have been vetted or be the operator's own. Ignores datagrams without the query's id and question, and those from
 * elsewhere. Throws OutboundFailure (`dns_timeout`, `dns_invalid_answer`, `connect_*`).
 */
export async function ask(
  question: Question,
  server: NameServer,
  transport: DnsConfig['transport'],
  running: Bounds,
): Promise<DecodedPacket> {
  const query = encoded(question);
  const answer = transport === 'tcp' ? undefined : await overUdp(question, query, server, running);
  return answer === undefined || answer.flag_tc ? overTcp(question, query, server, running) : answer;
}

function encoded({ name, type }: Question): Buffer {
  const query: Packet = {
    type: 'query',
    id: randomInt(0x1_0000),
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type, class: 'IN' }],
  };
  try {
    return dnsPacket.encode(query);
  } catch {
    throw new OutboundFailure('dns_bad_name', 'target_dns', 'The host is not a valid DNS name');
  }
}

async function overUdp(
  question: Question,
  query: Buffer,
  { addresses, port }: NameServer,
  { deadlineAtMs, signal }: Bounds,
): Promise<DecodedPacket> {
  const where = endpoint(addresses[0]?.address ?? '', port);
  const { value } = await exchangeDatagrams({
    addresses,
    port,
    payload: query,
    take: (datagram) => (isAnswerTo(query, datagram) ? decoded(datagram, question, where) : undefined),
    againEveryMs: AGAIN_MS,
    onSilence: (silent) => noAnswer(silent, question),
    deadlineAtMs,
    signal,
  });
  return value;
}

async function overTcp(
  question: Question,
  query: Buffer,
  { addresses, port }: NameServer,
  running: Bounds,
): Promise<DecodedPacket> {
  const { socket, address } = await dial(addresses, port, running.deadlineAtMs, running.signal);
  const where = endpoint(address, port);
  const answer = inbound(socket, where, MAX_TCP_BYTES, running);
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
    const message = await answer.until((unread) => {
      const end = unread.length < 2 ? Number.POSITIVE_INFINITY : 2 + unread.readUInt16BE(0);
      return unread.length < end ? undefined : { value: unread.subarray(2, end), used: end };
    });
    const packet = isAnswerTo(query, message) ? decoded(message, question, where) : undefined;
    if (packet === undefined) throw invalid(where, 'it answers another question');
    return packet;
  } catch (error) {
    const failure = answerFailure(error, where);
    throw failure.failureClass === 'answer_timeout' ? noAnswer(where, question) : failure;
  } finally {
    answer.release();
    socket.on('error', () => undefined).destroy();
  }
}

/** Whether a message is a response with the query's id. */
function isAnswerTo(query: Buffer, message: Buffer): boolean {
  return (
    message.length >= 12 && message.readUInt16BE(0) === query.readUInt16BE(0) && (message[2]! & 0x80) !== 0
  );
}

/** The message, or undefined if it answers another question; a failing server may omit the question. */
function decoded(message: Buffer, question: Question, where: string): DecodedPacket | undefined {
  let packet: DecodedPacket;
  try {
    // A truncated message need not be complete: its header says so, and TCP is used for the rest.
    packet = (message[2]! & 0x02) === 0 ? whole(message) : headOf(message);
  } catch {
    throw invalid(where, 'it is no valid DNS message');
  }
  const asked = packet.questions?.[0];
  if (asked === undefined) return packet;
  const same =
    asked.name.toLowerCase() === question.name.toLowerCase().replace(/\.$/, '') &&
    asked.type === question.type;
  return same ? packet : undefined;
}

/** Refuses an incomplete message: dns-packet would read beyond its end and return made-up values. */
function whole(message: Buffer): DecodedPacket {
  const packet = dnsPacket.decode(message);
  if (dnsPacket.decode.bytes > message.length) throw new Error('the message breaks off');
  return packet;
}

function headOf(message: Buffer): DecodedPacket {
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 4);
  return dnsPacket.decode(head);
}

const invalid = (where: string, why: string) =>
  new OutboundFailure(
    'dns_invalid_answer',
    'target_dns',
    `${where} sent an answer that cannot be used: ${why}`,
  );

const noAnswer = (where: string, { name }: Question) =>
  new OutboundFailure(
    'dns_timeout',
    'target_dns',
    `The name server ${where} did not answer for ${name} in time`,
  );
