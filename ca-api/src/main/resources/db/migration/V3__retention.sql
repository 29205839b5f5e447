-- Keys come in the order of time, so a BRIN index finds the old ones and costs inserts next to nothing.
CREATE INDEX idempotency_recorded_at ON idempotency USING brin (recorded_at) WITH (autosummarize = on);
