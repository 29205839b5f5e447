-- Revocation of many, append-only. A job is what a dry run showed; it runs when its confirmation comes back.
CREATE TABLE revocation_job (
  id              uuid        PRIMARY KEY,
  -- SHA-256 over the columns below and the id, in hex.
  confirmation    text        NOT NULL UNIQUE CHECK (length(confirmation) = 64),
  officer         text        NOT NULL CHECK (length(officer) <= 64),
  requester       text                 CHECK (length(requester) <= 64),
  profile         text                 CHECK (length(profile) <= 40),
  issuer          text                 CHECK (length(issuer) <= 40),
  issued_after    timestamptz,
  issued_before   timestamptz,
  -- RFC 5280 5.3.1.
  reason          integer     NOT NULL CHECK (reason BETWEEN 0 AND 10 AND reason NOT IN (7, 8)),
  invalidity_date timestamptz,
  -- What was recorded as issued then or later is never in it.
  as_of           timestamptz NOT NULL,
  selected        bigint      NOT NULL CHECK (selected >= 0),
  recorded_at     timestamptz NOT NULL DEFAULT now(),
  -- Nothing chosen never means everything.
  CHECK (num_nonnulls(requester, profile, issuer) >= 1)
);

-- The primary key is the decision: a confirmation that comes twice starts one job.
CREATE TABLE revocation_job_start (
  job         uuid        PRIMARY KEY REFERENCES revocation_job,
  owner       text        NOT NULL CHECK (length(owner) <= 80),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- How far it is, written with the revocations of the batch. The primary key lets one of two nodes go on; the newest
-- row is its owner's lease, too.
CREATE TABLE revocation_job_batch (
  job             uuid        NOT NULL REFERENCES revocation_job_start,
  number          integer     NOT NULL CHECK (number >= 1),
  owner           text        NOT NULL CHECK (length(owner) <= 80),
  -- Everything up to this serial number of this week is done; null: everything is.
  read_week       integer              CHECK (read_week BETWEEN 0 AND 65535),
  read_serial     bytea                CHECK (octet_length(read_serial) <= 19),
  revoked         integer     NOT NULL CHECK (revoked >= 0),
  already_revoked integer     NOT NULL CHECK (already_revoked >= 0),
  refused         integer     NOT NULL CHECK (refused >= 0),
  recorded_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job, number),
  CHECK ((read_week IS NULL) = (read_serial IS NULL))
);

CREATE TABLE revocation_job_end (
  job         uuid        PRIMARY KEY REFERENCES revocation_job_start,
  -- failed: what was found is not what the dry run counted.
  outcome     text        NOT NULL CHECK (outcome IN ('done', 'failed')),
  recorded_at timestamptz NOT NULL DEFAULT now()
);
