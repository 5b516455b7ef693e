// Every operation that takes an id is called with one of another organization: in the path, in the query, in the body.
// A body field that names something and is not listed here fails, so that none is added without its refusal.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { OPERATIONS } from '#src/operations.ts';
import type { Operation } from '#src/platform/contract.ts';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { makeWitness, type Witness } from '#test/harness/fingerprint.ts';
import { SAMPLES } from '#test/harness/operation-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey, makeScene, type Scene } from '#test/harness/scene.ts';
import type { Ids } from '#test/harness/scene-ids.ts';

let app: TestApp;
let anna: Person;
let annas: Scene;
let bertas: Scene;
let annasKey: string;
let witness: Witness;
before(async () => {
  app = await startAppOfFile();
  anna = await app.person('anna');
  annas = await makeScene(app, anna);
  bertas = await makeScene(app, await app.person('berta'));
  annasKey = (await grantKey(app, annas.ids.org_id)).key;
  witness = makeWitness(app.db);
});

const ROOT: Partial<Record<Operation['resource'], keyof Ids>> = {
  organization: 'org_id',
  project: 'project_id',
  monitor: 'monitor_id',
  alert_profile: 'profile_id',
  status_page: 'id',
};
const parametersOf = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Ids);

function pathOf(operation: Operation, foreign: keyof Ids | null): string {
  const ids = { ...annas.ids, ...(SAMPLES[operation.id]?.params?.(annas) ?? {}) };
  if (foreign) ids[foreign] = bertas.ids[foreign];
  return operation.path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
}

/** By anna's session and, where keys are taken, by a key of her organization: both are answered alike. */
async function assertBothRefused(
  operation: Operation,
  path: string,
  body: unknown,
  refusal: { status: number; error: string; field?: string },
): Promise<void> {
  await witness.look();
  const answers: Answer[] = [await anna.send(operation.method, path, body)];
  if (operation.scope) {
    const headers = { authorization: `Bearer ${annasKey}` };
    answers.push(await app.visitor().send(operation.method, path, body, headers));
  }
  for (const answer of answers) assertRefused(answer, refusal, `${operation.method} ${path}`);
  await witness.assertUnchanged('something was written');
}

const PERSONAL = OPERATIONS.filter(({ resource, right }) => resource !== 'none' && right !== 'operator');

describe('in the path', () => {
  for (const operation of PERSONAL)
    for (const name of parametersOf(operation)) {
      const refusal =
        name === ROOT[operation.resource]
          ? { status: 403, error: 'forbidden' }
          : { status: 404, error: 'not_found' };
      test(`${operation.id} answers ${refusal.status} to a foreign ${name}`, async () => {
        const body = SAMPLES[operation.id]?.body?.(annas);
        await assertBothRefused(operation, pathOf(operation, name), body, refusal);
      });
    }
});

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };
const propertiesOf = (schema: unknown) => (schema as Schema).properties ?? {};

/** `before` of a list, where it names a row of that list: by which parameter of the scene. */
const CURSORS: Record<string, keyof Ids> = {
  listProjects: 'project_id',
  listMembers: 'user_id',
  listInvitations: 'invitation_id',
  listApiKeys: 'key_id',
  listAlertProfiles: 'profile_id',
  listWebhookTargets: 'target_id',
  listMonitors: 'monitor_id',
  listAllMonitors: 'monitor_id',
  listIncidents: 'incident_id',
  listMaintenanceWindows: 'window_id',
  listWebhookDeliveries: 'delivery_id',
  listStatusPageSubscribers: 'sub_id',
  listAgents: 'agent_id',
  listAgentCurves: 'agent_id',
};
/** Lists whose cursor is not tried here; with the reason why. */
const NO_SCENE_CURSOR: Record<string, string> = {
  listChecks: 'a time, or a check of the monitor in the path: its id carries the monitor',
  listActivity: 'tested with the activity log',
  listAllOrganizations: 'the operator’s list has no tenants',
  listIncidentTimeline: 'an entry is looked for in the incident of the path only',
  listIncidentNotes: 'a note is looked for in the incident of the path only',
  listAgentEvents: 'a time of the host in the path',
  listEnrollmentTokens: 'tested with enrolment: the token of a scene’s path is a probe’s',
};

const takesCursor = ({ id, query }: Operation) =>
  query !== undefined && 'before' in propertiesOf(query) && !(id in NO_SCENE_CURSOR);

describe('in the query', () => {
  for (const operation of OPERATIONS.filter(takesCursor))
    test(`${operation.id} answers 404 to a foreign row as its cursor`, async () => {
      const name = CURSORS[operation.id];
      assert.ok(name, `${operation.id} takes a cursor that is not tried`);
      const path = `${pathOf(operation, null)}?before=${bertas.ids[name]}`;
      const answer = await anna.send('GET', path + (operation.id === 'listIncidents' ? '&status=all' : ''));
      assertRefused(answer, { status: 404, error: 'not_found' }, path);
    });
});

/** Dotted paths of body fields that name something: `id`, `…_id`, `…_ids`. */
function idFields(schema: Schema, at = ''): string[] {
  const inside = [schema, schema.items ?? {}, ...(schema.anyOf ?? [])];
  return inside
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .flatMap(([name, field]) => [
      ...(/(^|_)ids?$/.test(name) ? [at + name] : []),
      ...idFields(field, `${at}${name}.`),
    ]);
}

/** `at`: where it is put, where that is not the field itself; `error`: invalid_request unless told otherwise. */
type Ref = { value: (ids: Ids) => unknown; field: string; at?: string; error?: string };
const scalar = (name: keyof Ids, field: string): Ref => ({ value: (ids) => ids[name], field });
const list = (name: keyof Ids, field: string): Ref => ({ value: (ids) => [ids[name]], field });

/** Every body field that names something, and how it is refused: 400 with the field. */
const IN_BODIES: Record<string, Ref> = {
  'renameOrganization id': scalar('org_id', 'id'),
  'updateMember user_id': scalar('user_id', 'user_id'),
  'updateMe user_id': scalar('user_id', 'user_id'),
  'createApiKey project_ids': list('project_id', 'project_ids'),
  'createWebhookTarget project_ids': list('project_id', 'project_ids'),
  'updateWebhookTarget project_ids': list('project_id', 'project_ids'),
  'createApiKey monitor_ids': list('monitor_id', 'monitor_ids'),
  'renameProject id': scalar('project_id', 'id'),
  'renameProject organization_id': scalar('org_id', 'organization_id'),
  'updateMonitor id': scalar('monitor_id', 'id'),
  'updateMonitor project_id': scalar('project_id', 'project_id'),
  'cloneMonitor project_id': scalar('project_id', 'project_id'),
  'subscribeToReport project_id': scalar('project_id', 'project_id'),
  'subscribeToReport status_page_id': scalar('id', 'status_page_id'),
  'createIncident monitor_id': scalar('monitor_id', 'monitor_id'),
  'testMonitor monitor_id': scalar('monitor_id', 'monitor_id'),
  'putOnCallSettings manual_duty_user_id': scalar('user_id', 'manual_duty_user_id'),
  'putOnCallSettings current_duty_user_id': scalar('user_id', 'current_duty_user_id'),
  'createOnCallOverride user_id': scalar('user_id', 'user_id'),
  'startFireDrill user_id': scalar('user_id', 'user_id'),
  'putOnCallRoster members.user_id': {
    value: ({ user_id }) => [{ position: 0, user_id }],
    field: 'members',
    at: 'members',
    error: 'no_resolvable_member',
  },
  'updateMaintenanceWindow id': scalar('window_id', 'id'),
  'updateMaintenanceWindow series_id': scalar('window_id', 'series_id'),
  'updateWebhookTarget id': scalar('target_id', 'id'),
  'updateAlertProfile id': scalar('profile_id', 'id'),
  'updateStatusPage id': scalar('id', 'id'),
  'updateStatusPage organization_id': scalar('org_id', 'organization_id'),
  'previewStatusPage settings.id': scalar('id', 'id'),
  'previewStatusPage settings.organization_id': scalar('org_id', 'organization_id'),
  'previewStatusPage monitors.monitor_id': {
    value: ({ monitor_id }) => [{ monitor_id }],
    field: 'monitors.0.monitor_id',
    at: 'monitors',
  },
  'setStatusPageMonitors monitors.monitor_id': {
    value: ({ monitor_id }) => [{ monitor_id }],
    field: 'monitors.0.monitor_id',
    at: 'monitors',
  },
  'updateAgent id': scalar('agent_id', 'id'),
  'createMonitor policy.alert_profile_id': scalar('profile_id', 'policy.alert_profile_id'),
  'updateMonitor policy.alert_profile_id': scalar('profile_id', 'policy.alert_profile_id'),
  'replayPolicy policy.alert_profile_id': scalar('profile_id', 'policy.alert_profile_id'),
};

/** Ids that mean nothing outside their own sender. */
const OWN_WORDS = [
  'postProbeResults probe_id',
  'postProbeResults results.monitor_id',
  'leaveProbe probe_id',
  'postProbeTestResult probe_id',
  'postProbeTestResult test_id',
  'postProbeCapsule probe_id',
  'postProbeCapsule capsule_id',
  'enrollAgent enrollment_id', // counts with its token only
  'reauthenticate passkey.id', // an authenticator's name for itself: the library looks among one's own
];

/** Each monitor is answered by itself: tested with the monitors of all projects, and with many made at once. */
const ANSWERED_EACH = [
  'createMonitors monitors.policy.alert_profile_id',
  'changeMonitors monitor_ids',
  'changeMonitors alert_profile_id',
  'changeMonitors project_id', // refused as a whole, with the action that takes it
];

/** The operator has no tenants: tested with the operator's operations. */
const OPERATORS_WORDS = ['setOrganizationPlan id'];

describe('in the body', () => {
  for (const operation of OPERATIONS.filter(({ body }) => body))
    for (const field of idFields(operation.body as Schema)) {
      const name = `${operation.id} ${field}`;
      if ([...OWN_WORDS, ...ANSWERED_EACH, ...OPERATORS_WORDS].includes(name)) continue;
      test(`${operation.id} refuses a foreign ${field}`, async () => {
        const ref = IN_BODIES[name];
        assert.ok(ref, `the body field ${field} of ${operation.id} names something and is not tried`);
        const body = structuredClone(SAMPLES[operation.id]?.body?.(annas)) as Record<string, unknown>;
        put(body, ref.at ?? field, ref.value(bertas.ids));
        const refusal = { status: 400, error: ref.error ?? 'invalid_request', field: ref.field };
        await assertBothRefused(operation, pathOf(operation, null), body, refusal);
      });
    }
});

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) target[first] = value;
  else {
    target[first] ??= {};
    put(target[first] as Record<string, unknown>, rest.join('.'), value);
  }
}

test('a probe neither receives monitors of other regions nor reports on them', async () => {
  const elsewhere = await app.region('elsewhere');
  const assignments = await elsewhere.assignments();
  assert.deepEqual(assignments.monitors, []);
  const answer = await elsewhere.says(annas.ids.monitor_id, 'down');
  assert.equal((answer as { ignored: number }).ignored, 1);
});
