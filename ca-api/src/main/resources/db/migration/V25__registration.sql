-- Requests for certificates that exist before their intent, and ACME's accounts, bindings and nonces (docs/adr/0069-acme.md).

-- External account bindings (RFC 8555 7.3.4): with which names and profiles an account may be made, and whose share it uses.
CREATE TABLE acme_binding (
  kid        text        PRIMARY KEY CHECK (length(kid) BETWEEN 1 AND 64),
  endpoint   text        NOT NULL CHECK (length(endpoint) BETWEEN 1 AND 40),
  requester  text        NOT NULL CHECK (length(requester) BETWEEN 1 AND 64),
  names      text[]      NOT NULL CHECK (cardinality(names) BETWEEN 1 AND 100),
  -- Empty for all profiles of the endpoint.
  profiles   text[]      NOT NULL CHECK (cardinality(profiles) <= 100),
  -- Encrypted under a key that is not in the database.
  hmac_key   bytea       NOT NULL,
  -- For one account alone.
  is_single  boolean     NOT NULL,
  created_by text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX acme_binding_list ON acme_binding (created_at, kid);
CREATE TRIGGER acme_binding_stays_revoked BEFORE UPDATE ON acme_binding FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION refuse_undoing();

CREATE TABLE acme_account (
  id         bytea       PRIMARY KEY CHECK (octet_length(id) = 16),
  endpoint   text        NOT NULL,
  -- Of the account's key (RFC 7638).
  thumbprint bytea       NOT NULL CHECK (octet_length(thumbprint) = 32),
  spki       bytea       NOT NULL,
  contacts   text[]      NOT NULL,
  -- Absent at an endpoint that asks for none.
  binding    text        REFERENCES acme_binding,
  -- Whose share it uses.
  requester  text        NOT NULL CHECK (length(requester) BETWEEN 1 AND 64),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz,
  UNIQUE (endpoint, thumbprint)
);
CREATE INDEX acme_account_binding ON acme_account (binding) WHERE binding IS NOT NULL;
CREATE INDEX acme_account_new ON acme_account (endpoint, created_at) WHERE binding IS NULL;
CREATE TRIGGER acme_account_stays_ended BEFORE UPDATE ON acme_account FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL)
  EXECUTE FUNCTION refuse_undoing();

CREATE TABLE certificate_request (
  id             bytea       PRIMARY KEY CHECK (octet_length(id) = 16),
  endpoint       text        NOT NULL,
  requester      text        NOT NULL,
  -- The account that sent it.
  actor          bytea       NOT NULL CHECK (octet_length(actor) = 16),
  profile        text        NOT NULL,
  -- Each is its type, a colon and its value.
  identifiers    text[]      NOT NULL CHECK (cardinality(identifiers) BETWEEN 1 AND 100),
  created_at     timestamptz NOT NULL DEFAULT now(),
  expires_at     timestamptz NOT NULL,
  -- The certificate whose place it takes (RFC 9773 5).
  replaces       bytea       CHECK (octet_length(replaces) = 19),
  -- Whether names of it had to be proven: one row each in request_authorization.
  has_proofs     boolean     NOT NULL,
  csr            bytea,
  finalized_at   timestamptz,
  -- When the loop that finishes requests last tried, at first when the CSR came.
  tried_at       timestamptz,
  serial         bytea       CHECK (octet_length(serial) = 19),
  refusal        text        CHECK (refusal IN ('bad_csr', 'not_allowed', 'given_up')),
  refusal_detail text,
  CHECK ((csr IS NULL) = (finalized_at IS NULL) AND (csr IS NULL) = (tried_at IS NULL)),
  CHECK (csr IS NOT NULL OR (serial IS NULL AND refusal IS NULL)),
  CHECK ((refusal IS NULL) = (refusal_detail IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX certificate_request_actor ON certificate_request (actor, created_at, id);
CREATE INDEX certificate_request_serial ON certificate_request (serial) WHERE serial IS NOT NULL;
CREATE INDEX certificate_request_replaces ON certificate_request (replaces)
  WHERE replaces IS NOT NULL AND csr IS NOT NULL;
CREATE INDEX certificate_request_unrecorded ON certificate_request (tried_at)
  WHERE csr IS NOT NULL AND serial IS NULL AND refusal IS NULL;
CREATE INDEX certificate_request_open ON certificate_request (requester) WHERE csr IS NULL;
CREATE INDEX certificate_request_open_of ON certificate_request (actor) WHERE csr IS NULL;
CREATE INDEX certificate_request_expiry ON certificate_request (expires_at) WHERE csr IS NULL;
CREATE INDEX certificate_request_refused ON certificate_request (created_at) WHERE refusal IS NOT NULL;

-- Names of requests that have to be proven. A request may be finalized when all of its rows are valid.
CREATE TABLE request_authorization (
  request      bytea       NOT NULL REFERENCES certificate_request ON DELETE CASCADE,
  -- Which of the request's names, from 0.
  number       smallint    NOT NULL CHECK (number BETWEEN 0 AND 99),
  actor        bytea       NOT NULL CHECK (octet_length(actor) = 16),
  endpoint     text        NOT NULL,
  token        text        NOT NULL CHECK (length(token) BETWEEN 22 AND 64),
  status       text        NOT NULL DEFAULT 'pending'
               CHECK (status IN ('pending', 'processing', 'valid', 'invalid', 'deactivated')),
  -- What its client has chosen, and the thumbprint of the account's key at that time.
  method       text,
  thumbprint   text,
  attempts     smallint    NOT NULL DEFAULT 0,
  -- When a node looks for the proof.
  next_at      timestamptz,
  fault_kind   text,
  fault_detail text,
  PRIMARY KEY (request, number),
  CHECK ((method IS NULL) = (thumbprint IS NULL)),
  CHECK (status <> 'processing' OR (method IS NOT NULL AND next_at IS NOT NULL)),
  CHECK ((fault_kind IS NULL) = (fault_detail IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX request_authorization_due ON request_authorization (next_at) WHERE status = 'processing';
CREATE INDEX request_authorization_running ON request_authorization (actor) WHERE status = 'processing';
CREATE INDEX request_authorization_running_at ON request_authorization (endpoint) WHERE status = 'processing';

-- Nonces that were spent, until no node accepts them any more. Unlogged: written without a flush. A crash or a fail-over
-- empties both tables, and a nonce of another epoch is not accepted.
CREATE UNLOGGED TABLE acme_nonce_epoch (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  epoch   bytea   NOT NULL CHECK (octet_length(epoch) = 8)
);
CREATE UNLOGGED TABLE acme_nonce (
  -- When it was made, in units of ten minutes since 1970.
  slot  integer NOT NULL,
  nonce bytea   NOT NULL CHECK (octet_length(nonce) = 16),
  PRIMARY KEY (slot, nonce)
);

-- As in V23, with the tables above.
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
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;
