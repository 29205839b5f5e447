-- A token may have engines for some classes of signatures apart from the others. Until now each had one group.
CREATE TABLE hsm_engine_group (
  hsm          text     NOT NULL REFERENCES hsm_token ON DELETE CASCADE,
  engine_group smallint NOT NULL CHECK (engine_group BETWEEN 1 AND 4),
  engines      integer  NOT NULL CHECK (engines BETWEEN 1 AND 4096),
  PRIMARY KEY (hsm, engine_group)
);
INSERT INTO hsm_engine_group (hsm, engine_group, engines) SELECT hsm, 1, engines FROM hsm_token;
ALTER TABLE hsm_token DROP COLUMN engines;

ALTER TABLE hsm_base_delay ADD COLUMN engine_group smallint NOT NULL DEFAULT 1;
ALTER TABLE hsm_base_delay ALTER COLUMN engine_group DROP DEFAULT;
ALTER TABLE hsm_base_delay DROP CONSTRAINT hsm_base_delay_hsm_fkey;
ALTER TABLE hsm_base_delay ADD FOREIGN KEY (hsm, engine_group) REFERENCES hsm_engine_group ON DELETE CASCADE;

-- What is leased is a group's window: the token's label, and "/ec" behind it where there are several groups.
ALTER TABLE hsm_node DROP CONSTRAINT hsm_node_hsm_check, ADD CHECK (length(hsm) <= 48);
ALTER TABLE hsm_lease DROP CONSTRAINT hsm_lease_hsm_check, ADD CHECK (length(hsm) <= 48);
ALTER TABLE hsm_grant DROP CONSTRAINT hsm_grant_hsm_check, ADD CHECK (length(hsm) <= 48);
