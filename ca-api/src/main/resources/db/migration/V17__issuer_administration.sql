-- Keys that the ceremony made for issuers, under the issuers' names: over the network nothing else can be certified
-- into service.
CREATE TABLE issuing_key (
  name                    text        NOT NULL CHECK (length(name) <= 40),
  subject_public_key_info bytea       NOT NULL CHECK (octet_length(subject_public_key_info) <= 8192),
  -- Over the octets above, which may be longer than a row of an index.
  sha256                  bytea       NOT NULL CHECK (sha256 = sha256(subject_public_key_info)),
  cka_id                  bytea       NOT NULL CHECK (octet_length(cka_id) BETWEEN 1 AND 255),
  key_algorithm           text        NOT NULL CHECK (length(key_algorithm) <= 40),
  token_label             text        NOT NULL CHECK (length(token_label) <= 32),
  recorded_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, sha256)
);

-- Null: by the ceremony.
ALTER TABLE issuer ADD COLUMN installed_by text CHECK (length(installed_by) <= 64);

-- Certificates of an issuer after its first, for the same name and key. The highest number counts; of two that follow
-- the same, the first stands.
CREATE TABLE issuer_certificate (
  issuer      text        NOT NULL REFERENCES issuer (name),
  number      integer     NOT NULL CHECK (number BETWEEN 1 AND 1000),
  certificate bytea       NOT NULL CHECK (octet_length(certificate) <= 65536),
  -- The certificates above it, trust anchor last.
  chain       bytea[]     NOT NULL CHECK (cardinality(chain) <= 8),
  -- A requester, or ceremony: and the user's name.
  added_by    text        NOT NULL CHECK (length(added_by) <= 64),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, number)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON issuing_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON issuer_certificate
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
