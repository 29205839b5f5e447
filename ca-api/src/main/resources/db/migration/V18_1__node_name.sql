-- The names under which clients reach the nodes: reserved in every profile (docs/adr/0053-not-issued.md).
-- Each node writes its own; a name stays reserved for 90 days, the life of a node's certificate, after
-- the last node that had it.
CREATE TABLE node_name (
  -- A DNS name or an address, in lower case.
  name    text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 253),
  node    text        NOT NULL CHECK (length(node) <= 80),
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
