-- Fire drills: the real alarm chain without an incident, and the record of what arrived.
CREATE TABLE fire_drills (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- For the ways of one person; false: for the whole chain. Nobody is known any more once the account is gone.
  for_person boolean NOT NULL,
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  started_at timestamptz NOT NULL,
  started_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  started_by_key_name text,
  ended_at timestamptz,
  ended_by_user_id text REFERENCES users (id) ON DELETE SET NULL,
  ended_by_key_name text,
  outcome text CHECK (outcome IN ('acknowledged', 'stopped', 'unanswered', 'real_alarm')),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX fire_drills_org ON fire_drills (org_id, started_at DESC);
-- One at a time.
CREATE UNIQUE INDEX fire_drills_running ON fire_drills (org_id) WHERE ended_at IS NULL;
CREATE INDEX fire_drills_user ON fire_drills (user_id);
CREATE INDEX fire_drills_started_by ON fire_drills (started_by_user_id);
CREATE INDEX fire_drills_ended_by ON fire_drills (ended_by_user_id);

-- Each person and each target that a drill was to reach, by each way.
CREATE TABLE fire_drill_reaches (
  drill_id text NOT NULL REFERENCES fire_drills (id) ON DELETE CASCADE,
  -- A person, or a target.
  recipient_id text NOT NULL,
  channel text NOT NULL,
  user_id text REFERENCES users (id) ON DELETE CASCADE,
  target_name text,
  step text NOT NULL,
  at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'arrived', 'failed', 'cancelled')),
  settled_at timestamptz,
  error text,
  PRIMARY KEY (drill_id, recipient_id, channel)
);
CREATE INDEX fire_drill_reaches_user ON fire_drill_reaches (user_id);

-- The alarm of a drill has no incidents.
ALTER TABLE alarms ADD COLUMN drill_id text REFERENCES fire_drills (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX alarms_drill ON alarms (drill_id) WHERE drill_id IS NOT NULL;
-- The end of a drill that nobody answers.
ALTER TABLE alarm_steps DROP CONSTRAINT alarm_steps_step_check;
ALTER TABLE alarm_steps ADD CONSTRAINT alarm_steps_step_check
  CHECK (step IN ('mail', 'stage1', 'stage2', 'reminder', 'drill_end'));
