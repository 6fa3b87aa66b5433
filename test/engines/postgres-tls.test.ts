import { chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type TlsCertificate, tlsCertificate } from '../support/tls-certificate.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('PostgreSQL');

let server: PostgresServer;
let certificate: TlsCertificate;
beforeAll(async () => {
  const folder = await testFolder('postgres');
  server = await startPostgres(folder);
  certificate = await tlsCertificate('IP:127.0.0.1');
  const data = join(folder, 'data');
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ['server.crt', certificate.cert],
    ['server.key', certificate.key],
  ] as const) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chmod(join(data, name), 0o600);
    await chown(join(data, name), uid, gid);
  }
  await server.sql('alter system set ssl = on');
  await server.sql('select pg_reload_conf()');
});
afterAll(() => server?.stop());

const open = async (query: string) => {
  const store = await openPostgres({ url: `${server.url('postgres')}${query}`, onOutage: () => {} });
  onTestFinished(() => store.close());
  return store;
};

test('connects to PostgreSQL by TLS, and checks its certificate', async () => {
  const query = `?sslmode=verify-full&sslrootcert=${certificate.certFile}`;
  const store = await waitUntil('the server to offer TLS', () => open(query).catch(() => undefined));
  const { rows } = await sql<{ ssl: boolean }>`
    select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(store.database.reader);
  expect(rows).toEqual([{ ssl: true }]);
});

test('does not connect to a server whose certificate nobody has signed whom it trusts', async () => {
  const other = await tlsCertificate('IP:127.0.0.1');
  for (const query of ['?sslmode=verify-full', `?sslmode=verify-full&sslrootcert=${other.certFile}`])
    await expect(open(query)).rejects.toMatchObject({
      name: 'PostgresUnusable',
      message: expect.stringMatching(/certificate/),
    });
});
