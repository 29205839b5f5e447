-- The durable ledger. Append-only where certificates are concerned: intent, outcome and claim see
-- INSERT alone. Sizes are bounded by checks, so that no caller's mistake can fill the disk.

-- What is planned, before anything is signed. The claim of epoch 0 stands in the row: the recorder's.
CREATE TABLE intent (
  expiry_week         integer     NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial              bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at         timestamptz NOT NULL,
  claim_owner         text        NOT NULL CHECK (length(claim_owner) <= 80),
  claim_until         timestamptz NOT NULL,
  requester           text        NOT NULL CHECK (length(requester) <= 64),
  profile             text        NOT NULL CHECK (length(profile) <= 40),
  issuer              text        NOT NULL CHECK (length(issuer) <= 40),
  signature_algorithm text        NOT NULL CHECK (length(signature_algorithm) <= 40),
  idempotency_key     text                 CHECK (length(idempotency_key) <= 255),
  payload_hash        bytea       NOT NULL CHECK (octet_length(payload_hash) = 32),
  -- A TBSCertificate has 500 to 1,500 octets; one of 64 KiB is a mistake.
  tbs                 bytea       NOT NULL CHECK (octet_length(tbs) BETWEEN 1 AND 65536),
  PRIMARY KEY (expiry_week, serial)
) PARTITION BY RANGE (expiry_week);

-- Rows arrive in the order of time, so a BRIN index of a few pages finds the recent ones; a B-tree
-- would cost every insert. 16 pages hold about 110 rows.
CREATE INDEX intent_recorded_at ON intent USING brin (recorded_at)
  WITH (pages_per_range = 16, autosummarize = on);

-- What came of an intent. The primary key is the decision: the first writer wins.
CREATE TABLE outcome (
  expiry_week  integer     NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial       bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at  timestamptz NOT NULL DEFAULT now(),
  kind         text        NOT NULL CHECK (kind IN ('issued', 'abandoned')),
  -- RSA 4096 signs 512 octets; ML-DSA-87 4,627.
  signature    bytea                CHECK (octet_length(signature) BETWEEN 1 AND 8192),
  reason       text                 CHECK (length(reason) <= 40),
  maybe_signed boolean,
  owner        text        NOT NULL CHECK (length(owner) <= 80),
  epoch        integer     NOT NULL CHECK (epoch >= 0),
  PRIMARY KEY (expiry_week, serial),
  CHECK ((kind = 'issued') = (signature IS NOT NULL)),
  CHECK ((kind = 'abandoned') = (reason IS NOT NULL AND maybe_signed IS NOT NULL))
) PARTITION BY RANGE (expiry_week);

-- Take-overs, epoch 1 and later. The primary key is the compare-and-set: of several takers of one
-- epoch one inserts. Rare, hence not partitioned.
CREATE TABLE claim (
  expiry_week integer     NOT NULL,
  serial      bytea       NOT NULL CHECK (octet_length(serial) = 19),
  epoch       integer     NOT NULL CHECK (epoch >= 1),
  owner       text        NOT NULL CHECK (length(owner) <= 80),
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (expiry_week, serial, epoch)
);

-- Which intent an Idempotency-Key stands for; the payload's hash stands in the intent. Only the key
-- of an abandoned intent is ever updated, hence the spare room.
CREATE TABLE idempotency (
  requester   text        NOT NULL CHECK (length(requester) <= 64),
  key         text        NOT NULL CHECK (length(key) <= 255),
  expiry_week integer     NOT NULL,
  serial      bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (requester, key)
) WITH (fillfactor = 90);

-- Every intent recorded before this instant has an outcome or stands in unresolved_intent.
CREATE TABLE recovery_watermark (
  only_row     boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_before timestamptz NOT NULL
) WITH (fillfactor = 10);

INSERT INTO recovery_watermark (swept_before) VALUES ('-infinity');

-- The few that were still pending when the watermark passed them. Without this list one intent that
-- nobody can finish would hold the watermark, and each pass would read everything since.
CREATE TABLE unresolved_intent (
  expiry_week integer     NOT NULL,
  serial      bytea       NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (expiry_week, serial)
);

CREATE INDEX unresolved_intent_oldest ON unresolved_intent (recorded_at, serial);

CREATE TABLE issuer (
  name                    text        PRIMARY KEY CHECK (length(name) <= 40),
  subject_public_key_info bytea       NOT NULL CHECK (octet_length(subject_public_key_info) <= 8192),
  certificate             bytea       NOT NULL CHECK (octet_length(certificate) <= 65536),
  -- The certificates above it, trust anchor last.
  chain                   bytea[]     NOT NULL CHECK (cardinality(chain) <= 8),
  cka_id                  bytea       NOT NULL CHECK (octet_length(cka_id) BETWEEN 1 AND 255),
  key_algorithm           text        NOT NULL CHECK (length(key_algorithm) <= 40),
  -- PKCS#11 CK_TOKEN_INFO: a label has 32 characters.
  token_label             text        NOT NULL CHECK (length(token_label) <= 32),
  state                   text        NOT NULL CHECK (state IN ('active', 'retired')),
  created_at              timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE credential (
  id         uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  requester  text        NOT NULL CHECK (length(requester) <= 64),
  kind       text        NOT NULL CHECK (kind IN ('token', 'certificate')),
  -- SHA-256 of the token, or of the certificate's subjectPublicKeyInfo; never the token itself.
  sha256     bytea       NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  roles      text[]      NOT NULL CHECK (cardinality(roles) <= 16),
  profiles   text[]      NOT NULL CHECK (cardinality(profiles) <= 256),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE INDEX credential_requester ON credential (requester, created_at);

-- Creates the partitions of these weeks that do not exist. One week, one partition, whether near or
-- in twenty years: a grid that never overlaps. There is no default partition, for one that holds rows
-- would stand in the way of the right one. ATTACH, unlike PARTITION OF, does not stop the writers;
-- SHARE UPDATE EXCLUSIVE lets one creator in at a time and every writer too.
CREATE FUNCTION ensure_expiry_weeks(weeks integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  week      integer;
  parent    text;
  partition text;
BEGIN
  IF NOT EXISTS (SELECT FROM unnest(weeks) AS w (week)
                 WHERE to_regclass(format('outcome_w%s', w.week)) IS NULL) THEN
    RETURN;
  END IF;
  LOCK TABLE intent, outcome IN SHARE UPDATE EXCLUSIVE MODE;
  FOREACH week IN ARRAY weeks LOOP
    -- outcome last: it is the one looked for above.
    FOREACH parent IN ARRAY ARRAY['intent', 'outcome'] LOOP
      partition := format('%s_w%s', parent, week);
      IF to_regclass(partition) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL, CHECK (expiry_week = %s))',
                       partition, parent, week);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                       parent, partition, week, week + 1);
      END IF;
    END LOOP;
  END LOOP;
END
$$;
