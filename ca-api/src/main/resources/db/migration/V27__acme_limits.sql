-- Limits of ACME by the network that an account was registered from, and the removal of unused accounts
-- (docs/adr/0069-acme.md).

ALTER TABLE acme_account
  -- From which it was registered; absent for a configured proxy, and where there is a binding.
  ADD COLUMN network        text CHECK (length(network) BETWEEN 1 AND 64),
  -- Whether it has ever asked for an order. For older accounts this is not known.
  ADD COLUMN is_used        boolean NOT NULL DEFAULT true,
  ADD COLUMN key_changed_at timestamptz;
ALTER TABLE acme_account ALTER COLUMN is_used SET DEFAULT false;
CREATE INDEX acme_account_network ON acme_account (endpoint, network, created_at)
  WHERE binding IS NULL AND network IS NOT NULL;
CREATE INDEX acme_account_unused ON acme_account (created_at) WHERE binding IS NULL AND NOT is_used;

-- The account's network, where it has one.
ALTER TABLE certificate_request ADD COLUMN network text CHECK (length(network) BETWEEN 1 AND 64);
CREATE INDEX certificate_request_open_in ON certificate_request (requester, network)
  WHERE csr IS NULL AND network IS NOT NULL;
CREATE INDEX certificate_request_refused_of ON certificate_request (actor, created_at)
  WHERE refusal IS NOT NULL;

ALTER TABLE request_authorization ADD COLUMN network text CHECK (length(network) BETWEEN 1 AND 64);
CREATE INDEX request_authorization_running_in ON request_authorization (endpoint, network)
  WHERE status = 'processing' AND network IS NOT NULL;

-- As in V26; unused accounts are removed.
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
    ('acme_account',            'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('acme_nonce_epoch',        'SELECT, INSERT',                   'SELECT'),
    ('acme_nonce',              'SELECT, INSERT, DELETE',           'SELECT'),
    ('certificate_request',     'SELECT, INSERT, UPDATE, DELETE',   'SELECT'),
    ('request_authorization',   'SELECT, INSERT, UPDATE',           'SELECT'),
    ('endpoint_version',        'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('endpoint_activation',     'SELECT, INSERT, MAINTAIN',         'SELECT'),
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;
