-- A requester's own word that a key is compromised counts for that requester alone: anybody can have a certificate of
-- another's key, by a copy of the other's request, and would end the other's key by revoking it. What an officer, a
-- ceremony or the CA itself revokes counts for everybody (docs/adr/0053-not-issued.md). Rows are only inserted. What was
-- reported before stays as it is: for everybody.
CREATE TABLE compromised_key_claim (
  spki_sha256 bytea       NOT NULL CHECK (octet_length(spki_sha256) = 32),
  requester   text        NOT NULL CHECK (length(requester) BETWEEN 1 AND 64),
  -- The certificate whose revocation reported it first.
  expiry_week integer     NOT NULL CHECK (expiry_week BETWEEN 0 AND 65535),
  serial      bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (spki_sha256, requester)
);

-- As in V18, with the same locks; the reporter of each key decides for whom.
CREATE OR REPLACE FUNCTION record_compromised_keys() RETURNS trigger LANGUAGE plpgsql AS $$
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
        WHERE a.reason = 1 AND a.requester <> i.requester) AS k
  WHERE k.spki IS NOT NULL
  ORDER BY k.spki, k.expiry_week, k.serial
  ON CONFLICT (spki_sha256) DO NOTHING;
  INSERT INTO compromised_key_claim (spki_sha256, requester, expiry_week, serial)
  SELECT DISTINCT ON (k.spki, k.requester) k.spki, k.requester, k.expiry_week, k.serial
  FROM (SELECT spki_sha256(i.tbs) AS spki, i.requester, i.expiry_week, i.serial FROM added a
        JOIN intent i ON i.expiry_week = a.expiry_week AND i.serial = a.serial
        WHERE a.reason = 1 AND a.requester = i.requester) AS k
  WHERE k.spki IS NOT NULL
  ORDER BY k.spki, k.requester, k.expiry_week, k.serial
  ON CONFLICT (spki_sha256, requester) DO NOTHING;
  RETURN NULL;
END
$$;
