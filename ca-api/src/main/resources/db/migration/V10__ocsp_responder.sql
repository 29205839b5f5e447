-- The keys and certificates that sign OCSP responses for an issuer. Append-only: a renewal is a new row, and
-- of those that are valid now the newest counts.
CREATE TABLE ocsp_responder (
  id                      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuer                  text        NOT NULL REFERENCES issuer (name),
  certificate             bytea       NOT NULL CHECK (octet_length(certificate) <= 65536),
  subject_public_key_info bytea       NOT NULL CHECK (octet_length(subject_public_key_info) <= 8192),
  cka_id                  bytea       NOT NULL CHECK (octet_length(cka_id) BETWEEN 1 AND 255),
  key_algorithm           text        NOT NULL CHECK (length(key_algorithm) <= 40),
  token_label             text        NOT NULL CHECK (length(token_label) <= 32),
  created_at              timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX ocsp_responder_issuer ON ocsp_responder (issuer, id);
