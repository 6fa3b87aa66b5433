import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensurePostgres } from '../../scripts/setup/tools.ts';
import { startPostgres } from '../support/postgres.ts';

/** Starts one PostgreSQL server for the projects whose test servers each have a database of it. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('postgresServer' in vitest.getProvidedContext()) return undefined;
  if (!(await ensurePostgres((line) => process.stderr.write(`${line}\n`)))) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'telecine-postgres-'));
  const server = await startPostgres(folder);
  vitest.provide('postgresServer', server.url('').replace(/\/$/, ''));
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
