-- Figures of all nodes for the console's live pages (docs/adr/0082-figures-of-all-nodes.md). Times are the database's.

-- When a live page of any node was open last: one row. Nodes write their figures for 20 seconds after it.
CREATE TABLE console_watch (
  id        boolean     PRIMARY KEY DEFAULT true CHECK (id),
  -- Since when pages have been open without a pause.
  began_at  timestamptz NOT NULL,
  looked_at timestamptz NOT NULL
) WITH (fillfactor = 50);

INSERT INTO console_watch (began_at, looked_at) VALUES ('-infinity', '-infinity');

-- Kept for an hour.
CREATE TABLE node_second (
  second        timestamptz      NOT NULL,
  node          text COLLATE "C" NOT NULL,
  -- What limits the node, where, and its most used token.
  state         text COLLATE "C" NOT NULL,
  stage         text COLLATE "C" NOT NULL,
  token         text             NOT NULL,
  depth         integer          NOT NULL,
  wait_seconds  real             NOT NULL,
  utilization   real             NOT NULL,
  -- Certificates, and refused requests, a second.
  issued        real             NOT NULL,
  refused       real             NOT NULL,
  window_jobs   real             NOT NULL,
  tokens_usable integer          NOT NULL,
  tokens        integer          NOT NULL,
  PRIMARY KEY (second, node)
);

-- As in V31, with the tables above.
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
    -- Hashes of cookies are not for reports.
    ('console_session',         'SELECT, INSERT, UPDATE (seen_at), DELETE',
     'SELECT (credential, requester, created_at, seen_at)'),
    ('console_watch',           'SELECT, UPDATE',                   'SELECT'),
    ('node_second',             'SELECT, INSERT, DELETE',           'SELECT'),
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
    ('certificate_life',        'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
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
    ('acme_account',            'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('acme_nonce_epoch',        'SELECT, INSERT',                   'SELECT'),
    ('acme_nonce',              'SELECT, INSERT, DELETE',           'SELECT'),
    ('certificate_request',     'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('request_authorization',   'SELECT, INSERT, UPDATE',           'SELECT'),
    ('endpoint_version',        'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('endpoint_activation',     'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('renewal_rate',            'SELECT, INSERT',                   'SELECT'),
    ('renewal_node_rate',       'SELECT, INSERT, UPDATE',           'SELECT'),
    ('replacement',             'SELECT, INSERT',                   'SELECT'),
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;
