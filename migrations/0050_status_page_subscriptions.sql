-- Mails to people who subscribed to a status page: an outbox of their own, so that no alarm waits behind ten thousand of them.

CREATE TABLE status_page_subscribers (
  id text PRIMARY KEY,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  email text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'de')),
  created_at timestamptz NOT NULL,
  -- null: has not answered the mail that asks whether the address is theirs.
  confirmed_at timestamptz,
  -- false: only what concerns the monitors in status_page_subscriber_monitors.
  all_monitors boolean NOT NULL DEFAULT true,
  -- Mails in a row that the recipient's server refused for good.
  bounces smallint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX status_page_subscribers_email ON status_page_subscribers (status_page_id, lower(email));

CREATE TABLE status_page_subscriber_monitors (
  subscriber_id text NOT NULL REFERENCES status_page_subscribers (id) ON DELETE CASCADE,
  monitor_no integer NOT NULL REFERENCES monitors (no) ON DELETE CASCADE,
  PRIMARY KEY (subscriber_id, monitor_no)
);
CREATE INDEX status_page_subscriber_monitors_monitor ON status_page_subscriber_monitors (monitor_no);

-- Requests to subscribe, for their limits: whose address it is, and from where it was asked. Kept for a day.
CREATE TABLE status_page_subscription_requests (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  address_hash bytea NOT NULL,
  client text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX status_page_subscription_requests_address ON status_page_subscription_requests (address_hash, at);
CREATE INDEX status_page_subscription_requests_client ON status_page_subscription_requests (client, at);
CREATE INDEX status_page_subscription_requests_page ON status_page_subscription_requests (status_page_id, at);

-- What happened on a page and is to be mailed, written with the change itself.
CREATE TABLE status_page_announcements (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- The monitors that it is about; empty: the whole page.
  monitor_nos integer[] NOT NULL,
  -- As the public may know it, at the time of the change.
  facts jsonb NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX status_page_announcements_page ON status_page_announcements (status_page_id, no);

-- One mail to many: several announcements of one moment go out together.
CREATE TABLE status_page_mailings (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  status_page_id text NOT NULL REFERENCES status_pages (id) ON DELETE CASCADE,
  announcements jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX status_page_mailings_page ON status_page_mailings (status_page_id, created_at);

-- A mail to one subscriber that is not sent yet. `mailing_no` null: the one that asks to confirm the address.
CREATE TABLE status_page_mails (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  mailing_no bigint REFERENCES status_page_mailings (no) ON DELETE CASCADE,
  subscriber_id text NOT NULL REFERENCES status_page_subscribers (id) ON DELETE CASCADE,
  attempts smallint NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL
);
CREATE INDEX status_page_mails_next ON status_page_mails (next_at);
CREATE INDEX status_page_mails_subscriber ON status_page_mails (subscriber_id);
CREATE INDEX status_page_mails_mailing ON status_page_mails (mailing_no);
