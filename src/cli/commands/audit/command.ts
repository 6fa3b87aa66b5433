import { type Command, InvalidArgumentError, Option } from 'commander';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../../../domain/audit.ts';
import { EXIT_HELP } from '../../exit-codes.ts';
import { addUrlOption } from '../../session/command-options.ts';
import type { AuditFlags } from '../../session/flags.ts';

/** Adds `telecine audit …` to the program. */
export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('export the audit log (needs the scope admin)');
  addUrlOption(audit.command('export').description('print the records of the audit log as JSON lines, oldest first'))
    .option('--client <name>', 'only records of this client')
    .addOption(new Option('--action <action>', 'only this action').choices(AUDIT_ACTIONS))
    .option('--target <target>', 'only records with this target: the id of a job or client, or the path of a file')
    .addOption(new Option('--outcome <outcome>', 'only records with this outcome').choices(AUDIT_OUTCOMES))
    .option('--from <time>', 'only records from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z', time)
    .option('--to <time>', 'only records before this time', time)
    .addHelpText('after', EXIT_HELP)
    .action(async (flags: AuditFlags) => (await import('./run.ts')).runExport(flags));
}

function time(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('Use a time such as 2026-01-31T12:00:00Z.');
  return at.toISOString();
}
