-- The token of a heartbeat is found by its hash, and kept sealed to be shown to who may change the monitor.

ALTER TABLE heartbeats DROP CONSTRAINT heartbeats_token_key;
ALTER TABLE heartbeats RENAME COLUMN token TO token_clear;
-- Only until the first start of this version has sealed it.
ALTER TABLE heartbeats ALTER COLUMN token_clear DROP NOT NULL;
ALTER TABLE heartbeats ADD COLUMN token_sealed text;
-- SHA-256, in hexadecimal digits.
ALTER TABLE heartbeats ADD COLUMN token_hash text;
UPDATE heartbeats SET token_hash = encode(sha256(convert_to(token_clear, 'UTF8')), 'hex');
ALTER TABLE heartbeats ALTER COLUMN token_hash SET NOT NULL;
ALTER TABLE heartbeats ADD CONSTRAINT heartbeats_token_hash UNIQUE (token_hash);
