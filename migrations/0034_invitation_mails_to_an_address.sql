-- The day's invitation mails are counted for who gets them too, whoever sends them: kept as a hash of the address.
ALTER TABLE invitation_mails ADD COLUMN address_hash bytea;
CREATE INDEX invitation_mails_address ON invitation_mails (address_hash, at);
