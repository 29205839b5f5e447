-- Three database roles (docs/adr/0060-database-roles.md): the owner of the tables migrates, nodes serve with a role that
-- may do only what their code does, and auditors read. Where one role is all of them, nothing changes.

-- As before, and run with the owner's rights, so that it checks what it is asked for. Names are looked up in the
-- ledger's schema alone: the search_path is fixed below.
CREATE OR REPLACE FUNCTION ensure_expiry_weeks(weeks integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  week      integer;
  parent    text;
  partition text;
BEGIN
  -- A group commit records at most some hundred intents; a migration names the weeks that are there.
  IF cardinality(weeks) > 65536 OR EXISTS (SELECT FROM unnest(weeks) AS w (week)
                                           WHERE w.week IS NULL OR w.week NOT BETWEEN 0 AND 65535) THEN
    RAISE EXCEPTION 'expiry weeks are 0 to 65535, at most 65536 of them';
  END IF;
  IF NOT EXISTS (SELECT FROM unnest(weeks) AS w (week)
                 WHERE to_regclass(format('outcome_w%s', w.week)) IS NULL
                    OR to_regclass(format('revocation_w%s', w.week)) IS NULL
                    OR to_regclass(format('certificate_index_w%s', w.week)) IS NULL
                    OR to_regclass(format('certificate_name_w%s', w.week)) IS NULL) THEN
    RETURN;
  END IF;
  LOCK TABLE intent, outcome, revocation, certificate_index, certificate_name IN SHARE UPDATE EXCLUSIVE MODE;
  FOREACH week IN ARRAY weeks LOOP
    FOREACH parent IN ARRAY ARRAY['intent', 'outcome', 'revocation', 'certificate_index', 'certificate_name'] LOOP
      partition := format('%s_w%s', parent, week);
      IF to_regclass(partition) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL, CHECK (expiry_week = %s))',
                       partition, parent, week);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                       parent, partition, week, week + 1);
      END IF;
    END LOOP;
  END LOOP;
END
$$;

-- As before. What has not expired stays in the index, whoever asks: partitions of this week and later are refused.
CREATE OR REPLACE FUNCTION drop_index_week(parent text, before integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  this_week CONSTANT integer := (extract(epoch FROM now())::bigint / (7 * 24 * 60 * 60))::integer;
  oldest    integer;
BEGIN
  IF parent IS NULL OR parent NOT IN ('certificate_index', 'certificate_name') THEN
    RAISE EXCEPTION '% is not part of the index', parent;
  END IF;
  IF before IS NULL OR before > this_week THEN
    RAISE EXCEPTION 'week % is not over: partitions before week % can be dropped', before, this_week;
  END IF;
  SELECT min(substring(c.relname FROM '_w(\d+)$')::integer) INTO oldest
  FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
  WHERE h.inhparent = parent::regclass;
  IF oldest IS NULL OR oldest >= before THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I', format('%s_w%s', parent, oldest));
  RETURN true;
END
$$;

-- What each role may do to each table. Everything is added, little is changed or removed; FOR UPDATE needs UPDATE, LOCK
-- TABLE needs MAINTAIN, which changes no row. A table that is not listed is out of reach: DatabaseRolesTest names it.
CREATE FUNCTION role_grants() RETURNS TABLE (relation text, service text, reading text)
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
    -- Recorded by the trigger on revocation, with the rights of whoever revokes.
    ('compromised_key',         'SELECT, INSERT',                   'SELECT'),
    ('compromised_key_claim',   'SELECT, INSERT',                   'SELECT'),
    ('node_name',               'SELECT, INSERT, UPDATE',           'SELECT'),
    ('flyway_schema_history',   'SELECT',                           'SELECT')
$$;

-- Gives a role these rights and takes every other one: run by the owner, any number of times. Refuses a role that could
-- help itself to more.
CREATE FUNCTION grant_role(grantee name, kind text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry record;
BEGIN
  IF kind IS NULL OR kind NOT IN ('service', 'reading') THEN
    RAISE EXCEPTION 'the kinds of roles are service and reading, not %', coalesce(kind, 'null');
  END IF;
  -- Several nodes may start at once; pg_class takes one change of a row at a time.
  PERFORM pg_advisory_xact_lock(hashtext('sluice.grant_role'));
  IF (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = grantee)
     OR pg_has_role(grantee, (SELECT c.relowner FROM pg_class c WHERE c.oid = 'intent'::regclass), 'MEMBER')
     OR pg_has_role(grantee, 'pg_write_all_data', 'USAGE')
     OR has_schema_privilege(grantee, current_schema(), 'CREATE') THEN
    RAISE EXCEPTION 'role % is a superuser, a member of the owner''s role or of pg_write_all_data, or may create tables in schema %',
      grantee, current_schema()
      USING HINT = 'Use a role of its own: CREATE ROLE sluice_service LOGIN. See docs/DATABASE.md, "Roles".';
  END IF;
  -- Recovery looks for the oldest transaction that writes, of either role: each must see the other's.
  IF kind = 'service' AND NOT (pg_has_role(grantee, 'pg_read_all_stats', 'USAGE')
                               AND pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')) THEN
    RAISE EXCEPTION 'roles % and % do not see each other''s transactions', grantee, current_user
      USING HINT = format('As a superuser: GRANT pg_read_all_stats TO %I, %I', grantee, current_user);
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), grantee);
  -- Rights that are not on the list, partitions' and functions' too: of what the owner owns, as an extension's is not ours.
  FOR entry IN SELECT c.oid::regclass::text AS relation FROM pg_class c
               WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
                 AND pg_has_role(c.relowner, 'USAGE')
                 AND EXISTS (SELECT FROM aclexplode(c.relacl) a
                             WHERE a.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = grant_role.grantee)
                             UNION ALL
                             SELECT FROM pg_attribute t, aclexplode(t.attacl) a
                             WHERE t.attrelid = c.oid
                               AND a.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = grant_role.grantee)) LOOP
    EXECUTE format('REVOKE ALL ON TABLE %s FROM %I', entry.relation, grantee);
  END LOOP;
  FOR entry IN SELECT p.oid::regprocedure::text AS relation FROM pg_proc p
               WHERE p.pronamespace = current_schema()::regnamespace AND pg_has_role(p.proowner, 'USAGE')
                 AND EXISTS (SELECT FROM aclexplode(p.proacl) a
                             WHERE a.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = grant_role.grantee)) LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %I', entry.relation, grantee);
  END LOOP;
  FOR entry IN SELECT g.relation, CASE kind WHEN 'service' THEN g.service ELSE g.reading END AS granted
               FROM role_grants() g WHERE to_regclass(g.relation) IS NOT NULL LOOP
    EXECUTE format('GRANT %s ON TABLE %I TO %I', entry.granted, entry.relation, grantee);
  END LOOP;
  IF kind = 'service' THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION ensure_expiry_weeks(integer[]), drop_index_week(text, integer) TO %I',
                   grantee);
  END IF;
END
$$;

-- The service may revoke and retire, and take back neither: a column's right alone would let it do both.
CREATE FUNCTION refuse_undoing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The owner may: it can do anything to its tables.
  IF pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'what was revoked or retired in % stays so', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER credential_stays_revoked BEFORE UPDATE ON credential FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION refuse_undoing();
CREATE TRIGGER issuer_stays_retired BEFORE UPDATE ON issuer FOR EACH ROW
  WHEN (OLD.state = 'retired' AND NEW.state IS DISTINCT FROM OLD.state)
  EXECUTE FUNCTION refuse_undoing();

-- Only now, for CREATE OR REPLACE leaves the owner and takes the settings. pg_catalog is searched first because it is not
-- named; pg_temp last, so that no temporary table stands in for one of ours.
DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY['ensure_expiry_weeks(integer[])', 'drop_index_week(text, integer)'] LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', signature, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
  END LOOP;
  EXECUTE format('ALTER FUNCTION grant_role(name, text) SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION grant_role(name, text), role_grants() FROM PUBLIC;
