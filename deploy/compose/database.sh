#!/bin/bash
# Run once by the image of PostgreSQL, when its cluster is new: the nodes' role, which owns its database and nothing else.
set -euo pipefail
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$(cat /credentials/database/sluice.password)" --username=postgres --dbname=postgres <<'SQL'
CREATE ROLE sluice LOGIN PASSWORD :'password';
CREATE DATABASE sluice OWNER sluice;
SQL
