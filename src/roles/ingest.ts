// The role "ingest": what comes in from outside, from probes, from host agents and as pings of heartbeats, and
// what fails to come in.
import { enrollRoutes } from '../agents/enroll-routes.ts';
import { agentHeartbeatRoutes } from '../agents/heartbeat-routes.ts';
import { evaluateSilentAgents } from '../agents/silence.ts';
import { probeRoutes } from '../checks/probe-routes.ts';
import { serveExampleTarget } from '../examples/target.ts';
import { serveHeartbeats } from '../heartbeats/serve.ts';
import { keepReady } from '../platform/db/keep-ready.ts';
import { startAssignments } from '../probe-protocol/assignments.ts';
import { makeResultRateLimit } from '../probe-protocol/result-rate-limit.ts';
import { makeEnsureDays } from '../series/days.ts';
import type { Foundation } from './foundation.ts';
import type { Slice } from './slice.ts';

export function startIngest(foundation: Foundation): Slice {
  const { config, runtime, hooks, log, vault, db, listener, clock, disk, timers } = foundation;
  const { limits, known, knownAgents, firstOwnerOf, builtFiles } = foundation;
  const ensureDays = makeEnsureDays(db);
  const limited = config.rateLimits;
  const assignments = startAssignments(db, vault, listener, clock, log);
  const rateLimit = makeResultRateLimit(db, { limited });
  const stopKeepingReady = timers ? keepReady(db, log) : () => undefined;
  hooks.add('statements of alarms', async () => stopKeepingReady());
  return {
    routes: [
      ...probeRoutes({ db, vault, log, rateLimit, assignments, disk }),
      ...agentHeartbeatRoutes({ db, log, disk, agents: knownAgents, version: runtime.version, builtFiles }),
      ...enrollRoutes,
    ],
    async serve(http) {
      serveExampleTarget(http, { db, clock });
      const heartbeats = await serveHeartbeats(http, {
        ...{ db, clock, log, disk, limits, known, firstOwnerOf, limited },
        // A manual clock would look like downtime of this server, so the test that moves it also runs the loop.
        detectsMissing: timers,
        alsoEvaluate: [(now) => evaluateSilentAgents({ db, log, ensureDays }, now)],
      });
      hooks.add('heartbeats', () => heartbeats.stop());
    },
    release: () => assignments.stop(),
  };
}
