-- Who gets which report by mail each month. It goes with the membership.
CREATE TABLE report_subscriptions (
  id text PRIMARY KEY,
  org_id text NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('organization', 'project', 'tag', 'status_page')),
  -- The project, the status page or the tag; '': everything.
  subject_id text NOT NULL DEFAULT '',
  timezone text NOT NULL,
  -- The month that is mailed next.
  period text NOT NULL,
  -- Failed tries for this month, and when the next one comes: nobody else tries before.
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  last_sent_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (org_id, user_id) REFERENCES members (org_id, user_id) ON DELETE CASCADE,
  UNIQUE (org_id, user_id, kind, subject_id)
);
CREATE INDEX report_subscriptions_due ON report_subscriptions (next_try_at);
CREATE INDEX report_subscriptions_user ON report_subscriptions (user_id);
