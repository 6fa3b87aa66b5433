import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';

/** Starts PostgreSQL, with flushes, in a subfolder of `folder`. `closers` stop it. */
export async function startBenchPostgres(closers: AsyncDisposableStack, folder: string): Promise<PostgresServer> {
  const own = join(folder, 'postgres');
  mkdirSync(own);
  // If this process runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(own, { durable: true });
  closers.defer(() => postgres.stop());
  return postgres;
}
