import { ensurePostgres } from '../../scripts/setup/tools.ts';

/** Installs PostgreSQL if it is missing. If it cannot be installed, `needs` skips or fails the tests. */
export default async function setUp(): Promise<void> {
  const lines: string[] = [];
  if (!(await ensurePostgres((line) => lines.push(line)))) process.stderr.write(`${lines.join('\n')}\n`);
}
