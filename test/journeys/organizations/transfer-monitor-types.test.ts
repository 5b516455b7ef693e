// Monitors of every type leave an installation and come into another as what they are (docs/rules/command-line.md#export,
// docs/rules/command-line.md#import).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATOR } from '#src/cli/open-installation.ts';
import { MONITOR_TYPES, type MonitorType } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { newId } from '#src/platform/ids.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { monitorSamples } from '#test/harness/monitor-samples.ts';

type MonitorData = {
  id: string;
  type: MonitorType;
  interval_seconds: number;
  regions: string[];
  depends_on?: string[];
  config: Record<string, unknown>;
};
type Line = { kind: string; data: MonitorData };

const dir = mkdtempSync(join(tmpdir(), 'tocsin-transfer-types-'));
after(() => rmSync(dir, { recursive: true }));

let source: TestApp;
let target: TestApp;
let place: Place;
let lines: Line[];
const monitors = new Map<string, Monitor>();

const newAgent = () => insertAgent(source.db, { orgId: place.orgId, at: source.clock.now() });

before(async () => {
  source = await startAppOfFile();
  place = await source.place();
  const path = `/projects/${place.projectId}/monitors`;
  const [agent, removed] = [await newAgent(), await newAgent()];
  let memberId = '';
  for (const type of MONITOR_TYPES) {
    const samples = monitorSamples({ agentId: (type === 'service' ? removed : agent).id, memberId });
    const secret = type === 'database' ? { password: 'top secret' } : {};
    const body = {
      name: type,
      type,
      config: { ...samples[type].full, ...secret },
      depends_on: memberId ? [memberId] : [],
    };
    const monitor = await source.alice.ok<Monitor>('POST', path, body);
    memberId = monitor.id;
    monitors.set(type, monitor);
  }
  await source.alice.ok('DELETE', `/organizations/${place.orgId}/agents/${removed.id}`);
  monitors.set('service', await source.alice.ok<Monitor>('GET', `/monitors/${idOf('service')}`));
  await exportOrganization({
    url: source.databaseUrl,
    organizationId: place.orgId,
    vault: source.vault,
    version: '0.0.0',
    now: source.clock.now(),
    file: (file, write) => writePrivateFile(join(dir, file), write),
  });
  lines = readFileSync(join(dir, LINES_FILE), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  target = await startAppOfFile({
    clock: source.clock,
    env: { SECRET_KEY: 'quite another key, long enough as well' },
  });
});

function importInto(app: TestApp, edit: (monitor: MonitorData) => Partial<MonitorData> = () => ({})) {
  const path = join(dir, 'given.jsonl');
  const edited = lines.map((line) =>
    line.kind === 'monitor' ? { ...line, data: { ...line.data, ...edit(line.data) } } : line,
  );
  writeFileSync(path, edited.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { db, vault, clock } = app;
  return importOrganization({
    db,
    vault,
    path,
    slug: null,
    plan: 'unlimited',
    now: clock.now(),
    actor: OPERATOR,
  });
}
const of = (type: MonitorType, fields: Partial<MonitorData>) => (monitor: MonitorData) =>
  monitor.type === type ? fields : {};
const idOf = (type: MonitorType) => monitors.get(type)?.id ?? '';

const REFUSED: Record<string, [edit: (monitor: MonitorData) => Partial<MonitorData>, sentence: RegExp]> = {
  'a dependency that is not in the file': [
    of('tcp', { depends_on: [newId('mon')] }),
    /its depends_on names mon_/,
  ],
  'a dependency named twice': [
    (monitor) => of('tcp', { depends_on: [idOf('http'), idOf('http')] })(monitor),
    /its depends_on/,
  ],
  'a cycle of dependencies': [
    (monitor) => of('http', { depends_on: [idOf('group')] })(monitor),
    /leads back to itself/,
  ],
  'a monitor that depends on itself': [
    (monitor) => of('http', { depends_on: [idOf('http')] })(monitor),
    /leads back to itself/,
  ],
  'a member that is not in the file': [
    of('group', { config: { members: [newId('mon')] } }),
    /its config.members names mon_/,
  ],
  'a group in itself': [
    (monitor) => of('group', { config: { members: [idOf('group')] } })(monitor),
    /leads back to itself/,
  ],
  'regions where there are none': [
    of('heartbeat', { regions: ['local'] }),
    /regions must be empty for type heartbeat/,
  ],
  'no regions where there are some': [of('tls', { regions: [] }), /regions must name at least one region/],
  'a domain that is asked about every minute': [
    of('domain', { interval_seconds: 60 }),
    /interval_seconds must be at least 3600/,
  ],
  'a config that is none': [
    of('udp', { config: { host: 'shop.example.com', port: 1, payload: 'x', encoding: 'hex' } }),
    /config.payload/,
  ],
};
for (const [what, [edit, sentence]] of Object.entries(REFUSED))
  test(`an import refuses ${what}`, async () => {
    await assert.rejects(importInto(target, edit), sentence);
  });

test('an import refuses an agent of another organization', async () => {
  const elsewhere = await target.place();
  const foreign = await insertAgent(target.db, { orgId: elsewhere.orgId, at: target.clock.now() });
  const edit = ({ type, config }: MonitorData) =>
    type === 'agent' ? { config: { ...config, agent_id: foreign.id } } : {};
  await assert.rejects(importInto(target, edit), /is an agent of another organization/);
});

test('monitors of every type are imported unchanged, and those that watch an agent are named', async () => {
  const imported = await importInto(target);
  assert.deepEqual(imported.withoutAgent.sort(), ['agent', 'service']);
  assert.equal(monitors.get('service')?.disabled_reason, 'Its agent web-1 was removed.');
  for (const type of MONITOR_TYPES) {
    const before = monitors.get(type)!;
    const monitor = await target.alice.ok<Monitor>('GET', `/monitors/${before.id}`);
    // A heartbeat goes on being called at the address it had, under the BASE_URL of this installation.
    assert.deepEqual(monitor, before, type);
    // What was read can still be sent back: an agent that is not here may stay until another is chosen.
    assert.deepEqual(await target.alice.ok('PATCH', `/monitors/${before.id}`, monitor), monitor);
  }
  const { monitors: assigned } = await target.probe().assignments();
  const database = assigned.find(({ monitor_id }) => monitor_id === idOf('database'));
  assert.equal((database!.config as { password: string }).password, 'top secret');
});
