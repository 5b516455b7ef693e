// Changes many monitors in one transaction. Each is accepted or refused by itself, by the rules of a single change; a refusal
// comes before the first write of its monitor, so the others are still changed.
import { sql } from 'kysely';
import { lockAlarmPolicy } from '#src/alarm-policy/lock.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { seenIn } from '#src/platform/http/within.ts';
import { Refusal, refuse } from '#src/platform/refusals.ts';
import { checkedTags } from '#src/platform/tags.ts';
import type { Work } from '#src/platform/work.ts';
import type { MonitorUpdate } from '../contract.ts';
import { deleteMonitor } from '../delete.ts';
import { lockReferences } from '../references.ts';
import type { ShownAt } from '../row.ts';
import { lockTags } from '../tags-changed.ts';
import { updateMonitor } from '../update.ts';
import type { MonitorOptions } from '../validate.ts';
import type { BulkAction, ManyMonitors, MonitorAnswer } from './contract.ts';
import { lockDestination, moveMonitor } from './move.ts';

type Options = MonitorOptions & ShownAt;
type Found = { id: string; enabled: boolean; tags: string[]; profile_id: string | null };

/** The field that an action needs beside the monitors; the others must be absent. */
const FIELD: Partial<Record<BulkAction, 'tags' | 'alert_profile_id' | 'project_id'>> = {
  add_tags: 'tags',
  remove_tags: 'tags',
  set_profile: 'alert_profile_id',
  move: 'project_id',
};
const FIELDS = ['tags', 'alert_profile_id', 'project_id'] as const;

/**
 * Returns an answer for each monitor, in the order of the request; one that is named twice is changed once and answered twice.
 */
export async function changeMonitors(
  work: Work,
  orgId: string,
  body: ManyMonitors,
  options: Options,
  within: ResourceFilter,
): Promise<MonitorAnswer[]> {
  refuseFields(body);
  const act = await prepare(work, orgId, body, options, within);
  const answers = new Map<string, MonitorAnswer>();
  for (const found of await find(work, orgId, body.monitor_ids, within))
    answers.set(found.id, await answerOf(found.id, () => act(found)));
  return body.monitor_ids.map(
    (id) =>
      answers.get(id) ??
      refused(id, new Refusal('not_found', 'There is no such monitor in this organization.')),
  );
}

function refuseFields(body: ManyMonitors): void {
  const needed = FIELD[body.action];
  if (needed !== undefined && body[needed] === undefined)
    refuse('invalid_request', `${needed} is required for the action ${body.action}.`, { field: needed });
  for (const field of FIELDS)
    if (field !== needed && body[field] !== undefined)
      refuse('invalid_request', `${field} means nothing to the action ${body.action}; leave it out.`, {
        field,
      });
}

/**
 * Takes the locks that come before those of monitors (docs/architecture.md, "Locks, in order"). Returns the function that
 * changes each monitor.
 */
async function prepare(
  work: Work,
  orgId: string,
  { action, tags, alert_profile_id: profileId = null, project_id: projectId = '' }: ManyMonitors,
  options: Options,
  within: ResourceFilter,
): Promise<(monitor: Found) => Promise<unknown>> {
  await lockAlarmPolicy(work.tx, orgId, 'shared');
  await lockReferences(work.tx, orgId);
  const named = checkedTags(tags ?? []);
  if (tags !== undefined) await lockTags(work.tx, orgId, 'shared');
  const update = (id: string, body: MonitorUpdate) => updateMonitor(work, id, body, options, within);
  const retag = ({ id, tags: before }: Found, after: string[]) =>
    new Set(after).size === before.length ? undefined : update(id, { tags: after });
  switch (action) {
    case 'pause':
      return async ({ id, enabled }) => (enabled ? update(id, { enabled: false }) : undefined);
    case 'resume':
      return async ({ id, enabled }) => (enabled ? undefined : update(id, { enabled: true }));
    case 'delete':
      return ({ id }) => deleteMonitor(work, id, options);
    case 'add_tags':
      return async (monitor) => retag(monitor, [...monitor.tags, ...named]);
    case 'remove_tags':
      return async (monitor) =>
        retag(
          monitor,
          monitor.tags.filter((tag) => !named.includes(tag)),
        );
    case 'set_profile':
      return async ({ id, profile_id: before }) =>
        before === profileId ? undefined : update(id, { policy: { alert_profile_id: profileId } });
    case 'move':
      await lockDestination(work, orgId, projectId, within);
      return ({ id }) => moveMonitor(work, id, projectId, options);
  }
}

/** Those of the organization that the key sees, locked in the order that every writer uses. */
async function find(
  { tx }: Work,
  orgId: string,
  ids: readonly string[],
  within: ResourceFilter,
): Promise<Found[]> {
  const seen = within ? seenIn(within, { project: 'project_id', monitor: 'id' }) : sql`true`;
  const { rows } = await sql<Found>`
    SELECT id, enabled, tags, alert_profile_id AS profile_id FROM monitors
    WHERE org_id = ${orgId} AND id = ANY(${ids}::text[]) AND ${seen} ORDER BY no FOR NO KEY UPDATE`.execute(
    tx,
  );
  return rows;
}

async function answerOf(id: string, act: () => Promise<unknown>): Promise<MonitorAnswer> {
  try {
    await act();
    return { monitor_id: id, done: true, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(id, error);
  }
}

function refused(id: string, refusal: Refusal): MonitorAnswer {
  const { error, message, field } = refusal.body();
  return {
    monitor_id: id,
    done: false,
    refusal: { error, message, ...(field ? { field } : {}) },
  };
}
