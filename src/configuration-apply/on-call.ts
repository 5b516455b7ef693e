// On-call: its settings, and the roster. People are named by their address among the members of the organization.
import { isDeepStrictEqual } from 'node:util';
import { canonicalZone } from '../domain/cron.ts';
import { withoutNulls } from '../domain/without-nulls.ts';
import { membersByAddress } from '../members/by-address.ts';
import { readOnCall } from '../on-call/on-call-config.ts';
import { putRoster } from '../on-call/roster.ts';
import { getSettings, putSettings } from '../on-call/settings.ts';
import { hasCapability } from '../organizations/rights.ts';
import { refuse } from '../platform/refusals.ts';
import { type Applying, attempt, changedAmong } from './applying.ts';

/** Applies the section `on_call`: what it names is set, everything else keeps its value. */
export async function applyOnCall(applying: Applying): Promise<void> {
  const { work, orgId, file } = applying;
  if (file.on_call === undefined) return;
  const { roster, manual_duty: duty, ...fields } = file.on_call;
  const people = await membersByAddress(work.tx, orgId);
  const idOf = (email: string, field: string) =>
    people.get(email.trim().toLowerCase()) ??
    refuse(
      'invalid_request',
      `${field} names ${JSON.stringify(email)}, who is no member of the organization, or a viewer.`,
      { field },
    );
  const entitled = await hasCapability(work.tx, orgId, 'on_call');
  const refuseWithoutPlan = () => {
    if (!entitled) refuse('plan_capability', 'The organization’s plan does not include on-call.');
  };

  if (duty !== undefined || Object.keys(fields).length > 0)
    await attempt(applying, { kind: 'on_call_settings', name: null, path: 'on_call' }, async () => {
      const before = await getSettings(work.tx, orgId, work.now);
      const given = {
        ...withoutNulls(fields),
        ...(fields.timezone == null ? {} : { timezone: canonicalZone(fields.timezone) }),
        ...(duty === undefined
          ? {}
          : { manual_duty_user_id: duty === null ? null : idOf(duty, 'manual_duty') }),
      };
      const changed = changedAmong(given, before);
      if (changed.length > 0) {
        refuseWithoutPlan();
        await putSettings(work, orgId, given);
      }
      return { changed: changed.map((field) => (field === 'manual_duty_user_id' ? 'manual_duty' : field)) };
    });

  if (roster !== undefined)
    await attempt(applying, { kind: 'on_call_roster', name: null, path: 'on_call' }, async () => {
      const wanted = [...new Set(roster.map((email, i) => idOf(email, `roster.${i}`)))];
      // With the places of people who left: a file without them takes these out of the rotation.
      const before = await readOnCall(work.tx, orgId, work.now);
      const places = before.roster.map(({ userId }) => userId);
      if (isDeepStrictEqual(wanted, places)) return { changed: [] };
      refuseWithoutPlan();
      await putRoster(
        work,
        orgId,
        wanted.map((user_id, position) => ({ user_id, position })),
      );
      return { changed: ['roster'] };
    });
}
