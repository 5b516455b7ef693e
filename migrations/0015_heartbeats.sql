-- Heartbeats: the target calls us. One row a monitor, and a ping reads and writes nothing else but its one check.

CREATE TABLE heartbeats (
  monitor_no integer PRIMARY KEY REFERENCES monitors (no) ON DELETE CASCADE,
  -- In the address that the target calls, so whoever has it can say that the target lives.
  token text NOT NULL UNIQUE,
  -- What a ping needs of the monitor, copied here.
  paused boolean NOT NULL,
  schedule jsonb NOT NULL,
  grace_seconds integer NOT NULL,
  max_runtime_seconds integer,
  -- Of a cron schedule: the instants (ms) that come next, so that a ping finds its following one without computing.
  upcoming double precision[] NOT NULL DEFAULT '{}',
  -- The last ping that ended a run, or stood alone.
  last_beat_at timestamptz,
  last_ok boolean,
  last_code smallint,
  last_duration_ms integer,
  -- Newest check written: the next one is later, whatever the clocks say.
  last_result_at timestamptz,
  -- Runs that have started and not ended: {rid: {at: ms, unsure?: true}}; unsure: its end may have been missed.
  runs jsonb NOT NULL DEFAULT '{}',
  -- When the next ping is expected; NULL before the first.
  due_at timestamptz,
  -- A start has moved due_at; no further one does before the run ends.
  extended boolean NOT NULL DEFAULT false,
  -- How often in a row an expected ping was let off because nobody was here to hear it.
  excused smallint NOT NULL DEFAULT 0,
  -- The monitor is not calm: every ping is evaluated, and so is silence.
  unsettled boolean NOT NULL DEFAULT true,
  -- Oldest check that was written and not evaluated yet.
  unread_from timestamptz,
  -- When the server has to look: a ping is late, a run too long, or the last look has to be followed by another.
  look_at timestamptz
) WITH (fillfactor = 60);
CREATE INDEX heartbeats_look ON heartbeats (look_at) WHERE look_at IS NOT NULL;

-- Until when somebody was here to hear pings and to watch for silence.
CREATE TABLE heartbeat_watch (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  watched_at timestamptz
);
INSERT INTO heartbeat_watch DEFAULT VALUES;

-- Which groups a monitor is in.
CREATE INDEX monitors_members ON monitors USING gin ((config -> 'members')) WHERE type = 'group';
