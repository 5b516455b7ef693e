-- Whose a test is: probes share their places fairly over organizations. Rows live for seconds; those of the moment are given up.
DELETE FROM test_runs;
ALTER TABLE test_runs ADD COLUMN org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE;
CREATE INDEX test_runs_org ON test_runs (org_id);
