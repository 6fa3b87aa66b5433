import { ensurePostgres } from '../../scripts/setup/tools.ts';

/** Installs PostgreSQL if it is missing. */
export default async function setUp(): Promise<void> {
  await ensurePostgres((line) => process.stderr.write(`${line}\n`));
}
