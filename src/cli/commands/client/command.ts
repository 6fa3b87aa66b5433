import type { Command } from 'commander';
import { DEFAULT_SCOPES, SCOPES } from '../../../domain/client.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import type { ClientCommandOptions, ClientVerbs } from './run.ts';

/** Adds `telecine client …` to the program. */
export function addClientCommand(
  program: Command,
  open: ClientCommandOptions['open'],
  print: ClientCommandOptions['print'] = console.log,
  confirm: ClientCommandOptions['confirm'] = askOnTerminal,
): void {
  const client = program.command('client').description('add, list, change and revoke clients of the service');

  const verb = (usage: string, about: string): Command =>
    client
      .command(usage)
      .description(about)
      .option('--url <address>', 'ask the service there, as an administrator, instead of opening its store here')
      .option('--json', 'print JSON, for programs');

  const run = async (command: Command, act: (verbs: ClientVerbs) => Promise<void>): Promise<void> => {
    const { url, json = false } = command.opts<{ url?: string; json?: boolean }>();
    if (url === undefined) return (await import('./run.ts')).runClientVerb(command, { open, print, confirm }, act);
    return (await import('./remote-clients.ts')).runRemoteVerb({ url, json, print, confirm }, act);
  };

  const collect = (text: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    ...text.trim().split(/[\s,]+/),
  ];

  verb('add <name>', 'add a client and show its secret, once')
    .option(
      '--root <dir>',
      'its own media root: absolute, or relative to that of the service; "." shares the media root of the service',
    )
    .option('--scope <scope>', `a scope, repeatable: ${SCOPES.join(', ')}`, collect)
    .option('--limit <key=value>', 'a limit of its conversions, repeatable: see TELECINE_CLIENT_LIMITS', collect)
    .option(
      '--external <subject>',
      'a client without a secret: its subject (sub) at the issuer in TELECINE_OAUTH_ISSUER',
    )
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `\nWithout --root: a folder with its name in the media root of the service. Asks first if that folder already contains files.\nWithout --scope: ${DEFAULT_SCOPES.join(', ')}.`,
    )
    .action((name, options, command) => run(command, (verbs) => verbs.add(name, options)));
  verb('set <name>', 'change the media root, the scopes or limits of a client')
    .option('--root <dir>', 'its media root, as for add')
    .option('--scope <scope>', 'a scope, repeatable; replaces all scopes of the client', collect)
    .option('--limit <key=value>', 'repeatable; none removes a limit, default restores the default', collect)
    .action((name, options, command) => run(command, (verbs) => verbs.set(name, options)));
  verb('list', 'list the clients').action((_, command) => run(command, (verbs) => verbs.list()));
  verb('rotate <name>', 'give a client a new secret; the old one and all its tokens become invalid').action(
    (name, _, command) => run(command, (verbs) => verbs.rotate(name)),
  );
  verb('revoke <name>', 'revoke a client and all its tokens for good, and cancel its jobs')
    .option('--yes', 'do not ask for confirmation')
    .action((name, options, command) => run(command, (verbs) => verbs.revoke(name, options)));
}
