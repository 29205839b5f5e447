-- Which version of its profile an intent was planned under. Null: recorded by software that knew none,
-- which may go on writing beside this. No check, which would read every partition.
ALTER TABLE intent ADD COLUMN profile_version integer;

-- The contents that each version has had. A version that its file states has one; others may change.
CREATE TABLE profile_version (
  name        text        NOT NULL CHECK (length(name) <= 40),
  version     integer     NOT NULL CHECK (version >= 1),
  -- SHA-256 over the file's content.
  digest      bytea       NOT NULL CHECK (octet_length(digest) = 32),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version, digest)
);
