import { once } from 'node:events';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditAction, type AuditOutcome } from '@telecine/contract/domain/audit.ts';
import { escapeControls } from '@telecine/contract/domain/text-validation.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT_HELP } from '../exit-codes.ts';
import { addUrlOption } from '../session/command-options.ts';
import { connect } from '../session/credentials.ts';
import { pagesOf } from '../session/pages.ts';
import { runCommand } from '../session/run-command.ts';

interface AuditFlags {
  readonly url?: string;
  readonly client?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly outcome?: AuditOutcome;
  readonly from?: string;
  readonly to?: string;
}

export function declare(audit: Command): void {
  addUrlOption(audit.command('export').description('print the records of the audit log as JSON lines, oldest first'))
    .option('--client <name>', 'only records of this client')
    .addOption(new Option('--action <action>', 'only this action').choices(AUDIT_ACTIONS))
    .option('--target <target>', 'only records with this target: the id of a job or client, or the path of a file')
    .addOption(new Option('--outcome <outcome>', 'only records with this outcome').choices(AUDIT_OUTCOMES))
    .option('--from <time>', 'only records from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z', time)
    .option('--to <time>', 'only records before this time', time)
    .addHelpText('after', EXIT_HELP)
    .action(exportRecords);
}

function time(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('Use a time such as 2026-01-31T12:00:00Z.');
  return at.toISOString();
}

/** Prints the records of the audit log page by page, one JSON object per line. */
const exportRecords = ({ url, ...filter }: AuditFlags): Promise<void> =>
  runCommand({ json: true }, async (signal) => {
    const client = connect(url);
    const query = { ...filter, order: 'oldest', limit: 1000, signal } as const;
    for await (const { records } of pagesOf((cursor) => client.audit({ ...query, cursor }))) {
      const lines = escapeControls(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain', { signal });
    }
  });
