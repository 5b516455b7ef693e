-- The owner of each organization who has been it the longest: what is shared fairly over organizations is shared fairly over
-- these first, so that who makes ten organizations gets no more than who makes one.
CREATE INDEX members_first_owner ON members (org_id, joined_at, user_id) WHERE role = 'owner';

CREATE VIEW first_owners AS
SELECT DISTINCT ON (org_id) org_id, user_id FROM members WHERE role = 'owner' ORDER BY org_id, joined_at, user_id;
