// A real name server on a loopback UDP port, with the test's answers.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import dnsPacket from 'dns-packet';

/** Addresses to answer with, a failure code, or null for silence. */
export type NameAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | null;

/** Starts it; returns `host:port` for a resolver's list of servers. */
export async function nameServer(
  t: TestContext,
  answer: (name: string, type: 'A' | 'AAAA') => NameAnswer,
): Promise<string> {
  const socket = createSocket('udp4');
  t.after(() => new Promise<void>((resolve) => socket.close(resolve)));
  socket.on('message', (message, from) => {
    const query = dnsPacket.decode(message);
    const question = query.questions?.[0];
    if (question === undefined || (question.type !== 'A' && question.type !== 'AAAA')) return;
    const { name, type } = question;
    const found = answer(name, type);
    if (found === null) return;
    const addresses = typeof found === 'string' ? [] : found;
    const rcode = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };
    socket.send(
      dnsPacket.encode({
        type: 'response',
        id: query.id ?? 0,
        flags:
          dnsPacket.RECURSION_DESIRED |
          dnsPacket.RECURSION_AVAILABLE |
          (typeof found === 'string' ? rcode[found] : 0),
        questions: [question],
        answers: addresses.map((data) => ({ type, name, ttl: 60, data })),
      }),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}
