// A registry's RDAP server (RFC 9082, 9083), with documents as registries give them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { httpServer } from './listeners.ts';

const DAY_MS = 86_400_000;

/** A document for a name, a status without a registration, or null for no answer at all. */
export type RdapAnswer = object | number | null;

/** A registry's answer for a domain that expires in this many days; null: it gives no date. */
export function registration(name: string, expiresInDays: number | null): object {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const expiration =
    expiresInDays === null ? [] : [{ eventAction: 'expiration', eventDate: at(expiresInDays) }];
  return {
    objectClassName: 'domain',
    handle: '2336799_DOMAIN_COM-VRSN',
    ldhName: name.toUpperCase(),
    status: ['client delete prohibited', 'client transfer prohibited'],
    entities: [{ objectClassName: 'entity', handle: '376', roles: ['registrar'] }],
    events: [
      { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
      ...expiration,
      { eventAction: 'last changed', eventDate: '2025-08-14T07:01:39Z' },
      { eventAction: 'last update of RDAP database', eventDate: at(0) },
    ],
    secureDNS: { delegationSigned: true },
    nameservers: [{ objectClassName: 'nameserver', ldhName: `NS1.${name.toUpperCase()}` }],
    rdapConformance: ['rdap_level_0', 'icann_rdap_technical_implementation_guide_1'],
  };
}

/** Starts one; `base` ends without a slash, `asked` has the requested names in order. */
export async function rdapServer(
  t: TestContext,
  answer: (name: string) => RdapAnswer,
): Promise<{ base: string; port: number; asked: string[] }> {
  const asked: string[] = [];
  const port = await httpServer(t, (incoming: IncomingMessage, response: ServerResponse) => {
    const name = decodeURIComponent(incoming.url?.replace('/rdap/domain/', '') ?? '');
    asked.push(name);
    const said = answer(name);
    if (said === null) return;
    const status = typeof said === 'number' ? said : 200;
    const body =
      typeof said === 'number' ? { errorCode: said, title: 'Error', description: ['No such thing'] } : said;
    response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body));
  });
  return { base: `http://127.0.0.1:${port}/rdap`, port, asked };
}
