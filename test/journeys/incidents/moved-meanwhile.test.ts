// Incidents that open while their monitor moves to another project.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { lockDestination, moveMonitor } from '#src/monitors/all/move.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

const isWaiting = async () => (await waitingStatements(app.db, 'monitor_state')) > 0;

for (const origin of ['manual', 'automatic'] as const)
  test(`${origin}: an incident that opens while its monitor moves is in the project to which it moves`, async () => {
    const { orgId, projectId: old } = await app.place();
    const path = `/organizations/${orgId}/projects`;
    const { id: target } = await app.alice.ok<{ id: string }>('POST', path, { name: 'Target' });
    const { id } = await app.alice.ok<Monitor>('POST', `/projects/${old}/monitors`, {
      ...{ name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' } },
      policy: { alarm_consecutive: 1 },
    });
    const open = () =>
      origin === 'automatic'
        ? app.probe().says(id, 'down')
        : app.alice.ok('POST', `/organizations/${orgId}/incidents`, {
            ...{ severity: 'default', cause: 'No power', monitor_id: id },
          });
    let opening: Promise<unknown> | null = null;
    await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
      await lockDestination(work, orgId, target, null);
      await moveMonitor(work, id, target, { baseUrl: app.url } as never);
      opening = open();
      await until(isWaiting, 'the incident waits for the move');
    });
    await opening;
    const incidents = await app.alice.ok<IncidentDetail[]>('GET', `/organizations/${orgId}/incidents`);
    assert.equal(incidents.length, 1);
    const row = await app.db
      .selectFrom('incidents')
      .select('project_id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow();
    assert.equal(row.project_id, target);
    assert.equal((await app.alice.send('DELETE', `/projects/${old}`)).status, 204);
  });
