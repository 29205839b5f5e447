-- The watermark moves only as far as an earlier pass has announced, and no intent is given a time
-- before what is announced: so an intent that a set-back clock dates early cannot fall behind a
-- watermark that moves while it is written. Nodes of the former schema go on as they did.
ALTER TABLE recovery_watermark ADD COLUMN announced timestamptz NOT NULL DEFAULT '-infinity';
