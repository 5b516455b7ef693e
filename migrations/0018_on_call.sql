-- Who is on duty, and the alarm chain of incidents.

CREATE TABLE on_call_settings (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  enabled boolean NOT NULL,
  timezone text NOT NULL,
  rotation_mode text NOT NULL CHECK (rotation_mode IN ('manual', 'weekly')),
  channel_step_minutes integer NOT NULL,
  escalation_stage1_minutes integer NOT NULL,
  escalation_stage2_minutes integer NOT NULL,
  manual_duty_user_id text REFERENCES users (id) ON DELETE SET NULL
);

-- The weekly rotation is anchored to the Monday of the week in which the roster was last set.
CREATE TABLE on_call_rosters (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  set_at timestamptz NOT NULL
);
CREATE TABLE on_call_roster_members (
  org_id text NOT NULL REFERENCES on_call_rosters (org_id) ON DELETE CASCADE,
  position integer NOT NULL,
  -- Stays when somebody leaves the organization: their week is a gap, and nobody else's moves.
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  PRIMARY KEY (org_id, position)
);
CREATE INDEX on_call_roster_members_user ON on_call_roster_members (user_id);

-- An alarm wakes people for one incident, or for a group of them. Read and written under the lock of the organization's
-- row only.
CREATE TABLE alarms (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  group_no bigint REFERENCES incident_groups (no) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  -- Since when everything in it is held or in maintenance: its steps wait, and move by as much when it goes on.
  paused_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX alarms_running ON alarms (org_id) WHERE ended_at IS NULL;
CREATE INDEX alarms_group ON alarms (group_no) WHERE group_no IS NOT NULL;

-- Null: its alarm has not started. An alarm that is over is not started again.
ALTER TABLE incidents ADD COLUMN alarm_no bigint REFERENCES alarms (no) ON DELETE SET NULL;
CREATE INDEX incidents_alarm ON incidents (alarm_no) WHERE alarm_no IS NOT NULL;
-- The few that somebody has to take: the auditor looks whether each of them rings.
CREATE INDEX incidents_pending ON incidents (org_id, id) WHERE status = 'open' AND acknowledged_at IS NULL;

-- What is due when: a stored job runs the next one, the auditor looks for what it missed.
CREATE TABLE alarm_steps (
  alarm_no bigint NOT NULL REFERENCES alarms (no) ON DELETE CASCADE,
  step text NOT NULL CHECK (step IN ('mail', 'stage1', 'stage2')),
  due_at timestamptz NOT NULL,
  done_at timestamptz,
  -- Its time came while on-call was off: it is taken as soon as that is on again.
  put_off_at timestamptz,
  PRIMARY KEY (alarm_no, step)
);
CREATE INDEX alarm_steps_due ON alarm_steps (due_at) WHERE done_at IS NULL;

-- Whom an alarm has reached so far, and by what; while it runs, the clients of these people ring.
CREATE TABLE alarm_audience (
  alarm_no bigint NOT NULL REFERENCES alarms (no) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  PRIMARY KEY (alarm_no, user_id)
);
CREATE INDEX alarm_audience_user ON alarm_audience (user_id);
