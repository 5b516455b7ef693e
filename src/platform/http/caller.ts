// Who calls, and what the mount asks of the application to find out.
import type { FastifyRequest } from 'fastify';
import type { Role } from '#src/domain/names.ts';
import type { Operation, Resource } from '../contract.ts';
import type { Tenant } from '../db/asker.ts';
import type { Work } from '../work.ts';

export type User = {
  kind: 'user';
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  operator: boolean;
  /** When they signed in, or proved themselves again since. */
  authenticatedAt: Date;
};

/** Who calls. A probe token's audience is the probe protocol only. */
export type Caller =
  | User
  | ({ kind: 'key'; keyId: string; name: string; orgId: string; scopes: readonly string[] } & {
      within: Within;
    })
  | { kind: 'probe'; regionNo: number; regionSlug: string; tokenId: string };

/**
 * What a credential is narrowed to: the union of these projects and monitors. null: everything its organization has.
 * Every handler that lists or touches resources of an organization for keys filters by it.
 */
export type Within = { projectIds: readonly string[]; monitorIds: readonly string[] } | null;

/** The organization that owns the resource named in the path. */
export type Located = {
  orgId: string;
  projectId: string | null;
  monitorNo: number | null;
  monitorId: string | null;
};

/** What the mount asks of the application, so that the platform knows no business words of its own. */
export type Authorizer = {
  /** null when there is no valid credential. */
  identify: (request: FastifyRequest, audience: 'user' | 'probe') => Promise<Caller | null>;
  locate: (resource: Exclude<Resource, 'none'>, params: Record<string, string>) => Promise<Located | null>;
  roleOf: (orgId: string, userId: string) => Promise<Role | null>;
  hasCapability: (orgId: string, capability: NonNullable<Operation['capability']>) => Promise<boolean>;
  /** Whose share of this server a request uses that names this organization (`''`: none); null: the system's, for probes. */
  tenantOf: (caller: Caller | null, orgId: string) => Promise<Tenant | null>;
  /** Refuses with `fresh_sign_in_required` whoever proved themselves too long ago. */
  refuseStale: (caller: User) => void;
  /** Refuses with `unauthenticated` where the session is no more, and keeps it until the end of the unit of work. */
  holdSession: (work: Work, sessionId: string) => Promise<void>;
  /** Whether one of these monitors belongs to the project: such a key may look at the project. */
  projectHolds: (projectId: string, monitorIds: readonly string[]) => Promise<boolean>;
};

/** A request that was let in. */
export type Authorized = { caller: Caller | null; resource: Located; role: Role | null };

/** Who a request turned out to come from and what it names, as far as that was found out before it was refused. */
export type Seen = { caller: Caller | null; resource: Located | null };
