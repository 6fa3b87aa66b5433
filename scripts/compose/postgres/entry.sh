# Creates the cluster at the first start, as the image postgres does, and runs the server.
set -eu
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 \
    --locale C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  # Only over the socket, so that the health check waits for the server with its database.
  pg_ctl -D "$data" -o "-c listen_addresses='' -c unix_socket_directories=/tmp" -w start
  PGPASSWORD="$POSTGRES_PASSWORD" createdb --host /tmp --username "$POSTGRES_USER" "$POSTGRES_USER"
  pg_ctl -D "$data" -m fast -w stop
fi
exec postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
