-- BRIN ranges do not shrink when rows go: once their pages take new keys, every range holds an old one.
DROP INDEX idempotency_recorded_at;
CREATE INDEX idempotency_recorded_at ON idempotency (recorded_at);
CREATE INDEX claim_expires_at ON claim (expires_at);
