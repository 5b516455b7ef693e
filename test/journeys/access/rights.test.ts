// Every operation of the OpenAPI document × every kind of caller, against what its contract declares. An operation
// without a sample fails here, so that none is added without being held to its rights.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { SCOPES } from '#src/api-keys/contract.ts';
import { OPERATIONS } from '#src/operations.ts';
import type { Operation, Right } from '#src/platform/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { makeWallToken } from '#src/walls/token.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Person, type Role, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { SAMPLES } from '#test/harness/operation-samples.ts';
import { assertErrorBody } from '#test/harness/refused.ts';
import { grantKey, makeScene, type Scene } from '#test/harness/scene.ts';

let app: TestApp;
/** Of the organization; nobody of them operates the installation. */
let people: Record<Role, Person>;
let stranger: Person;
let strangersOrgId: string;
/** For everything that changes nothing: refusals and reads. */
let shared: Scene;
/** For calls that change something and leave the same to be changed by the next one. */
let lasting: Scene;
/** For calls that leave nothing for the next one; each with what they have used up in it. */
const worn: { scene: Scene; gone: Set<string> }[] = [];
before(async () => {
  app = await startAppOfFile();
  const [owner, admin, manager, member, viewer] = await Promise.all(
    ['owner', 'admin', 'manager', 'member', 'viewer'].map((name) => app.person(name)),
  );
  people = { owner: owner!, admin: admin!, manager: manager!, member: member!, viewer: viewer! };
  stranger = await app.person('stranger');
  strangersOrgId = (await app.place(stranger)).orgId;
  shared = await newScene();
  lasting = await newScene();
});

/** Everybody who may be a caller. `operator` belongs to no organization of the scene. */
const CALLERS = [
  'nobody',
  'stranger',
  'viewer',
  'member',
  'manager',
  'admin',
  'owner',
  'operator',
  'key',
  'key without the scope',
  'key of another organization',
  'key narrowed to this project',
  'key narrowed to another project',
  'revoked key',
  'expired key',
  'probe token',
  'agent credential',
  'wall token',
] as const;
type CallerKind = (typeof CALLERS)[number];

const ROLES: readonly string[] = ['owner', 'admin', 'manager', 'member', 'viewer'];
/** Written out once more, so that a slip in the table of rights itself shows. */
const MAY: Record<
  Exclude<Right, 'public' | 'signed_in' | 'operator' | 'probe' | 'agent' | 'wall'>,
  readonly string[]
> = {
  member: ['owner', 'admin', 'manager', 'member'],
  project_management: ['owner', 'admin', 'manager'],
  member_management: ['owner', 'admin'],
  admin: ['owner', 'admin'],
  owner: ['owner'],
};

/** What a viewer changes all the same, because it is their own, or changes nothing. */
const OWN_OF_VIEWERS = new Set([
  'createOnCallCalendar',
  'deleteOnCallCalendar',
  'subscribeToReport',
  'unsubscribeFromReport',
  'replayPolicy',
  'hideFirstSteps',
]);

/** Of a narrowed key, the body must name its own monitors; the samples name the scene's. */
const NAMES_ITS_OWN = new Set(['createIncident', 'createMaintenanceWindow']);

type Expected = { status: number; error?: string };
const UNAUTHENTICATED = { status: 401, error: 'unauthenticated' };
const FORBIDDEN = { status: 403, error: 'forbidden' };

/** What a caller is answered, by the contract alone. */
function expected(operation: Operation, caller: CallerKind): Expected {
  const letIn = { status: SAMPLES[operation.id]?.letIn?.status ?? operation.status };
  const { right, resource, scope } = operation;
  // Public, but for people: whoever sends a Bearer credential is told so before the invitation is looked up.
  if (operation.id === 'acceptInvitation' && /key|token|credential/.test(caller))
    return { status: 401, error: 'key_not_accepted' };
  if (right === 'public') return letIn;
  if (right === 'probe') return caller === 'probe token' ? letIn : UNAUTHENTICATED;
  if (right === 'agent') return caller === 'agent credential' ? letIn : UNAUTHENTICATED;
  if (right === 'wall') return caller === 'wall token' ? letIn : UNAUTHENTICATED;
  if (caller === 'nobody') return UNAUTHENTICATED;
  if (/key|token|credential/.test(caller)) {
    if (scope === undefined) return { status: 401, error: 'key_not_accepted' };
    if (/revoked|expired|token|credential/.test(caller)) return UNAUTHENTICATED;
    if (caller === 'key without the scope') return FORBIDDEN;
    if (caller === 'key' || resource === 'none') return letIn;
    if (caller === 'key of another organization') return FORBIDDEN;
    if (resource === 'organization' && operation.narrowed !== 'filtered') return FORBIDDEN;
    // Of no project and no monitor.
    if (resource === 'alert_profile' || resource === 'status_page') return FORBIDDEN;
    if (caller === 'key narrowed to this project') return letIn;
    const namesChild = (operation.path.match(/\{/g) ?? []).length > 1;
    if (NAMES_ITS_OWN.has(operation.id)) return FORBIDDEN;
    return resource === 'organization' && !namesChild ? letIn : FORBIDDEN;
  }
  if (right === 'operator') return caller === 'operator' ? letIn : FORBIDDEN;
  if (right === 'signed_in') return letIn;
  if (caller === 'viewer') {
    const reads = operation.method === 'GET' || OWN_OF_VIEWERS.has(operation.id);
    return right === 'member' && reads ? letIn : FORBIDDEN;
  }
  if (SAMPLES[operation.id]?.forSomebodyElse) return MAY.admin.includes(caller) ? letIn : FORBIDDEN;
  return MAY[right].includes(caller) ? letIn : FORBIDDEN;
}

/** The smallest scopes that open the operation, and the most that do not. */
const without = (scope: string) =>
  SCOPES.filter((each) => each !== scope && each !== scope.replace(/:read$/, ':write'));

async function callAs(kind: CallerKind, operation: Operation, scene: Scene): Promise<Answer> {
  const client =
    kind === 'operator'
      ? app.alice
      : kind === 'stranger'
        ? stranger
        : ROLES.includes(kind)
          ? people[kind as Role]
          : app.visitor();
  const credential = await credentialOf(kind, operation, scene);
  const sample = SAMPLES[operation.id]!;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name, operation, scene));
  const url = sample.query ? `${path}?${sample.query}` : path;
  const headers: Record<string, string> = credential ? { authorization: `Bearer ${credential}` } : {};
  if (operation.id === 'streamOrganizationEvents')
    return statusOfStream(url, { ...headers, cookie: client.cookie() });
  return client.send(operation.method, url, sample.body?.(scene), headers);
}

function idOf(name: string, { id }: Operation, scene: Scene): string {
  const found = { ...scene.ids, ...SAMPLES[id]?.params?.(scene) }[name];
  assert.ok(found, `the scene has no ${name}`);
  return found;
}

const credentials = new Map<string, Promise<string | null>>();

/** The credential of a caller; calls with the same rights in the same place share it. */
function credentialOf(kind: CallerKind, operation: Operation, scene: Scene): Promise<string | null> {
  const { ids } = scene;
  const projectId = SAMPLES[operation.id]?.params?.(scene).project_id ?? ids.project_id;
  const name = [kind, ids.org_id, projectId, operation.scope].join(' ');
  const credential = credentials.get(name) ?? newCredential(kind, operation, scene);
  credentials.set(name, credential);
  return credential;
}

async function newCredential(kind: CallerKind, operation: Operation, scene: Scene): Promise<string | null> {
  const { scope } = operation;
  const { ids } = scene;
  const projects = [ids.project_id, scene.emptyProjectId];
  const projectId = SAMPLES[operation.id]?.params?.(scene).project_id ?? ids.project_id;
  const own = scope ? [scope] : SCOPES;
  switch (kind) {
    case 'key':
      return (await grantKey(app, ids.org_id, { scopes: own })).key;
    case 'key without the scope':
      return (await grantKey(app, ids.org_id, { scopes: scope ? without(scope) : SCOPES })).key;
    case 'key of another organization':
      return (await grantKey(app, strangersOrgId)).key;
    case 'key narrowed to this project':
      return (await grantKey(app, ids.org_id, { projectIds: [projectId] })).key;
    case 'key narrowed to another project':
      return (await grantKey(app, ids.org_id, { projectIds: projects.filter((id) => id !== projectId) })).key;
    case 'revoked key': {
      const { id, key } = await grantKey(app, ids.org_id);
      await people.owner.ok('DELETE', `/organizations/${ids.org_id}/api-keys/${id}`);
      return key;
    }
    case 'expired key': {
      const { id, key } = await grantKey(app, ids.org_id);
      const expires_at = new Date(app.clock.ms() - 1);
      await app.db.updateTable('api_keys').set({ expires_at }).where('id', '=', id).execute();
      return key;
    }
    case 'probe token':
      return app.probe().token;
    case 'agent credential':
      return (await insertAgent(app.db, { orgId: ids.org_id!, at: app.clock.now() })).credential;
    case 'wall token': {
      const token = makeWallToken();
      await app.db
        .insertInto('wall_links')
        .values({
          ...{ id: newId('wll'), org_id: ids.org_id, name: 'Hall', hash: hashToken(token) },
          created_at: app.clock.now(),
        })
        .execute();
      return token;
    }
    default:
      return null;
  }
}

/** A stream has no end to wait for. */
async function statusOfStream(url: string, headers: Record<string, string>): Promise<Answer> {
  const abort = new AbortController();
  const response = await fetch(app.url + url, { headers, signal: abort.signal });
  const body = response.ok ? '' : await response.json();
  abort.abort();
  return { status: response.status, body, headers: response.headers };
}

const newScene = () =>
  makeScene(
    app,
    people.owner,
    (['admin', 'manager', 'member', 'viewer'] as const).map((role) => ({ person: people[role], role })),
  );

test('the test covers exactly the operations of the OpenAPI document', async () => {
  const document = await app
    .visitor()
    .ok<{ paths: Record<string, Record<string, { operationId: string }>> }>('GET', '/openapi.json');
  const described = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  assert.deepEqual(described.toSorted(), Object.keys(SAMPLES).toSorted());
});

for (const operation of OPERATIONS)
  describe(`${operation.method} ${operation.path}`, () => {
    for (const caller of CALLERS) {
      const { status, error } = expected(operation, caller);
      test(`answers ${status} to: ${caller}`, async () => {
        const changes = status < 300 && operation.method !== 'GET';
        const scene = changes ? await sceneForWriting(operation) : shared;
        const answer = await callAs(caller, operation, scene);
        const said = JSON.stringify(answer.body);
        assert.equal(answer.status, status, said);
        if (status >= 400) assertErrorBody(answer.body);
        if (error) assert.equal((answer.body as { error: string }).error, error, said);
        if (status < 300) await assertRecorded(operation, caller, scene);
      });
    }
    if (operation.orSelf)
      test('everybody may call it for themselves', async () => {
        const { ids } = await newScene();
        for (const role of ['viewer', 'member', 'manager', 'admin'] as const) {
          const path = operation.path
            .replace('{org_id}', ids.org_id)
            .replace(`{${operation.orSelf}}`, people[role].userId);
          assert.equal((await people[role].send(operation.method, path)).status, operation.status);
        }
      });
  });

/** Whether a call leaves nothing for the next one. */
const usesUp = ({ id, method }: Operation) => method === 'DELETE' || SAMPLES[id]?.usesUp === true;

/** With them goes what other operations name by ids of its own. */
const ROOTS = ['org_id', 'project_id', 'monitor_id', 'user_id'];

/** A scene in which everything that the operation names is there. One is made in the time of dozens of calls. */
async function sceneForWriting(operation: Operation): Promise<Scene> {
  if (!usesUp(operation)) return lasting;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const last = names.at(-1) ?? 'org_id';
  if (ROOTS.includes(last)) return newScene();
  const isWhole = ({ scene, gone }: (typeof worn)[number]) => {
    const named = JSON.stringify([
      names.map((name) => idOf(name, operation, scene)),
      SAMPLES[operation.id]?.body?.(scene) ?? null,
    ]);
    return ![...gone].some((id) => named.includes(id));
  };
  const found = worn.find(isWhole) ?? { scene: await newScene(), gone: new Set<string>() };
  if (!worn.includes(found)) worn.push(found);
  found.gone.add(idOf(last, operation, found.scene));
  return found.scene;
}

/** Every write is in the activity log of the organization, under the caller's name. */
async function assertRecorded(operation: Operation, caller: CallerKind, { ids }: Scene): Promise<void> {
  if (operation.method === 'GET' || operation.resource === 'none') return;
  if (SAMPLES[operation.id]?.unrecorded) return;
  const { rows } = await sql<{ actor_kind: string; actor_id: string }>`
    SELECT actor_kind, actor_id FROM activity WHERE org_id = ${ids.org_id} ORDER BY id DESC LIMIT 1`.execute(
    app.db,
  );
  const [latest] = rows;
  assert.ok(latest, 'nothing is recorded');
  const kind = caller === 'operator' ? 'operator' : ROLES.includes(caller) ? 'user' : 'key';
  assert.equal(latest.actor_kind, kind);
  if (kind === 'user') assert.equal(latest.actor_id, people[caller as Role].userId);
  if (kind === 'operator') assert.equal(latest.actor_id, app.alice.userId);
}
