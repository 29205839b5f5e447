-- Files of endpoints of ACME that administrators stored while nodes run, as they were sent.
CREATE TABLE endpoint_version (
  name        text        NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  version     integer     NOT NULL CHECK (version BETWEEN 1 AND 1000000),
  content     bytea       NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 65536),
  sha256      bytea       NOT NULL CHECK (sha256 = sha256(content)),
  added_by    text        NOT NULL CHECK (length(added_by) <= 64),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- What is to be served, as in profile_activation: the newest row of a name counts, and numbers become visible in their order.
CREATE TABLE endpoint_activation (
  number       bigint      PRIMARY KEY CHECK (number BETWEEN 1 AND 100000),
  name         text        NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  -- Null: each node's file, or, where there is none, no endpoint.
  version      integer,
  -- The activation of this name that it follows, 0 for none: of two that follow one, the first stands.
  replaces     bigint      NOT NULL CHECK (replaces >= 0 AND replaces < number),
  activated_by text        NOT NULL CHECK (length(activated_by) <= 64),
  -- An approval activates once.
  approval     uuid        UNIQUE REFERENCES approval_decision,
  recorded_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (name, replaces),
  FOREIGN KEY (name, version) REFERENCES endpoint_version (name, version)
);
CREATE INDEX endpoint_activation_newest ON endpoint_activation (name, number);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON endpoint_version
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON endpoint_activation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- As in V25, with the tables above.
CREATE OR REPLACE FUNCTION role_grants() RETURNS TABLE (relation text, service text, reading text)
LANGUAGE sql IMMUTABLE AS $$
  VALUES
    ('intent',                  'SELECT, INSERT',                   'SELECT'),
    ('outcome',                 'SELECT, INSERT',                   'SELECT'),
    ('claim',                   'SELECT, INSERT, DELETE',           'SELECT'),
    ('idempotency',             'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('recovery_watermark',      'SELECT, UPDATE',                   'SELECT'),
    ('unresolved_intent',       'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('issuer',                  'SELECT, INSERT, UPDATE (state), MAINTAIN', 'SELECT'),
    ('issuing_key',             'SELECT, INSERT',                   'SELECT'),
    ('issuer_certificate',      'SELECT, INSERT',                   'SELECT'),
    -- Hashes of tokens are not for reports.
    ('credential',              'SELECT, INSERT, UPDATE (revoked_at)',
     'SELECT (id, requester, kind, roles, profiles, created_at, expires_at, revoked_at)'),
    ('credential_use',          'SELECT, INSERT, UPDATE',           'SELECT'),
    ('profile_version',         'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('profile_edition',         'SELECT, INSERT',                   'SELECT'),
    ('profile_activation',      'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('hsm_token',               'SELECT, INSERT, UPDATE',           'SELECT'),
    ('hsm_engine_group',        'SELECT, INSERT, DELETE',           'SELECT'),
    ('hsm_base_delay',          'SELECT, INSERT',                   'SELECT'),
    ('hsm_node',                'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('hsm_lease',               'SELECT, INSERT, UPDATE',           'SELECT'),
    ('hsm_grant',               'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('crl_scope',               'SELECT, INSERT, UPDATE',           'SELECT'),
    ('revocation',              'SELECT, INSERT',                   'SELECT'),
    -- Superseded CRLs are removed; their signatures go with them, by the owner's foreign keys.
    ('crl',                     'SELECT, INSERT, DELETE',           'SELECT'),
    ('crl_signature',           'SELECT, INSERT',                   'SELECT'),
    ('delta_crl_signature',     'SELECT, INSERT',                   'SELECT'),
    ('ocsp_responder',          'SELECT, INSERT',                   'SELECT'),
    ('audit_event',             'SELECT, INSERT',                   'SELECT'),
    ('audit_checkpoint',        'SELECT, INSERT',                   'SELECT'),
    ('audit_signature',         'SELECT, INSERT',                   'SELECT'),
    ('audit_key',               'SELECT, INSERT',                   'SELECT'),
    ('certificate_feed',        'SELECT, INSERT, DELETE',           'SELECT'),
    ('certificate_index_state', 'SELECT, UPDATE',                   'SELECT'),
    ('certificate_index',       'SELECT, INSERT',                   'SELECT'),
    ('certificate_name',        'SELECT, INSERT',                   'SELECT'),
    ('certificate_tally',       'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('revocation_job',          'SELECT, INSERT',                   'SELECT'),
    ('revocation_job_start',    'SELECT, INSERT',                   'SELECT'),
    ('revocation_job_batch',    'SELECT, INSERT',                   'SELECT'),
    ('revocation_job_end',      'SELECT, INSERT',                   'SELECT'),
    ('backlog',                 'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('backlog_depth',           'SELECT, INSERT, UPDATE',           'SELECT'),
    ('approval',                'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('approval_decision',       'SELECT, INSERT',                   'SELECT'),
    ('approval_end',            'SELECT, INSERT',                   'SELECT'),
    ('approval_rule',           'SELECT, INSERT',                   'SELECT'),
    -- Recorded by the trigger on revocation, with the rights of the role that revokes.
    ('compromised_key',         'SELECT, INSERT',                   'SELECT'),
    ('compromised_key_claim',   'SELECT, INSERT',                   'SELECT'),
    ('node_name',               'SELECT, INSERT, UPDATE',           'SELECT'),
    -- Keys of bindings are sealed, and still no report needs them.
    ('acme_binding',            'SELECT, INSERT, UPDATE (revoked_at)',
     'SELECT (kid, endpoint, requester, names, profiles, is_single, created_by, created_at, expires_at, revoked_at)'),
    ('acme_account',            'SELECT, INSERT, UPDATE',           'SELECT'),
    ('acme_nonce_epoch',        'SELECT, INSERT',                   'SELECT'),
    ('acme_nonce',              'SELECT, INSERT, DELETE',           'SELECT'),
    ('certificate_request',     'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('request_authorization',   'SELECT, INSERT, UPDATE',           'SELECT'),
    -- MAINTAIN: for the lock of those that add a row.
    ('endpoint_version',        'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('endpoint_activation',     'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;
