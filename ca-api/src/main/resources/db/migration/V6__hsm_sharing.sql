-- How the nodes on a token share it. A token is called by its label: PKCS#11 CK_TOKEN_INFO has 32 characters.

-- What a token was measured to be at its commissioning. Without a row its nodes use fixed windows.
CREATE TABLE hsm_token (
  hsm           text        PRIMARY KEY CHECK (length(hsm) <= 32),
  engines       integer     NOT NULL CHECK (engines BETWEEN 1 AND 4096),
  calibrated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE hsm_base_delay (
  hsm          text             NOT NULL REFERENCES hsm_token ON DELETE CASCADE,
  mechanism    text             NOT NULL CHECK (length(mechanism) <= 40),
  key_bits     integer          NOT NULL CHECK (key_bits > 0),
  base_seconds double precision NOT NULL CHECK (base_seconds > 0 AND base_seconds <= 60),
  PRIMARY KEY (hsm, mechanism, key_bits)
);

-- The newest report of each process. Written once a second, so there is room for the next version of
-- a row beside it, and no index on what changes.
CREATE TABLE hsm_node (
  hsm          text             NOT NULL CHECK (length(hsm) <= 32),
  node         text             NOT NULL CHECK (length(node) <= 80),
  reported_at  timestamptz      NOT NULL,
  demand       double precision NOT NULL,
  width        double precision NOT NULL,
  rtt_seconds  double precision NOT NULL,
  completions  bigint           NOT NULL,
  delay        double precision NOT NULL,
  squares      double precision NOT NULL,
  service      double precision NOT NULL,
  travel       double precision NOT NULL,
  busy         integer          NOT NULL,
  inflight_max integer          NOT NULL,
  elapsed      double precision NOT NULL,
  grant_seen   bigint           NOT NULL,
  PRIMARY KEY (hsm, node)
) WITH (fillfactor = 50);

-- Who divides the token's window. One takes over from another by an update whose condition is that
-- this lease is over: of several, one finds it so.
CREATE TABLE hsm_lease (
  hsm     text        PRIMARY KEY CHECK (length(hsm) <= 32),
  node    text        NOT NULL CHECK (length(node) <= 80),
  epoch   integer     NOT NULL CHECK (epoch >= 0),
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE hsm_grant (
  hsm     text             NOT NULL CHECK (length(hsm) <= 32),
  node    text             NOT NULL CHECK (length(node) <= 80),
  number  bigint           NOT NULL CHECK (number > 0),
  width   double precision NOT NULL CHECK (width > 0),
  ends_at timestamptz      NOT NULL,
  PRIMARY KEY (hsm, node)
) WITH (fillfactor = 50);
