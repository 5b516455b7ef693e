// Samples of the operations on host agents; see operation-samples.ts.
import { randomBytes } from 'node:crypto';
import type { Sample } from './sample.ts';

const plain: Sample = {};

export const AGENT_SAMPLES: Record<string, Sample> = {
  listAgents: plain,
  getAgent: plain,
  updateAgent: { body: () => ({ labels: `host=${randomBytes(5).toString('hex')}` }) },
  removeAgent: plain,
  upgradeAgent: plain,
  listAgentCurves: plain,
  getAgentSeries: { query: 'metric=cpu_pct' },
  listAgentEvents: plain,
  createEnrollmentToken: { body: () => ({ labels: 'env=prod' }) },
  listEnrollmentTokens: plain,
  revokeEnrollmentToken: { params: ({ enrollmentTokenId }) => ({ token_id: enrollmentTokenId }) },
  enrollAgent: {
    body: () => ({
      ...{ token: 'nobody', hostname: 'web-1', platform: 'linux', os: 'Debian', arch: 'x64' },
      agent_version: '0.1.0',
    }),
    letIn: { status: 401, because: 'the token is nobody’s: whoever sends it is told so' },
  },
  postAgentHeartbeat: {
    body: () => ({ sent_at_ms: 0, agent_version: '0.1.0', modules: ['cpu'], readings: { cpu_pct: 5 } }),
  },
};
