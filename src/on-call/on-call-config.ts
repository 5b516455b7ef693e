// An organization's on-call configuration: settings, roster, administrators, and their names.
import { sql } from 'kysely';
import { isTimezone } from '../domain/cron.ts';
import { DAY_MS } from '../domain/durations.ts';
import type { EscalationDelays } from '../domain/escalation.ts';
import type { RotationMode } from '../domain/names.ts';
import type { Rotation } from '../domain/rotation.ts';
import type { Database, Tx } from '../platform/work.ts';

export type StoredSettings = EscalationDelays & {
  enabled: boolean;
  timezone: string;
  rotation_mode: RotationMode;
  /** Also null when the person is no longer a member. */
  manual_duty_user_id: string | null;
};

/** In force until settings are written (docs/rules/on-call-and-alarms.md#settings). */
export const DEFAULTS: StoredSettings = {
  enabled: false,
  timezone: 'UTC',
  rotation_mode: 'weekly',
  channel_step_minutes: 3,
  escalation_stage1_minutes: 10,
  escalation_stage2_minutes: 20,
  reminder_minutes: 60,
  manual_duty_user_id: null,
};

export type OnCall = {
  settings: StoredSettings;
  /** The plan includes on-call. */
  entitled: boolean;
  rotation: Rotation;
  /** Positions of the roster in order; null where the person is no longer a member. */
  roster: readonly { position: number; userId: string | null }[];
  /** Owners and admins, in the order they joined. */
  administrators: readonly string[];
  /** Names of everybody above, by user id. */
  names: ReadonlyMap<string, string>;
  /** A fire drill is running. */
  drilling: boolean;
};

type Row = {
  entitled: boolean;
  settings: StoredSettings | null;
  roster_set_at: Date | null;
  roster: { position: number; user_id: string | null }[];
  overrides: { user_id: string; from_ms: number; until_ms: number }[];
  administrators: string[];
  names: Record<string, string>;
  drilling: boolean;
};

/** Longer than a turn. */
const OVERRIDES_READ_MS = 8 * DAY_MS;

/**
 * Reads the configuration in one statement, with the overrides of this turn and those to come: what ended in it says since when the
 * person on duty has been. A deleted organization has the defaults, and nobody on duty.
 */
export async function readOnCall(db: Database | Tx, orgId: string, now: Date): Promise<OnCall> {
  const endedAfter = new Date(now.getTime() - OVERRIDES_READ_MS);
  const { rows } = await sql<Row>`
    WITH named AS MATERIALIZED (
      SELECT m.user_id, u.name, m.role, m.joined_at FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.org_id = ${orgId} AND m.role <> 'viewer' AND (m.role IN ('owner', 'admin')
        OR m.user_id IN (SELECT user_id FROM on_call_roster_members WHERE org_id = ${orgId})
        OR m.user_id IN (SELECT user_id FROM on_call_overrides WHERE org_id = ${orgId} AND ends_at > ${endedAfter})
        OR m.user_id = (SELECT manual_duty_user_id FROM on_call_settings WHERE org_id = ${orgId}))
    )
    SELECT
      coalesce((SELECT p.on_call FROM organizations o JOIN plans p ON p.name = o.plan WHERE o.id = ${orgId}), false)
        AS entitled,
      (SELECT to_jsonb(s) - 'org_id' || jsonb_build_object('manual_duty_user_id',
          (SELECT user_id FROM named WHERE user_id = s.manual_duty_user_id))
        FROM on_call_settings s WHERE s.org_id = ${orgId}) AS settings,
      (SELECT set_at FROM on_call_rosters WHERE org_id = ${orgId}) AS roster_set_at,
      coalesce((SELECT jsonb_agg(jsonb_build_object('position', r.position, 'user_id', n.user_id) ORDER BY r.position)
        FROM on_call_roster_members r LEFT JOIN named n ON n.user_id = r.user_id WHERE r.org_id = ${orgId}), '[]')
        AS roster,
      coalesce((SELECT jsonb_agg(jsonb_build_object('user_id', n.user_id,
          'from_ms', floor(extract(epoch FROM o.starts_at) * 1000), 'until_ms', floor(extract(epoch FROM o.ends_at) * 1000))
          ORDER BY o.no)
        FROM on_call_overrides o JOIN named n ON n.user_id = o.user_id WHERE o.org_id = ${orgId} AND o.ends_at > ${endedAfter}),
        '[]') AS overrides,
      coalesce((SELECT jsonb_agg(user_id ORDER BY joined_at, user_id) FROM named WHERE role IN ('owner', 'admin')), '[]')
        AS administrators,
      coalesce((SELECT jsonb_object_agg(user_id, name) FROM named), '{}') AS names,
      EXISTS (SELECT FROM fire_drills WHERE org_id = ${orgId} AND ended_at IS NULL) AS drilling`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a SELECT without FROM answers one row');
  const settings = row.settings ?? DEFAULTS;
  const roster = row.roster.map(({ position, user_id }) => ({ position, userId: user_id }));
  return {
    settings,
    entitled: row.entitled,
    rotation: {
      active: settings.enabled && row.entitled,
      // A zone removed from the time zone database must not silence alarms.
      timezone: isTimezone(settings.timezone) ? settings.timezone : DEFAULTS.timezone,
      mode: settings.rotation_mode,
      manualUserId: settings.manual_duty_user_id,
      roster: roster.map(({ userId }) => userId),
      rosterSetAtMs: row.roster_set_at?.getTime() ?? null,
      overrides: row.overrides.map(({ user_id, from_ms, until_ms }) => ({
        userId: user_id,
        fromMs: from_ms,
        untilMs: until_ms,
      })),
    },
    roster,
    administrators: row.administrators,
    names: new Map(Object.entries(row.names)),
    drilling: row.drilling,
  };
}
