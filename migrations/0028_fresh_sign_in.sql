-- When the person of a session last proved that it is them, after it began.
ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz;
