// Writes the on-call settings of an export. People are named by address, and keep their place if they are members here.
import { DEFAULTS } from '../on-call/on-call-config.ts';
import { refuseInvalid } from '../on-call/settings.ts';
import { newId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { DataOf, LineKind } from './format.ts';
import { type Columns, insertRows } from './insert.ts';
import { BrokenLine } from './read-lines.ts';

const ON_CALL_SETTINGS: Columns = {
  org_id: 'text',
  enabled: 'boolean',
  timezone: 'text',
  rotation_mode: 'text',
  channel_step_minutes: 'int',
  escalation_stage1_minutes: 'int',
  escalation_stage2_minutes: 'int',
  reminder_minutes: 'int',
  manual_duty_user_id: 'text',
};

const ON_CALL_OVERRIDE: Columns = {
  id: 'text',
  org_id: 'text',
  user_id: 'text',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
  created_at: 'timestamptz',
};

const ON_CALL_ROSTER_MEMBER: Columns = { org_id: 'text', position: 'int', user_id: 'text' };

type Loaded = { work: Work; orgId: string; userIds: ReadonlyMap<string, string> };
type LinesOf<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

const userOf = ({ userIds }: Loaded, email: string | null) =>
  email === null ? null : (userIds.get(email.toLowerCase()) ?? null);

export async function loadOnCallSettings(loaded: Loaded, lines: LinesOf<'on_call_settings'>): Promise<void> {
  const rows = lines.map(({ number, data: given }) => {
    const data = { ...given, reminder_minutes: given.reminder_minutes ?? DEFAULTS.reminder_minutes };
    try {
      refuseInvalid(data);
    } catch (error) {
      if (error instanceof Refusal) throw new BrokenLine(number, error.message);
      throw error;
    }
    const manual_duty_user_id = userOf(loaded, data.manual_duty_email);
    return { ...data, org_id: loaded.orgId, manual_duty_user_id };
  });
  await insertRows(loaded.work.tx, 'on_call_settings', ON_CALL_SETTINGS, rows);
}

/** The place of a person without an account here stays: their week is a gap until the roster is set again. */
export async function loadOnCallRoster(loaded: Loaded, lines: LinesOf<'on_call_roster'>): Promise<void> {
  const { tx } = loaded.work;
  for (const { data } of lines) {
    await tx.insertInto('on_call_rosters').values({ org_id: loaded.orgId, set_at: data.set_at }).execute();
    const members = data.member_emails.map((email, position) => ({
      org_id: loaded.orgId,
      position,
      user_id: userOf(loaded, email),
    }));
    await insertRows(tx, 'on_call_roster_members', ON_CALL_ROSTER_MEMBER, members);
  }
}

/** Left out for people without an account here: nobody else took their shift. */
export async function loadOnCallOverrides(loaded: Loaded, lines: LinesOf<'on_call_override'>): Promise<void> {
  const rows = lines.flatMap(({ number, data: { id = newId('ovr'), member_email, ...data } }) => {
    if (Date.parse(data.ends_at) <= Date.parse(data.starts_at))
      throw new BrokenLine(number, 'ends_at must be after starts_at.');
    const user_id = userOf(loaded, member_email);
    return user_id === null ? [] : { ...data, id, org_id: loaded.orgId, user_id };
  });
  await insertRows(loaded.work.tx, 'on_call_overrides', ON_CALL_OVERRIDE, rows);
}
