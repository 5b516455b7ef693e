-- Who decided whether the probes of the bundled region check private targets.

-- By the environment: nobody else may.
ALTER TABLE regions ADD COLUMN private_targets_fixed boolean NOT NULL DEFAULT false;
-- What the operator made of it by hand; NULL: nothing, and each start decides by its configuration.
ALTER TABLE regions ADD COLUMN private_targets_choice boolean;
