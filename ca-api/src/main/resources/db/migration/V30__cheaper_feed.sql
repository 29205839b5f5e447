-- Certificates that wait for the index, as in V12, with less work. Nodes of the release before run the same trigger and
-- know nothing of the column. The lock on the feed waits for the group commits that are writing, some milliseconds, and
-- for transactions that read the feed.

-- Every group commit that issues writes the feed and waits behind this lock, for a second at most before it is refused: so
-- this gives way after half of that, and comes again.
DO $$
BEGIN
  FOR attempt IN 1..30 LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      LOCK TABLE certificate_feed IN ACCESS EXCLUSIVE MODE;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
  RAISE EXCEPTION 'certificate_feed has been locked for 30 s: wait for or end what holds it (a dump, a vacuum, an open transaction: see pg_locks), and start again';
END
$$;

-- When all certificates of a row were issued; null if at several times, or before this. Those who index need not look each
-- outcome up.
ALTER TABLE certificate_feed ADD COLUMN issued_at timestamptz;

-- A group commit has at most 256 rows, so what it issues is one row of the feed, without numbering and grouping. Only a
-- larger statement, as a restore makes, needs several.
CREATE OR REPLACE FUNCTION feed_certificate_index() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_feed (serials, issued_at)
  SELECT string_agg(f.serial, ''::bytea),
    CASE WHEN min(f.recorded_at) = max(f.recorded_at) THEN min(f.recorded_at) END
  FROM fresh f WHERE f.kind = 'issued' HAVING count(*) BETWEEN 1 AND 256;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO certificate_feed (serials)
  SELECT string_agg(n.serial, ''::bytea)
  FROM (SELECT f.serial, (row_number() OVER () - 1) / 256 AS part FROM fresh f WHERE f.kind = 'issued') n
  GROUP BY n.part;
  RETURN NULL;
END
$$;
