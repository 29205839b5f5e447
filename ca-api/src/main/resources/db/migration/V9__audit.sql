-- The audit trail: rows that are only ever added, each with the hash of the one before it. Names of chains sort by
-- octets, as the verifier compares them.
CREATE TABLE audit_event (
  chain       text COLLATE "C" NOT NULL CHECK (length(chain) BETWEEN 1 AND 80),
  sequence    bigint           NOT NULL CHECK (sequence >= 1),
  recorded_at timestamptz      NOT NULL,
  kind        text             NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  actor       text             NOT NULL CHECK (length(actor) BETWEEN 1 AND 80),
  -- Text, not jsonb: the hash is over these very octets.
  content     text             NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 65536),
  previous    bytea            NOT NULL CHECK (octet_length(previous) = 32),
  hash        bytea            NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (chain, sequence)
);

-- The primary key reserves a number before anything is signed for it: of several nodes one gets it.
CREATE TABLE audit_checkpoint (
  number      bigint      PRIMARY KEY CHECK (number >= 1),
  -- 10,000 heads of 132 octets at most.
  content     bytea       NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 2097152),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- Apart from the checkpoint, which is never updated. A number without one belongs to a node that ended in between.
CREATE TABLE audit_signature (
  number      bigint      PRIMARY KEY REFERENCES audit_checkpoint,
  signature   bytea       NOT NULL CHECK (octet_length(signature) BETWEEN 1 AND 8192),
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- Where nodes find the key that signs checkpoints. Who verifies takes the public key from elsewhere.
CREATE TABLE audit_key (
  only_row                boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  subject_public_key_info bytea       NOT NULL CHECK (octet_length(subject_public_key_info) BETWEEN 1 AND 8192),
  cka_id                  bytea       NOT NULL CHECK (octet_length(cka_id) BETWEEN 1 AND 255),
  -- PKCS#11 CK_TOKEN_INFO: a label has 32 characters.
  token_label             text        NOT NULL CHECK (length(token_label) <= 32),
  created_at              timestamptz NOT NULL DEFAULT now()
);

-- Against mistakes, not against the owner of the tables, who can drop this: the hashes are for that.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_signature
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
