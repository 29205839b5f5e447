-- Finding certificates (docs/adr/0029-finding.md): a projection of the ledger, made after the fact. The
-- ledger's own tables get no index; what is to be projected they say themselves.

-- Serial numbers under which certificates were issued and that are not in the index yet, 256 a row, one
-- after the other. A row is committed with its outcomes, and removed with the commit that indexes them: so
-- nothing is missed, in whatever order transactions commit, and no clock or watermark is trusted.
CREATE TABLE certificate_feed (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  serials     bytea       NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Random octets: compressing them is in vain, and 4,864 of them fit into a page.
ALTER TABLE certificate_feed ALTER COLUMN serials SET STORAGE PLAIN;

CREATE FUNCTION feed_certificate_index() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_feed (serials)
  SELECT string_agg(n.serial, ''::bytea)
  FROM (SELECT f.serial, (row_number() OVER () - 1) / 256 AS part FROM fresh f WHERE f.kind = 'issued') n
  GROUP BY n.part;
  RETURN NULL;
END
$$;

-- Who indexes holds this row's lock. The backfill walks the ledger of before from the latest expiry down.
CREATE TABLE certificate_index_state (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  filled_week   integer NOT NULL DEFAULT 65536,
  filled_serial bytea   NOT NULL DEFAULT '\x',
  is_filled     boolean NOT NULL DEFAULT false
) WITH (fillfactor = 10);
INSERT INTO certificate_index_state DEFAULT VALUES;

-- One row a certificate. Names are in lower case and cut at 500 characters; "C" is the order of octets,
-- in which what begins alike stands together. Whether it is revoked is asked of revocation: never stale.
CREATE TABLE certificate_index (
  expiry_week   integer            NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial        bytea              NOT NULL CHECK (octet_length(serial) = 19),
  issued_at     timestamptz        NOT NULL,
  requester     text COLLATE "C"   NOT NULL,
  profile       text COLLATE "C"   NOT NULL,
  issuer        text COLLATE "C"   NOT NULL,
  not_before    timestamptz        NOT NULL,
  not_after     timestamptz        NOT NULL,
  -- For people, as the certificate has it.
  subject       text               NOT NULL,
  subject_names text[] COLLATE "C" NOT NULL,
  sans          text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (expiry_week, serial)
) PARTITION BY RANGE (expiry_week);

-- Each way to look has an index in the order of its pages, so that a page reads no more than it may.
CREATE INDEX certificate_index_issued ON certificate_index (issued_at, expiry_week, serial);
CREATE INDEX certificate_index_requester ON certificate_index (requester, issued_at, expiry_week, serial);
CREATE INDEX certificate_index_profile ON certificate_index (profile, issued_at, expiry_week, serial);

-- Each name of each certificate: a B-tree finds what is equal and what begins alike; GIN over the arrays
-- could not do the latter, and its list of pending entries makes some searches slow.
CREATE TABLE certificate_name (
  -- 1: commonName or serialNumber of the subject, 2: subjectAltName.
  kind        smallint         NOT NULL CHECK (kind IN (1, 2)),
  name        text COLLATE "C" NOT NULL,
  requester   text COLLATE "C" NOT NULL,
  expiry_week integer          NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial      bytea            NOT NULL,
  PRIMARY KEY (kind, name, requester, expiry_week, serial)
) PARTITION BY RANGE (expiry_week);

-- How many expire on which day, counted when they are indexed.
CREATE TABLE certificate_tally (
  expires_on   date             NOT NULL,
  expiry_week  integer          NOT NULL,
  profile      text COLLATE "C" NOT NULL,
  requester    text COLLATE "C" NOT NULL,
  certificates bigint           NOT NULL,
  PRIMARY KEY (expires_on, profile, requester)
) WITH (fillfactor = 80);

-- As before, with the two partitions of the index beside each of the others.
CREATE OR REPLACE FUNCTION ensure_expiry_weeks(weeks integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  week      integer;
  parent    text;
  partition text;
BEGIN
  IF NOT EXISTS (SELECT FROM unnest(weeks) AS w (week)
                 WHERE to_regclass(format('outcome_w%s', w.week)) IS NULL
                    OR to_regclass(format('revocation_w%s', w.week)) IS NULL
                    OR to_regclass(format('certificate_index_w%s', w.week)) IS NULL
                    OR to_regclass(format('certificate_name_w%s', w.week)) IS NULL) THEN
    RETURN;
  END IF;
  LOCK TABLE intent, outcome, revocation, certificate_index, certificate_name IN SHARE UPDATE EXCLUSIVE MODE;
  FOREACH week IN ARRAY weeks LOOP
    FOREACH parent IN ARRAY ARRAY['intent', 'outcome', 'revocation', 'certificate_index', 'certificate_name'] LOOP
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

-- Retention of the index, never of the ledger: drops the oldest partition before a week, and says whether
-- there was one. One table a transaction, so that it never waits for searches while others wait for it.
CREATE FUNCTION drop_index_week(parent text, before integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  oldest integer;
BEGIN
  IF parent NOT IN ('certificate_index', 'certificate_name') THEN
    RAISE EXCEPTION '% is not part of the index', parent;
  END IF;
  SELECT min(substring(c.relname FROM '_w(\d+)$')::integer) INTO oldest
  FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
  WHERE h.inhparent = parent::regclass;
  IF oldest IS NULL OR oldest >= before THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I', format('%s_w%s', parent, oldest));
  RETURN true;
END
$$;

-- Weeks that are known to running nodes get their partitions now.
SELECT ensure_expiry_weeks(array_agg(substring(c.relname FROM 'intent_w(\d+)')::integer))
FROM pg_class c WHERE c.relname ~ '^intent_w\d+$';

-- Once a statement, which is once a group commit; it works for nodes of the former schema, too. Its lock
-- waits for whoever is writing outcomes: those before it are visible to the backfill, those after it are
-- fed. Last, for the writers wait from here to the commit.
CREATE TRIGGER feed_certificate_index AFTER INSERT ON outcome
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION feed_certificate_index();
