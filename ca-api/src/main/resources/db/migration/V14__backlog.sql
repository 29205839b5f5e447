-- Orders that nobody has claimed. Who takes one deletes its row, claims the intent and lists it in unresolved_intent,
-- in one transaction: an undecided intent behind the watermark stands in exactly one of the two.
CREATE TABLE backlog (
  requester   text        NOT NULL CHECK (length(requester) <= 64),
  seq         bigint      GENERATED ALWAYS AS IDENTITY,
  expiry_week integer     NOT NULL,
  serial      bytea       NOT NULL CHECK (octet_length(serial) = 19),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (requester, seq)
) WITH (
  -- A queue: rows go at one end. Dead ones in the index are what makes taking slow.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);

CREATE UNIQUE INDEX backlog_serial ON backlog (expiry_week, serial);

-- How many wait for whom: the sums over slots, of which each transaction changes one at random, so that two rarely
-- wait for one another. A slot may fall below zero.
CREATE TABLE backlog_depth (
  requester text     NOT NULL CHECK (length(requester) <= 64),
  slot      smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
  orders    bigint   NOT NULL,
  taken     bigint   NOT NULL,
  PRIMARY KEY (requester, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
