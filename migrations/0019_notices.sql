-- Personal notices by mail and web push: an outbox of their own, sent after the commit that wants them.

CREATE TABLE notices (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('mail', 'push')),
  kind text NOT NULL,
  -- What its words are made of; addresses and names of people are read when it is sent.
  data jsonb NOT NULL,
  -- The alarm it belongs to: what is still waiting when that ends is never sent.
  alarm_no bigint REFERENCES alarms (no) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('pending', 'sent', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  -- Subscriptions (web push) that have taken it: another try goes to the others only.
  reached text[] NOT NULL DEFAULT '{}',
  error text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX notices_due ON notices (next_attempt_at) WHERE state = 'pending';
-- A step of an alarm tells a person once by each channel, whatever runs twice.
CREATE UNIQUE INDEX notices_alarm ON notices (alarm_no, user_id, channel, kind, (data ->> 'stage'))
  WHERE alarm_no IS NOT NULL;
CREATE INDEX notices_person ON notices (user_id);
CREATE INDEX notices_org ON notices (org_id);

-- A browser that its user asked to be told by.
CREATE TABLE push_subscriptions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  -- As the browser names itself, for the list of one's own.
  browser text NOT NULL,
  created_at timestamptz NOT NULL,
  last_success_at timestamptz,
  last_error text
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);

-- Links in mails that take an alarm without signing in: single use, only a hash is kept.
CREATE TABLE acknowledge_links (
  hash bytea PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  alarm_no bigint NOT NULL REFERENCES alarms (no) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX acknowledge_links_alarm ON acknowledge_links (alarm_no);
CREATE INDEX acknowledge_links_expiry ON acknowledge_links (expires_at);
