import { once } from 'node:events';
import { connect } from '../../session/credentials.ts';
import type { AuditFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';

/** Prints the records page by page, each as a line of JSON. */
export const runExport = ({ url, ...filter }: AuditFlags): Promise<void> =>
  runCommand({ json: true }, async (signal) => {
    const client = connect(url);
    let cursor: string | undefined;
    do {
      const page = await client.audit({ ...filter, order: 'oldest', limit: 1000, cursor, signal });
      const lines = page.records.map((record) => `${JSON.stringify(record)}\n`).join('');
      if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain', { signal });
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  });
