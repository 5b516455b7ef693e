-- Second factors and passkeys (tables of the sign-in library, in our naming), and what slows guessing down.

ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Both sealed by the library under a key derived from SECRET_KEY.
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);
CREATE INDEX two_factors_user ON two_factors (user_id);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  counter bigint NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Wrong passwords of the last day: who was guessed at (a hash of the address, whether or not it has an account), from where.
CREATE TABLE sign_in_failures (
  no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  account_hash bytea NOT NULL,
  address text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_account ON sign_in_failures (account_hash, at);
CREATE INDEX sign_in_failures_address ON sign_in_failures (address, at);

-- Where an account has signed in from before: guessing from elsewhere does not shut these out.
CREATE TABLE known_addresses (
  account_hash bytea NOT NULL,
  address text NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_hash, address)
);
