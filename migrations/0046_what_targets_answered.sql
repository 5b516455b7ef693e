-- What a failing target answered, and what was looked up when an incident opened.

-- Headers and the beginning of the body of a failed check, credentials masked by the probe, sealed under SECRET_KEY. Apart
-- from the checks, which everything reads, and dropped by day like them, only sooner.
CREATE TABLE check_responses (
  -- Of the check, made from its key: 'chk_<monitor>-<region>-<instant>'.
  check_id text COLLATE "C" NOT NULL,
  checked_at timestamptz NOT NULL,
  response_sealed text NOT NULL,
  PRIMARY KEY (check_id, checked_at)
) PARTITION BY RANGE (checked_at);
-- A seal looks random: nothing is gained by compressing it.
ALTER TABLE check_responses ALTER COLUMN response_sealed SET STORAGE EXTERNAL;

-- Whether answers of private targets are kept; NULL: nobody decided, and it is so in the bundled region as long as there is
-- one organization.
ALTER TABLE regions ADD COLUMN private_responses_choice boolean;
