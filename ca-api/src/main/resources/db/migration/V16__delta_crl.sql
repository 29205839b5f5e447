-- Delta CRLs (RFC 5280 5.2.4) are rows of crl like all others, so that no number comes twice; their
-- signatures stand apart, so that nodes of the former version never take one for a complete CRL.
CREATE TABLE delta_crl_signature (
  issuer      text        NOT NULL,
  shard       integer     NOT NULL,
  number      bigint      NOT NULL,
  signature   bytea       NOT NULL CHECK (octet_length(signature) BETWEEN 1 AND 8192),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, shard, number),
  FOREIGN KEY (issuer, shard, number) REFERENCES crl ON DELETE CASCADE
);

-- How a complete CRL was made, for deltas to it: certificates that ended before expired_before were
-- left out unless their last event came after known_revision. Null: by a former version, or a delta.
ALTER TABLE crl ADD COLUMN expired_before timestamptz, ADD COLUMN known_revision bigint;

-- The URI in its issuingDistributionPoint, which a delta must have as well; null for none.
ALTER TABLE crl ADD COLUMN distribution_point text CHECK (length(distribution_point) <= 2000);

ALTER TABLE crl ADD CHECK (base_number IS NULL OR base_number < number);
