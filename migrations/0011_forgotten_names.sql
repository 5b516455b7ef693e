-- Whose name stands in a timeline, so that it can be taken out when the person is deleted.
ALTER TABLE incident_timeline ADD COLUMN actor_user_id text REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX incident_timeline_actor ON incident_timeline (actor_user_id) WHERE actor_user_id IS NOT NULL;
