-- Profile files that administrators stored while nodes run, as they were sent. Version 1 is what a file is that states
-- none, so none of these is ever taken for it.
CREATE TABLE profile_edition (
  name        text        NOT NULL CHECK (length(name) <= 40),
  version     integer     NOT NULL CHECK (version >= 2),
  content     bytea       NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 65536),
  -- Over the content's octets; the digest in profile_version leaves comments out.
  sha256      bytea       NOT NULL CHECK (octet_length(sha256) = 32),
  added_by    text        NOT NULL CHECK (length(added_by) <= 64),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- What is to issue. The newest row of a name counts; nodes ask for the highest number alone, and numbers become visible
-- in their order, since whoever takes one holds the table.
CREATE TABLE profile_activation (
  -- A node reads them all when one is added.
  number       bigint      PRIMARY KEY CHECK (number BETWEEN 1 AND 100000),
  name         text        NOT NULL CHECK (length(name) <= 40),
  -- Null: each node's file again.
  version      integer,
  -- The activation of this name that it follows, 0 for none: of two that follow one, the first stands.
  replaces     bigint      NOT NULL CHECK (replaces >= 0 AND replaces < number),
  activated_by text        NOT NULL CHECK (length(activated_by) <= 64),
  recorded_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (name, replaces),
  FOREIGN KEY (name, version) REFERENCES profile_edition (name, version)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON profile_edition
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON profile_activation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
