-- What waits for a second person, append-only: the exact act, who decided about it, how it ended.
CREATE TABLE approval (
  id          uuid        PRIMARY KEY,
  action      text        NOT NULL CHECK (length(action) <= 40),
  -- The act as canonical JSON; nothing else is carried out.
  content     text        NOT NULL CHECK (octet_length(content) BETWEEN 2 AND 16384),
  sha256      bytea       NOT NULL CHECK (sha256 = sha256(convert_to(content, 'UTF8'))),
  asked_by    text        NOT NULL CHECK (length(asked_by) <= 64),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  UNIQUE (id, asked_by, sha256)
);
CREATE INDEX approval_recorded_at ON approval (recorded_at);

-- The primary key is the decision: the first one stands. Who asked can only withdraw, and everybody else can do
-- anything but that; a decision is about the very content that was asked for.
CREATE TABLE approval_decision (
  approval    uuid        PRIMARY KEY,
  decision    text        NOT NULL CHECK (decision IN ('approved', 'refused', 'withdrawn')),
  decided_by  text        NOT NULL CHECK (length(decided_by) <= 64),
  asked_by    text        NOT NULL,
  sha256      bytea       NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((decision = 'withdrawn') = (decided_by = asked_by)),
  FOREIGN KEY (approval, asked_by, sha256) REFERENCES approval (id, asked_by, sha256)
);

CREATE TABLE approval_end (
  approval    uuid        PRIMARY KEY REFERENCES approval_decision,
  outcome     text        NOT NULL CHECK (outcome IN ('done', 'failed')),
  detail      text        NOT NULL CHECK (length(detail) <= 1000),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- The acts that some node was ever told to hold back: then every node does, whatever it was told. Removed by hand only.
CREATE TABLE approval_rule (
  action      text        PRIMARY KEY CHECK (length(action) <= 40),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- An approval activates once.
ALTER TABLE profile_activation ADD COLUMN approval uuid UNIQUE REFERENCES approval_decision;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_decision
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON approval_end
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
