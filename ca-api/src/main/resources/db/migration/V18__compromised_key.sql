-- Keys that a revocation reported as compromised: not certified again (CA/Browser Forum BR 6.1.1.3;
-- docs/adr/0053-not-issued.md). Rows are only inserted.
CREATE TABLE compromised_key (
  spki_sha256 bytea       PRIMARY KEY CHECK (octet_length(spki_sha256) = 32),
  -- The certificate whose revocation reported it first.
  expiry_week integer     NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial      bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX compromised_key_recorded_at ON compromised_key (recorded_at);

-- SHA-256 of the subjectPublicKeyInfo of a TBSCertificate of version 3 (RFC 5280 4.1), whose seventh field
-- it is; null if the octets are none. The CA writes every key in one encoding, so one key has one hash.
CREATE FUNCTION spki_sha256(tbs bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  place   integer := 0;
  size    bigint;
  header  integer;
  octets  integer;
BEGIN
  FOR field IN 0..7 LOOP
    IF place + 2 > octet_length(tbs) THEN
      RETURN NULL;
    END IF;
    size := get_byte(tbs, place + 1);
    header := 2;
    IF size >= 128 THEN
      octets := size - 128;
      IF octets NOT BETWEEN 1 AND 3 OR place + 2 + octets > octet_length(tbs) THEN
        RETURN NULL;
      END IF;
      size := 0;
      FOR i IN 1..octets LOOP
        size := size * 256 + get_byte(tbs, place + 1 + i);
      END LOOP;
      header := 2 + octets;
    END IF;
    IF place + header + size > octet_length(tbs) THEN
      RETURN NULL;
    END IF;
    IF field = 7 THEN
      RETURN sha256(substring(tbs FROM place + 1 FOR header + size::integer));
    END IF;
    -- The first is the TBSCertificate itself, whose fields follow.
    place := place + header + CASE WHEN field = 0 THEN 0 ELSE size::integer END;
  END LOOP;
  RETURN NULL;
END
$$;

-- Whoever revokes, by whatever statement and whichever release: the key is recorded in the revocation's own
-- transaction. RFC 5280 5.3.1: 1 is keyCompromise.
--
-- A transaction that records intents holds the shared lock of each of its keys' buckets from before it looks
-- for them here until its end; this takes the exclusive one before it records. So each intent either is
-- committed before the key is recorded, or sees the key. Buckets are taken in order, by everybody, before
-- other locks that such a transaction waits for.
CREATE FUNCTION record_compromised_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE reason = 1) THEN
    RETURN NULL;
  END IF;
  FOR found IN
    SELECT DISTINCT get_byte(k.spki, 0) & 63 AS bucket
    FROM (SELECT spki_sha256(i.tbs) AS spki FROM added a
          JOIN intent i ON i.expiry_week = a.expiry_week AND i.serial = a.serial
          WHERE a.reason = 1) AS k
    WHERE k.spki IS NOT NULL
    ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(1853187683, found.bucket);
  END LOOP;
  INSERT INTO compromised_key (spki_sha256, expiry_week, serial)
  SELECT DISTINCT ON (k.spki) k.spki, k.expiry_week, k.serial
  FROM (SELECT spki_sha256(i.tbs) AS spki, i.expiry_week, i.serial FROM added a
        JOIN intent i ON i.expiry_week = a.expiry_week AND i.serial = a.serial
        WHERE a.reason = 1) AS k
  WHERE k.spki IS NOT NULL
  ORDER BY k.spki, k.expiry_week, k.serial
  ON CONFLICT (spki_sha256) DO NOTHING;
  RETURN NULL;
END
$$;

-- Its lock waits for whoever is revoking, and revocations wait for it until the commit: those before it are
-- taken in below, those after it fire it. Some 20 s for a million revocations by this reason.
CREATE TRIGGER record_compromised_keys AFTER INSERT ON revocation
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_compromised_keys();

INSERT INTO compromised_key (spki_sha256, expiry_week, serial)
SELECT DISTINCT ON (k.spki) k.spki, k.expiry_week, k.serial
FROM (SELECT spki_sha256(i.tbs) AS spki, i.expiry_week, i.serial FROM revocation r
      JOIN intent i ON i.expiry_week = r.expiry_week AND i.serial = r.serial
      WHERE r.reason = 1) AS k
WHERE k.spki IS NOT NULL
ORDER BY k.spki, k.expiry_week, k.serial
ON CONFLICT (spki_sha256) DO NOTHING;
