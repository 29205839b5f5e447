-- Tokens that replace one another without an administrator (docs/adr/0066-credentials.md).
ALTER TABLE credential
  -- The token that this one replaces, which ends when this one is first used.
  ADD COLUMN rotated_from  uuid REFERENCES credential,
  -- The registration that all of them come from: they are revoked together.
  ADD COLUMN rotation_root uuid REFERENCES credential,
  ADD CONSTRAINT credential_rotation CHECK ((rotated_from IS NULL) = (rotation_root IS NULL));
CREATE INDEX credential_rotated_from ON credential (rotated_from) WHERE rotated_from IS NOT NULL;
CREATE INDEX credential_rotation_root ON credential (rotation_root, created_at) WHERE rotation_root IS NOT NULL;
