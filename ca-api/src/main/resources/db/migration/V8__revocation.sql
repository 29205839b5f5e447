-- Revocation, append-only: an event is what was decided about a certificate, the last one its status.

-- What one CRL covers: of an issuer, the certificates whose CRL distribution point names this shard; 0
-- is the CRL without a number in its URI. The revision counts the events of the scope, in its transactions.
CREATE TABLE crl_scope (
  issuer     text        NOT NULL CHECK (length(issuer) <= 40),
  shard      integer     NOT NULL CHECK (shard BETWEEN 0 AND 9999),
  revision   bigint      NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, shard)
) WITH (fillfactor = 10);

CREATE TABLE revocation (
  expiry_week     integer     NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial          bytea       NOT NULL CHECK (octet_length(serial) = 19),
  -- 1, 2, 3 of each certificate: of two deciders at once, one finds its number taken.
  event           integer     NOT NULL CHECK (event BETWEEN 1 AND 1000),
  issuer          text        NOT NULL,
  shard           integer     NOT NULL,
  revision        bigint      NOT NULL CHECK (revision >= 1),
  recorded_at     timestamptz NOT NULL DEFAULT now(),
  requester       text        NOT NULL CHECK (length(requester) <= 64),
  -- RFC 5280 5.3.1; null: released from hold.
  reason          integer              CHECK (reason BETWEEN 0 AND 10 AND reason NOT IN (7, 8)),
  revoked_at      timestamptz,
  invalidity_date timestamptz,
  not_after       timestamptz NOT NULL,
  PRIMARY KEY (expiry_week, serial, event),
  CHECK ((reason IS NULL) = (revoked_at IS NULL)),
  CHECK (reason IS NOT NULL OR invalidity_date IS NULL)
) PARTITION BY RANGE (expiry_week);

CREATE INDEX revocation_scope ON revocation (issuer, shard, revision);

-- Given up after the key may have been used: swept onto the CRL. Almost always empty.
CREATE INDEX outcome_maybe_signed ON outcome (expiry_week, serial) WHERE maybe_signed;

-- A CRL before it is signed. The primary key is the reservation of the number.
CREATE TABLE crl (
  issuer              text        NOT NULL,
  shard               integer     NOT NULL,
  number              bigint      NOT NULL CHECK (number >= 1),
  -- The CRL that a delta is to; null: not a delta.
  base_number         bigint,
  revision            bigint      NOT NULL,
  is_scheduled        boolean     NOT NULL,
  this_update         timestamptz NOT NULL,
  next_update         timestamptz NOT NULL CHECK (next_update > this_update),
  entries             integer     NOT NULL CHECK (entries >= 0),
  signature_algorithm text        NOT NULL CHECK (length(signature_algorithm) <= 40),
  -- 2 million entries have 80 MB, more than a node should build.
  tbs                 bytea       NOT NULL CHECK (octet_length(tbs) BETWEEN 1 AND 100000000),
  node                text        NOT NULL CHECK (length(node) <= 80),
  recorded_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, shard, number),
  FOREIGN KEY (issuer, shard) REFERENCES crl_scope
);

CREATE TABLE crl_signature (
  issuer      text        NOT NULL,
  shard       integer     NOT NULL,
  number      bigint      NOT NULL,
  signature   bytea       NOT NULL CHECK (octet_length(signature) BETWEEN 1 AND 8192),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, shard, number),
  FOREIGN KEY (issuer, shard, number) REFERENCES crl ON DELETE CASCADE
);

-- As before, with a partition of revocations beside each of the others.
CREATE OR REPLACE FUNCTION ensure_expiry_weeks(weeks integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  week      integer;
  parent    text;
  partition text;
BEGIN
  IF NOT EXISTS (SELECT FROM unnest(weeks) AS w (week)
                 WHERE to_regclass(format('outcome_w%s', w.week)) IS NULL
                    OR to_regclass(format('revocation_w%s', w.week)) IS NULL) THEN
    RETURN;
  END IF;
  LOCK TABLE intent, outcome, revocation IN SHARE UPDATE EXCLUSIVE MODE;
  FOREACH week IN ARRAY weeks LOOP
    FOREACH parent IN ARRAY ARRAY['intent', 'outcome', 'revocation'] LOOP
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

-- Nodes of the former schema know their weeks and ask no more: those that have certificates get theirs now.
SELECT ensure_expiry_weeks(array_agg(substring(c.relname FROM 'intent_w(\d+)')::integer))
FROM pg_class c WHERE c.relname ~ '^intent_w\d+$';
