// Whether what a monitor names may be named by it: of the same organization, within the reach of the key, in no cycle
// (docs/rules/errors-and-conventions.md#ids-in-a-body, docs/rules/access.md#narrowed-keys,
// docs/rules/confirmation.md#dependencies). What it named before is not asked about again: it may be changed one by one.
import { sql } from 'kysely';
import type { Within } from '../platform/http/caller.ts';
import { sees } from '../platform/http/within.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';
import { quoted } from './quoted.ts';
import { agentOf, membersOf, type References } from './references.ts';

const MOST_DEPENDENCIES = 10;

type Naming = { id: string | null; orgId: string };
type List = { field: string; ids: readonly string[]; before: readonly string[] };

/** `whose` names; its id is null where it is being made. `before` is what it named so far. Under `lockReferences`. */
export async function admitReferences(
  tx: Tx,
  whose: Naming,
  named: References,
  before: References | null,
  within: Within,
): Promise<void> {
  await admitAgent(tx, whose, agentOf(named), before ? agentOf(before) : null);
  const members: List = {
    field: 'config.members',
    ids: membersOf(named),
    before: before ? membersOf(before) : [],
  };
  if (named.type === 'group' && members.ids.length === 0 && !isEmptyGroup(before))
    refuse('invalid_request', 'config.members must name at least one monitor.', { field: 'config.members' });
  await admitList(tx, whose, members, within);
  if (await leadsBack(tx, whose, members.ids, MEMBERS_OF_GROUP))
    refuseCycle(members, 'names a group that this one is a member of, directly or through others');

  const dependsOn: List = { field: 'depends_on', ids: named.dependsOn, before: before?.dependsOn ?? [] };
  if (dependsOn.ids.length > MOST_DEPENDENCIES)
    refuse('invalid_request', `depends_on must name at most ${MOST_DEPENDENCIES} monitors.`, {
      field: 'depends_on',
    });
  await admitList(tx, whose, dependsOn, within);
  if (await leadsBack(tx, whose, dependsOn.ids, sql`m.depends_on`))
    refuseCycle(dependsOn, 'names a monitor that depends on this one, directly or through others');
}

const isEmptyGroup = (before: References | null): boolean =>
  before !== null && before.type === 'group' && membersOf(before).length === 0;

async function admitAgent(
  tx: Tx,
  { orgId }: Naming,
  agentId: string | null,
  before: string | null,
): Promise<void> {
  if (agentId === null || agentId === before) return;
  const found = await tx
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('org_id', '=', orgId)
    .forKeyShare()
    .executeTakeFirst();
  if (!found)
    refuse('foreign_agent', `config.agent_id ${quoted(agentId)} is no agent of this organization.`, {
      field: 'config.agent_id',
    });
}

async function admitList(
  tx: Tx,
  { id, orgId }: Naming,
  { field, ids, before }: List,
  within: Within,
): Promise<void> {
  if (new Set(ids).size !== ids.length)
    refuse('invalid_request', `${field} must not name a monitor twice.`, { field });
  if (id !== null && ids.includes(id))
    refuse('invalid_request', `${field} must not name the monitor itself.`, { field });
  const added = ids.filter((each) => !before.includes(each));
  if (added.length === 0) return;
  const rows = await tx
    .selectFrom('monitors')
    .select(['id', 'project_id'])
    .where('id', 'in', added)
    .where('org_id', '=', orgId)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row.project_id]));
  const unknown = added.find((each) => !known.has(each));
  if (unknown !== undefined)
    refuse(
      'invalid_request',
      `${field} names ${quoted(unknown)}, which is no monitor of this organization.`,
      {
        field,
      },
    );
  const outside = added.find(
    (monitorId) => !sees(within, { monitorId, projectId: known.get(monitorId) ?? null }),
  );
  if (outside !== undefined)
    refuse('forbidden', `${field} names ${outside}: this key is narrowed to other projects or monitors.`, {
      field,
    });
}

const MEMBERS_OF_GROUP = sql`ARRAY(SELECT jsonb_array_elements_text(CASE m.type WHEN 'group' THEN m.config -> 'members' END))`;

/** Whether the monitor itself is reached from `ids`, following what `next` says of each monitor `m`. */
async function leadsBack(
  tx: Tx,
  { id, orgId }: Naming,
  ids: readonly string[],
  next: typeof MEMBERS_OF_GROUP,
): Promise<boolean> {
  // One that is being made is named by nobody yet.
  if (id === null || ids.length === 0) return false;
  const { rows } = await sql`
    WITH RECURSIVE reached (id) AS (
      SELECT unnest(${[...ids]}::text[])
      UNION
      SELECT unnest(${next}) FROM reached JOIN monitors m ON m.id = reached.id AND m.org_id = ${orgId}
    )
    SELECT FROM reached WHERE id = ${id}`.execute(tx);
  return rows.length > 0;
}

function refuseCycle({ field }: List, what: string): never {
  refuse('invalid_request', `${field} ${what}.`, { field });
}
