// The caller of a request, and the questions that the mount asks the application about them.
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
  /** When the person signed in or last proved their identity again. */
  authenticatedAt: Date;
};

/**
 * A host agent, as this process remembers it. Its credential may have been voided since; the statement that stores a heartbeat
 * finds that out.
 */
export type AgentCaller = {
  kind: 'agent';
  agentId: string;
  agentNo: number;
  hostname: string;
  orgId: string;
  credentialHash: Buffer;
};

/** A wall display: it reads what its link shows, and nothing else. */
export type WallCaller = { kind: 'wall'; linkId: string; name: string; orgId: string };

/** The caller. A probe token is valid for the probe protocol only. */
export type Caller =
  | User
  | ({ kind: 'key'; keyId: string; name: string; orgId: string; scopes: readonly string[] } & {
      within: ResourceFilter;
    })
  | { kind: 'probe'; regionNo: number; regionSlug: string; tokenId: string }
  | AgentCaller
  | WallCaller;

/**
 * The narrowing of a credential: the union of these projects and monitors. null: everything its organization has.
 * Every handler that lists or touches an organization's resources for keys filters by it.
 */
export type ResourceFilter = { projectIds: readonly string[]; monitorIds: readonly string[] } | null;

/** The organization that owns the resource named in the path. */
export type Located = {
  orgId: string;
  projectId: string | null;
  monitorNo: number | null;
  monitorId: string | null;
};

/** The kind of credential that an operation takes. */
export type Audience = 'user' | 'probe' | 'agent' | 'wall';

/** Questions of the mount to the application, so that the platform has no business terms. */
export type Authorizer = {
  /** null if there is no valid credential. */
  identify: (request: FastifyRequest, audience: Audience) => Promise<Caller | null>;
  locate: (resource: Exclude<Resource, 'none'>, params: Record<string, string>) => Promise<Located | null>;
  roleOf: (orgId: string, userId: string) => Promise<Role | null>;
  hasCapability: (orgId: string, capability: NonNullable<Operation['capability']>) => Promise<boolean>;
  /** The tenant whose share a request uses; `orgId` is `''` if the path names none. null: the system's share, for probes. */
  tenantOf: (caller: Caller | null, orgId: string) => Promise<Tenant | null>;
  /** Refuses with `fresh_sign_in_required` a person whose last proof is too old. */
  refuseStale: (caller: User) => void;
  /** Locks the session until the end of the unit of work; refuses with `unauthenticated` if it has ended. */
  holdSession: (work: Work, sessionId: string) => Promise<void>;
  /** Whether one of these monitors belongs to the project; a key narrowed to it may read the project. */
  projectHolds: (projectId: string, monitorIds: readonly string[]) => Promise<boolean>;
};

/** A request that was let in. */
export type Authorized = { caller: Caller | null; resource: Located; role: Role | null };

/** The caller and the resource of a request, as far as known when it was refused. */
export type RequestIdentity = { caller: Caller | null; resource: Located | null };
