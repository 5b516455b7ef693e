-- One cause is one alarm: storms of three incidents and more, named by what they share.

-- The host that the monitor of an automatic incident checked when it opened; null where there is none.
ALTER TABLE incidents ADD COLUMN host text;
-- How many of a storm are open is asked with every message about it.
CREATE INDEX incidents_group_open ON incidents (group_no) WHERE group_no IS NOT NULL AND status = 'open';

-- What most of its incidents share, in words; null: nothing. From now on `opened_at` is when its first incident opened.
ALTER TABLE incident_groups ADD COLUMN name text;

-- What the last message of an ordering key said of the storm; null: there was none.
ALTER TABLE grouped_lanes ADD COLUMN reported text CHECK (reported IN ('open', 'acknowledged', 'over'));
-- The message at the provider that can be edited.
ALTER TABLE grouped_lanes ADD COLUMN posted text;
-- Incidents that were paged one by one before they belonged to the storm: its page replaces theirs.
ALTER TABLE grouped_lanes ADD COLUMN paged text[] NOT NULL DEFAULT '{}';

-- The alarm of a storm that took this one over, with its incident.
ALTER TABLE alarms ADD COLUMN joined_no bigint REFERENCES alarms (no) ON DELETE SET NULL;
CREATE INDEX alarms_joined ON alarms (joined_no) WHERE joined_no IS NOT NULL;
