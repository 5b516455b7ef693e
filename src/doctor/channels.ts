// Whether the addresses of notification targets can be reached: connects, with TLS where they have it, and says nothing.
import { sql } from 'kysely';
import type { ChannelName } from '../domain/names.ts';
import { isOperators, type OperatorAddresses, portOf } from '../notifications/targets/operator-addresses.ts';
import { connect } from '../platform/outbound/connect.ts';
import { endpoint, OutboundFailure } from '../platform/outbound/failures.ts';
import type { Database } from '../platform/work.ts';
import { type Finding, finding } from './finding.ts';

export type ChannelOptions = { allowPrivate: boolean; operator: OperatorAddresses };

type Destination = {
  host: string;
  port: number;
  secure: boolean;
  trusted: boolean;
  kinds: string[];
  targets: number;
  /** One of them belongs to an organization of the operator's. */
  own: boolean;
};

const WITHIN_MS = 5_000;
const MAX_TRIED = 100;
const AT_A_TIME = 10;

/**
 * A finding for each address, of all organizations, that cannot be reached; their paths, which are secrets, stay out of it. Those of
 * organizations that the operator is not in are warnings: their own administrators get mails about failing targets.
 */
export async function checkChannels(db: Database, options: ChannelOptions): Promise<Finding[]> {
  const all = await destinations(db, options.operator);
  if (all.length === 0) return [finding('ok', 'channels', 'channels_none')];
  const tried = all.slice(0, MAX_TRIED);
  const findings: Finding[] = [];
  for (let from = 0; from < tried.length; from += AT_A_TIME) {
    const some = await Promise.all(tried.slice(from, from + AT_A_TIME).map((each) => reach(each, options)));
    findings.push(...some.filter((found) => found !== null));
  }
  if (findings.length === 0)
    findings.push(finding('ok', 'channels', 'channels_reached', { count: tried.length }));
  if (all.length > tried.length)
    findings.push(finding('warn', 'channels', 'channels_skipped', { count: all.length - tried.length }));
  return findings;
}

/** Where active targets send to, each once, those of most targets first. */
async function destinations(db: Database, operator: OperatorAddresses): Promise<Destination[]> {
  const { rows } = await sql<{ kind: ChannelName; origin: string; targets: number; own: boolean }>`
    SELECT kind, substring(url FROM '^[a-z]+://[^/?#]+') AS origin, count(*)::int AS targets,
      bool_or(EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.org_id = webhook_targets.org_id AND u.operator)) AS own
    FROM webhook_targets WHERE active GROUP BY 1, 2 ORDER BY 3 DESC, 2, 1`.execute(db);
  const found = new Map<string, Destination>();
  for (const { kind, origin, targets, own } of rows) {
    const url = URL.parse(origin);
    if (url === null) continue;
    const trusted = isOperators(kind, origin, operator);
    // An address that the operator has named may be in a private network; the same address of an organization may not.
    const key = `${url.origin} ${trusted}`;
    const known = found.get(key);
    if (known) {
      known.kinds.push(kind);
      known.targets += targets;
      known.own ||= own;
    } else
      found.set(key, {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: portOf(url),
        secure: url.protocol === 'https:',
        trusted,
        kinds: [kind],
        targets,
        own,
      });
  }
  return [...found.values()];
}

async function reach(to: Destination, { allowPrivate }: ChannelOptions): Promise<Finding | null> {
  const { host, port, secure, trusted, kinds, targets, own } = to;
  try {
    const { socket } = await connect({
      host,
      port,
      family: 'auto',
      policy: { allowPrivate: allowPrivate || trusted },
      tls: secure ? { verify: true, alpn: ['http/1.1'] } : undefined,
      deadlineAtMs: performance.now() + WITHIN_MS,
    });
    socket.on('error', () => undefined).destroy();
    return null;
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return finding(own ? 'fail' : 'warn', 'channels', 'channel_unreached', {
      address: endpoint(host, port),
      kinds: kinds.join(', '),
      targets,
      reason: error.message,
    });
  }
}
