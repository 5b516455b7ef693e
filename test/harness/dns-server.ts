// A real name server on a loopback port, over UDP and TCP, that gives the test's answers for any record.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import dnsPacket, { type Answer, type Question } from 'dns-packet';

export type DnsReply = {
  answers?: Answer[];
  authorities?: Answer[];
  /** 0 is NOERROR, 3 NXDOMAIN … */
  rcode?: number;
  truncated?: boolean;
};

export type DnsAsked = { question: Question; transport: 'udp' | 'tcp'; id: number };

/** The answer to a question: a reply, raw bytes, several of them (UDP), or null for silence. */
export type DnsAnswer = DnsReply | Buffer | Buffer[] | null;

/** Starts it on 127.0.0.1; returns its port. `asked` has every question it received. */
export async function dnsServer(
  t: TestContext,
  answer: (asked: DnsAsked) => DnsAnswer,
): Promise<{ port: number; asked: DnsAsked[] }> {
  const asked: DnsAsked[] = [];
  const messages = (message: Buffer, transport: 'udp' | 'tcp'): Buffer[] => {
    const query = dnsPacket.decode(message);
    const one: DnsAsked = { question: query.questions?.[0] as Question, transport, id: query.id ?? 0 };
    asked.push(one);
    const said = answer(one);
    if (said === null) return [];
    if (Buffer.isBuffer(said)) return [said];
    return Array.isArray(said) ? said : [dnsReply(one, said)];
  };

  const tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      for (const message of messages(data.subarray(2), 'tcp')) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(message.length);
        socket.write(Buffer.concat([length, message]));
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as { port: number };
  const udp: Socket = createSocket('udp4');
  udp.on('message', (data: Buffer, from: RemoteInfo) => {
    for (const message of messages(data, 'udp')) udp.send(message, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  t.after(async () => {
    await new Promise<void>((resolve) => udp.close(resolve));
    await new Promise((resolve) => tcp.close(resolve));
  });
  return { port, asked };
}

/** The bytes of a reply to a question. */
export function dnsReply({ question, id }: DnsAsked, reply: DnsReply): Buffer {
  return dnsPacket.encode({
    type: 'response',
    id,
    flags:
      dnsPacket.RECURSION_DESIRED |
      dnsPacket.RECURSION_AVAILABLE |
      (reply.truncated ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      (reply.rcode ?? 0),
    questions: [question],
    answers: reply.answers ?? [],
    authorities: reply.authorities ?? [],
  });
}
