-- Renewal information (docs/adr/0070-renewal-windows.md): what its counts are read from. The indexes of revocation by time are
-- none of this file's: revocation is large, and an index that is created in a transaction has revocations wait for it. They are
-- created at the start of a node, after the migrations, partition by partition (LargeIndexes).

-- Certificates by life, counted with those of certificate_tally; nodes of releases before do not count here. Lives of one class
-- differ by less than a factor of two: the class is the number of bits of the life's seconds.
CREATE TABLE certificate_life (
  expires_on       date             NOT NULL,
  expiry_week      integer          NOT NULL,
  profile          text COLLATE "C" NOT NULL,
  life_class       integer          NOT NULL CHECK (life_class BETWEEN 1 AND 63),
  shortest_seconds bigint           NOT NULL CHECK (shortest_seconds >= 1),
  longest_seconds  bigint           NOT NULL CHECK (longest_seconds >= shortest_seconds),
  certificates     bigint           NOT NULL CHECK (certificates >= 0),
  PRIMARY KEY (expires_on, profile, life_class)
) WITH (fillfactor = 80);

-- When batches of bulk revocations were recorded: one row stands for up to 500 revocations, so this takes moments.
CREATE INDEX revocation_job_batch_recorded ON revocation_job_batch (recorded_at);

-- As in V28, with the table above.
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
