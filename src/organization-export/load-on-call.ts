// Writes the on-call settings of an export. People are named by address, and keep their place if they are members here.
import { refuseInvalid } from '../on-call/settings.ts';
import { Refusal } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { DataOf, LineKind } from './format.ts';
import * as into from './insert.ts';
import { insertRows } from './insert.ts';
import { BrokenLine } from './read-lines.ts';

type Loaded = { work: Work; orgId: string; userIds: ReadonlyMap<string, string> };
type LinesOf<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

const userOf = ({ userIds }: Loaded, email: string | null) =>
  email === null ? null : (userIds.get(email.toLowerCase()) ?? null);

export async function loadOnCallSettings(loaded: Loaded, lines: LinesOf<'on_call_settings'>): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    try {
      refuseInvalid(data);
    } catch (error) {
      if (error instanceof Refusal) throw new BrokenLine(number, error.message);
      throw error;
    }
    const manual_duty_user_id = userOf(loaded, data.manual_duty_email);
    return { ...data, org_id: loaded.orgId, manual_duty_user_id };
  });
  await insertRows(loaded.work.tx, 'on_call_settings', into.ON_CALL_SETTINGS, rows);
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
    await insertRows(tx, 'on_call_roster_members', into.ON_CALL_ROSTER_MEMBER, members);
  }
}
