// The role "ingest": what comes in from outside, from probes and as pings of heartbeats, and what fails to come in.
import { probeRoutes } from '../checks/probe-routes.ts';
import { serveHeartbeats } from '../heartbeats/serve.ts';
import { startAssignments } from '../probe-protocol/assignments.ts';
import { makeResultPace } from '../probe-protocol/result-pace.ts';
import type { Foundation } from './foundation.ts';
import type { Slice } from './slice.ts';

export function startIngest(foundation: Foundation): Slice {
  const { config, hooks, log, vault, db, listener, clock, disk, timers } = foundation;
  const { limits, known, firstOwnerOf } = foundation;
  const limited = config.rateLimits;
  const assignments = startAssignments(db, vault, listener, clock, log);
  const pace = makeResultPace(db, { limited });
  return {
    routes: probeRoutes({ db, vault, log, pace, assignments, disk }),
    async serve(http) {
      const heartbeats = await serveHeartbeats(http, {
        ...{ db, clock, log, disk, limits, known, firstOwnerOf, limited },
        // A manual clock would look like downtime of this server, so the test that moves it also runs the loop.
        looks: timers,
      });
      hooks.add('heartbeats', () => heartbeats.stop());
    },
    release: () => assignments.stop(),
  };
}
