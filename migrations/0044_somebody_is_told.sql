-- Reminders, overrides of duty.

-- Minutes from the last stage of an alarm to its first reminder, and between reminders; 0: none.
ALTER TABLE on_call_settings ADD COLUMN reminder_minutes integer NOT NULL DEFAULT 60;

-- The reminder comes again and again: its row moves on.
ALTER TABLE alarm_steps DROP CONSTRAINT alarm_steps_step_check;
ALTER TABLE alarm_steps ADD CONSTRAINT alarm_steps_step_check CHECK (step IN ('mail', 'stage1', 'stage2', 'reminder'));
ALTER TABLE alarm_steps ADD COLUMN times integer NOT NULL DEFAULT 0;

-- Each reminder is a notice of its own.
DROP INDEX notices_alarm;
CREATE UNIQUE INDEX notices_alarm ON notices
  (alarm_no, user_id, channel, kind, (data ->> 'stage'), coalesce(data ->> 'reminder', '')) WHERE alarm_no IS NOT NULL;

-- Incidents that somebody took and that are still open: when their commander is reminded next.
CREATE TABLE commander_reminders (
  incident_id text PRIMARY KEY REFERENCES incidents (id) ON DELETE CASCADE,
  due_at timestamptz NOT NULL
);
CREATE INDEX commander_reminders_due ON commander_reminders (due_at);
INSERT INTO commander_reminders (incident_id, due_at)
SELECT id, now() + interval '1 day' FROM incidents
WHERE status = 'open' AND acknowledged_at IS NOT NULL AND commander_user_id IS NOT NULL;

-- Somebody is on duty for a time, whoever's turn it is. Of those that overlap the one made last counts, by `no`.
CREATE TABLE on_call_overrides (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL UNIQUE,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  created_at timestamptz NOT NULL
);
CREATE INDEX on_call_overrides_org ON on_call_overrides (org_id, ends_at);
CREATE INDEX on_call_overrides_user ON on_call_overrides (user_id);
