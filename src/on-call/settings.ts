import { recordActivity } from '../activity/record.ts';
import { canonicalZone, isTimezone } from '../domain/cron.ts';
import { dutyAt } from '../domain/rotation.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { wakeDeferred } from './alarm/escalation-job.ts';
import type { OnCallSettings, putOnCallSettings } from './contract.ts';
import { DEFAULTS, type OnCall, readOnCall, type StoredSettings } from './on-call-config.ts';

type Body = BodyOf<typeof putOnCallSettings>;

/** The settings; defaults where none were written. */
export async function getSettings(db: Database, orgId: string, now: Date): Promise<OnCallSettings> {
  return show(await readOnCall(db, orgId, now), now);
}

/**
 * Writes settings. Omitted and null fields keep their value, except that null clears `manual_duty_user_id`. The merged
 * settings are validated: stage 2 may not come before stage 1.
 */
export async function putSettings(work: Work, orgId: string, body: Body): Promise<OnCallSettings> {
  const { tx, now } = work;
  // Concurrent writers wait for this row, and merge one after the other.
  await tx
    .insertInto('on_call_settings')
    .values({ org_id: orgId, ...DEFAULTS })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ org_id: orgId }))
    .execute();
  const before = await readOnCall(tx, orgId, now);
  const { entitled, current_duty_user_id } = body;
  refuseChangedReadOnly({ entitled, current_duty_user_id }, show(before, now));
  const settings = merge(before.settings, body);
  refuseInvalid(settings, body);
  await refuseNonMember(tx, orgId, settings.manual_duty_user_id);
  // A person who is a viewer for a while reads as null, and is still named.
  const { manual_duty_user_id: named, ...others } = settings;
  const written = body.manual_duty_user_id === undefined ? others : { ...others, manual_duty_user_id: named };
  await tx.updateTable('on_call_settings').set(written).where('org_id', '=', orgId).execute();
  if (settings.enabled && !before.settings.enabled) await wakeDeferred(tx, orgId);
  await recordActivity(work, {
    orgId,
    action: 'on_call.configure',
    resource: { kind: 'on_call', id: orgId, name: null },
    before: before.settings,
    after: settings,
  });
  return show(await readOnCall(tx, orgId, now), now);
}

function show(onCall: OnCall, now: Date): OnCallSettings {
  const { settings, entitled, rotation } = onCall;
  return { ...settings, entitled, current_duty_user_id: dutyAt(rotation, now.getTime()).userId };
}

function merge(before: StoredSettings, body: Body): StoredSettings {
  return {
    enabled: body.enabled ?? before.enabled,
    timezone: body.timezone == null ? before.timezone : canonicalZone(body.timezone),
    rotation_mode: body.rotation_mode ?? before.rotation_mode,
    channel_step_minutes: body.channel_step_minutes ?? before.channel_step_minutes,
    escalation_stage1_minutes: body.escalation_stage1_minutes ?? before.escalation_stage1_minutes,
    escalation_stage2_minutes: body.escalation_stage2_minutes ?? before.escalation_stage2_minutes,
    reminder_minutes: body.reminder_minutes ?? before.reminder_minutes,
    manual_duty_user_id:
      body.manual_duty_user_id === undefined ? before.manual_duty_user_id : body.manual_duty_user_id,
  };
}

/** A shorter interval would remind people before they can respond to the last reminder. */
const MIN_REMINDER_MINUTES = 5;

/**
 * Refuses an unknown time zone, reminders at less than five minutes, and a stage 2 before stage 1, naming the field that
 * `changed` contains.
 */
export function refuseInvalid(
  settings: Omit<StoredSettings, 'manual_duty_user_id'>,
  changed: Partial<Record<keyof StoredSettings, unknown>> = settings,
): void {
  if (!isTimezone(settings.timezone))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  const { reminder_minutes } = settings;
  if (reminder_minutes !== 0 && reminder_minutes < MIN_REMINDER_MINUTES)
    refuse('invalid_request', 'reminder_minutes must be 0 (no reminders), or from 5 to 1440.', {
      field: 'reminder_minutes',
    });
  if (settings.escalation_stage2_minutes >= settings.escalation_stage1_minutes) return;
  const field =
    changed.escalation_stage2_minutes == null ? 'escalation_stage1_minutes' : 'escalation_stage2_minutes';
  refuse('invalid_request', `${field}: stage 2 must not come before stage 1.`, { field });
}

async function refuseNonMember(tx: Tx, orgId: string, userId: string | null): Promise<void> {
  if (userId === null) return;
  const member = await tx
    .selectFrom('members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('role', '<>', 'viewer')
    .executeTakeFirst();
  if (!member)
    refuse('invalid_request', 'manual_duty_user_id must be a member of the organization, and no viewer.', {
      field: 'manual_duty_user_id',
    });
}
