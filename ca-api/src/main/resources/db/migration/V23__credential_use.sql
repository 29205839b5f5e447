-- When each credential was last used, to the hour (docs/adr/0066-credentials.md). A table of its own: what a node writes
-- every hour touches no row that says who may do what.
CREATE TABLE credential_use (
  credential uuid        PRIMARY KEY REFERENCES credential,
  -- The beginning of the hour, by the clock of a node.
  used_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- As in V21, with the table above.
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
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;
