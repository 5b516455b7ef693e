-- What a person had mailed to others in the last days: the limit holds although invitations come and go.
CREATE TABLE invitation_mails (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  at timestamptz NOT NULL
);
CREATE INDEX invitation_mails_user ON invitation_mails (user_id, at);
