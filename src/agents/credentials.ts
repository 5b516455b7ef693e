// Credentials of agents: created at enrolment, stored as a hash.
import type { AgentCaller } from '../platform/http/caller.ts';
import { hashToken, randomToken } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';

const CREDENTIAL = /^Bearer (tca_[A-Za-z0-9_-]{43})$/;
/** If the process forgets all of them, each agent merely costs one more look-up. */
const MAX_KNOWN = 20_000;

export const newCredential = (): string => `tca_${randomToken(32)}`;

/** The agent that a Bearer credential belongs to; null if it is not one of ours. */
export type IdentifyAgent = (db: Database, authorization: string | undefined) => Promise<AgentCaller | null>;

export type KnownAgents = { identify: IdentifyAgent; forget: (agent: AgentCaller) => void };

/**
 * Identifies agents and remembers them in this process, so that a heartbeat takes one exchange with the database. A remembered
 * agent proves nothing: the statement that stores a heartbeat looks the credential up again, and a void one is dropped
 * (`forget`).
 */
export function makeKnownAgents(): KnownAgents {
  const known = new Map<string, AgentCaller>();
  const keyOf = (hash: Buffer) => hash.toString('base64url');
  return {
    async identify(db, authorization) {
      const credential = CREDENTIAL.exec(authorization ?? '')?.[1];
      if (!credential) return null;
      const hash = hashToken(credential);
      const seen = known.get(keyOf(hash));
      if (seen) return seen;
      const row = await db
        .selectFrom('agents')
        .select(['id', 'no', 'hostname', 'org_id'])
        .where('credential_hash', '=', hash)
        .executeTakeFirst();
      if (!row) return null;
      const { id: agentId, no: agentNo, hostname, org_id: orgId } = row;
      const agent: AgentCaller = { kind: 'agent', agentId, agentNo, hostname, orgId, credentialHash: hash };
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(keyOf(hash), agent);
      return agent;
    },
    forget: ({ credentialHash }) => void known.delete(keyOf(credentialHash)),
  };
}
