// On-call, where none is set up. People are found by their address among the members of this organization, and nowhere else.
import { membersByAddress } from '../members/by-address.ts';
import { putOnCallSettings } from '../on-call/contract.ts';
import { DEFAULTS } from '../on-call/on-call-config.ts';
import { putRoster } from '../on-call/roster.ts';
import { putSettings, refuseInvalid } from '../on-call/settings.ts';
import { hasCapability } from '../organizations/rights.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { attempt, type Importing } from './importing.ts';

export async function importOnCall(importing: Importing): Promise<void> {
  const { work, orgId, given, hadMonitors } = importing;
  const { tx } = work;
  const people = await membersByAddress(tx, orgId);
  const isThere = async (table: 'on_call_settings' | 'on_call_rosters') =>
    (await tx.selectFrom(table).select('org_id').where('org_id', '=', orgId).executeTakeFirst()) !==
    undefined;
  const isOn = async () =>
    (await tx
      .selectFrom('on_call_settings')
      .select('org_id')
      .where('org_id', '=', orgId)
      .where('enabled', '=', true)
      .executeTakeFirst()) !== undefined;
  const refuseWithoutPlan = async () => {
    if (!(await hasCapability(tx, orgId, 'on_call')))
      refuse('plan_capability', 'The plan does not include on-call.', { field: 'on_call' });
  };

  for (const { manual_duty_email: email, ...line } of given.on_call_settings)
    await attempt(importing, 'on_call_settings', null, async () => {
      if (await isThere('on_call_settings')) return { exists: true };
      await refuseWithoutPlan();
      const manual = email === null ? null : (people.get(email.toLowerCase()) ?? null);
      const body = {
        ...line,
        enabled: line.enabled && !hadMonitors,
        reminder_minutes: line.reminder_minutes ?? DEFAULTS.reminder_minutes,
        manual_duty_user_id: manual,
      };
      validate(putOnCallSettings.body!, body);
      refuseInvalid(body);
      await putSettings(work, orgId, body);
      return {
        notes: [
          ...(body.enabled === line.enabled ? [] : (['switched_off'] as const)),
          ...(email !== null && manual === null ? (['people_left_out'] as const) : []),
        ],
      };
    });

  for (const { member_emails: emails } of given.on_call_roster)
    await attempt(importing, 'on_call_roster', null, async () => {
      if (await isThere('on_call_rosters')) return { exists: true };
      await refuseWithoutPlan();
      const userIds = [...new Set(emails.flatMap((email) => people.get(email?.toLowerCase() ?? '') ?? []))];
      if (userIds.length === 0 && emails.length > 0)
        refuse('no_resolvable_member', 'Nobody on it is a member of this organization.', {
          field: 'members',
        });
      if (hadMonitors && (await isOn()))
        refuse(
          'invalid_request',
          'On-call is on, and it would change who is called; set the roster by hand.',
        );
      await putRoster(
        work,
        orgId,
        userIds.map((user_id, position) => ({ user_id, position })),
      );
      return { notes: userIds.length < emails.length ? ['people_left_out'] : [] };
    });
}
