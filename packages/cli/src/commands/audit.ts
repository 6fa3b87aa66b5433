import { once } from 'node:events';
import type { AuditList } from '@telecine/client/api.ts';
import { escapeControls } from '@telecine/contract/domain/text-validation.ts';
import type { Command } from 'commander';
import { EXIT_HELP } from '../exit-codes.ts';
import { addUrlOption } from '../session/command-options.ts';
import { findVerb, openService, readRequest } from '../session/operation-verbs.ts';
import { runCommand } from '../session/run-command.ts';
import { optionOf } from '../session/verb-options.ts';

export function declare(audit: Command): void {
  const { members, ...verb } = findVerb('audit export');
  const filters = members.filter(({ name }) => name !== 'order' && name !== 'limit');
  const declared = addUrlOption(
    audit.command('export').description('print the records of the audit log as JSON lines, oldest first'),
  ).addHelpText('after', EXIT_HELP);
  for (const member of filters) declared.addOption(optionOf(member));
  declared.action((flags: { readonly url?: string }) =>
    runCommand({ json: true }, async (signal) => {
      const { call } = await openService(flags.url, { signal, readsOnly: true });
      const { query } = await readRequest({ ...verb, members: filters }, declared);
      for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
        const page = await call('listAudit', { query: { ...query, order: 'oldest', limit: 1000, cursor } });
        const { records, nextCursor } = page as AuditList;
        const lines = escapeControls(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain', { signal });
        cursor = nextCursor;
      }
    }),
  );
}
