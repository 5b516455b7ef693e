-- The day's invitation mails are counted for the organization too: its people cannot add theirs up. An organization that is
-- deleted leaves the count of the person who sent them.
ALTER TABLE invitation_mails ADD COLUMN org_id text REFERENCES organizations (id) ON DELETE SET NULL;
CREATE INDEX invitation_mails_org ON invitation_mails (org_id, at);
