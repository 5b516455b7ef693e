// Monitors whose results the test sends, and their consequences: over the probe protocol and the API.
import type { IncidentDetail, IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Place, TestApp } from './app.ts';
import { resultOf } from './probe.ts';
import { readIncident } from './read-incident.ts';

type Said = 'up' | 'down' | 'degraded';

/** Of alice's, in a place of hers. */
export function speakFor(app: TestApp, { orgId, projectId }: Place) {
  let made = 0;
  const incidentsOf = ({ id }: Monitor) =>
    app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
  const detail = (id: string) => readIncident(app.alice, orgId, id);
  return {
    orgId,
    projectId,
    /** An http monitor that `local` checks every 10 s by default. */
    create(fields: object = {}): Promise<Monitor> {
      made += 1;
      const config = { url: 'https://shop.example.com/' };
      const body = { name: `Monitor ${made}`, type: 'http', config, interval_seconds: 10, ...fields };
      return app.alice.ok('POST', `/projects/${projectId}/monitors`, body);
    },
    read: ({ id }: Monitor) => app.alice.ok<Monitor>('GET', `/monitors/${id}`),
    change: ({ id }: Monitor, fields: object) => app.alice.ok<Monitor>('PATCH', `/monitors/${id}`, fields),
    /** Each a second after the one before. */
    async say({ id }: Monitor, ...said: Said[]): Promise<void> {
      for (const status of said) {
        app.clock.advance(1000);
        await app.probe().says(id, status);
      }
    },
    /** Of several monitors in one batch, a second later. */
    async sayTogether(monitors: readonly Monitor[], status: Said): Promise<void> {
      app.clock.advance(1000);
      await app.probe().post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), status)));
    },
    incidentsOf,
    detail,
    /** The newest incident of a monitor; fails if there is none. */
    async incidentOf(monitor: Monitor): Promise<IncidentDetail> {
      const [newest] = await incidentsOf(monitor);
      if (!newest) throw new Error(`${monitor.name} has no incident`);
      return detail(newest.id);
    },
    timeline: (incidentId: string) =>
      app.alice.ok<TimelineEntry[]>('GET', `/organizations/${orgId}/incidents/${incidentId}/timeline`),
  };
}
