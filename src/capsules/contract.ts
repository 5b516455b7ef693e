// Browser-safe and probe-safe. Failure capsules (docs/rules/confirmation.md#failure-capsule): lookups of a region when an
// incident opens, kept beside the evidence.
import { type Static, Type } from 'typebox';
import { closed, Nullable, UnixSeconds } from '../platform/contract.ts';
import { ResponseExcerpt } from './response-contract.ts';

const Ms = () => Type.Integer({ minimum: 0, maximum: 600_000 });
const Line = (maxLength: number) => Type.String({ maxLength });
const Reason = () => Nullable(Line(600));

/** A name server, and what it answered. */
const DnsServer = Type.Object(
  {
    server: Line(100),
    took_ms: Ms(),
    rcode: Nullable(Line(40)),
    error: Reason(),
    /** Name, TTL, type and value as in a zone file; CNAMEs first, in the order in which they are followed. */
    answers: Type.Array(Line(500), { maxItems: 20 }),
  },
  closed,
);

const Certificate = Type.Object(
  {
    subject: Line(300),
    issuer: Line(300),
    names: Type.Array(Line(255), { maxItems: 20 }),
    valid_from_unix: Type.Integer(),
    valid_to_unix: Type.Integer(),
    fingerprint_sha256: Line(100),
  },
  closed,
);

/** Why a part is missing. */
export const LEFT_OUT = [
  // The host is an address, so nothing is resolved.
  'address',
  'no_tls',
  'no_http',
  // The request would change something.
  'method',
  // The monitor keeps no answers.
  'off',
  // The type has no port to connect to.
  'no_port',
  // There is no address to go to.
  'unresolved',
  'no_tool',
  'failed',
] as const;

export const CapsulePart = Type.Enum(['dns', 'connections', 'tls', 'route', 'response']);

/** A probe's lookups, without credentials. */
export const Capsule = Type.Object(
  {
    took_ms: Ms(),
    private: Type.Boolean({ description: 'a private address was looked up or connected to' }),
    withheld: Type.Boolean({
      description:
        'the target is in a private network whose answers this region does not keep: nothing else is there',
    }),
    host: Line(300),
    dns: Nullable(
      Type.Object(
        {
          question: Line(300),
          servers: Type.Array(DnsServer, { maxItems: 4 }),
          zone: Nullable(
            Type.Object({ name: Line(300), name_servers: Type.Array(Line(255), { maxItems: 10 }) }, closed),
          ),
        },
        closed,
      ),
    ),
    /** One TCP connection to each address, all at the same time. */
    connections: Nullable(
      Type.Array(Type.Object({ address: Line(100), took_ms: Ms(), error: Reason() }, closed), {
        maxItems: 8,
      }),
    ),
    tls: Nullable(
      Type.Object(
        {
          protocol: Nullable(Line(40)),
          cipher: Nullable(Line(100)),
          /** Why the chain, or its name, is not accepted; null: it is. */
          error: Reason(),
          certificates: Type.Array(Certificate, { maxItems: 10 }),
        },
        closed,
      ),
    ),
    /** By the `traceroute` of the probe's machine. */
    route: Nullable(
      Type.Object(
        {
          to: Line(100),
          hops: Type.Array(
            Type.Object(
              {
                hop: Type.Integer({ minimum: 1, maximum: 64 }),
                /** null: no answer; "private": an address of the probe's own network. */
                address: Nullable(Line(100)),
                took_ms: Nullable(Type.Number({ minimum: 0, maximum: 600_000 })),
              },
              closed,
            ),
            { maxItems: 64 },
          ),
        },
        closed,
      ),
    ),
    /** The response to the same request again; it may differ from the failed one. */
    response: Nullable(
      Type.Object(
        {
          redirects: Type.Array(Line(400), { maxItems: 10 }),
          error: Reason(),
          excerpt: Nullable(ResponseExcerpt),
        },
        closed,
      ),
    ),
    left_out: Type.Array(Type.Object({ part: CapsulePart, why: Type.Enum([...LEFT_OUT]) }, closed), {
      maxItems: 10,
    }),
  },
  closed,
);
export type Capsule = Static<typeof Capsule>;

/** The capsule that is kept where lookups reached a private network whose responses are not kept. */
export const withheldCapsule = ({ took_ms, host }: Pick<Capsule, 'took_ms' | 'host'>): Capsule => ({
  took_ms,
  host,
  private: true,
  withheld: true,
  dns: null,
  connections: null,
  tls: null,
  route: null,
  response: null,
  left_out: [],
});

/** The capsule of one region. */
export const RegionCapsule = Type.Object({
  region: Type.String(),
  gathered_at_unix: UnixSeconds(),
  ...Capsule.properties,
});
export type RegionCapsule = Static<typeof RegionCapsule>;

/** `capsule` of an incident. */
export const IncidentCapsule = Type.Object({ regions: Type.Array(RegionCapsule) });
export type IncidentCapsule = Static<typeof IncidentCapsule>;

/** The progress of each region. */
export const CapsuleState = Type.Object({
  region: Type.String(),
  state: Type.Enum(['gathering', 'arrived', 'none'], {
    description: 'none: it did not answer in time, or was not asked',
  }),
  why: Nullable(
    Type.Enum(['too_many', 'no_answer'], {
      description:
        'too_many: more incidents opened within a minute than are looked up; no_answer: no probe of the region answered within two minutes',
    }),
  ),
});
export type CapsuleState = Static<typeof CapsuleState>;
