import type { Command } from 'commander';
import { addServiceOptions, numberIn } from '../../session/command-options.ts';
import type { JobsFlags, ListenFlags, WebhookFlags } from '../../session/flags.ts';

/** The port of `telecine webhook listen` without `--port`. */
const LISTEN_PORT = 4280;

/** Adds `telecine webhook …` to the program. */
export function addWebhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('register webhooks, see their deliveries, and try them out');
  const verb = (usage: string, about: string, isDefault = false): Command =>
    addServiceOptions(webhook.command(usage, { isDefault }).description(about));
  const load = () => import('./run.ts');
  const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

  verb('list', 'list your webhooks (the default)', true).action(async (flags: JobsFlags) =>
    (await load()).runList(flags),
  );
  verb('add <url>', 'register a webhook and show its secret, once')
    .option('--event <type>', 'only events of this type, repeatable, such as job.failed', collect)
    .option('--description <text>', 'your own note')
    .action(async (url: string, flags: WebhookFlags) => (await load()).runAdd(url, flags));
  verb('enable <id>', 'send events again').action(async (id: string, flags: JobsFlags) =>
    (await load()).runEnable(id, true, flags),
  );
  verb('disable <id>', 'send no events').action(async (id: string, flags: JobsFlags) =>
    (await load()).runEnable(id, false, flags),
  );
  verb('delete <id>', 'delete a webhook with its deliveries').action(async (id: string, flags: JobsFlags) =>
    (await load()).runDelete(id, flags),
  );
  verb('rotate <id>', 'show a new secret, once; the old one signs for another day').action(
    async (id: string, flags: JobsFlags) => (await load()).runRotate(id, flags),
  );
  verb('secret', 'show a new secret for the callbackUrl of requests, once').action(async (flags: JobsFlags) =>
    (await load()).runRotate(undefined, flags),
  );
  verb('test <id>', 'send a test event').action(async (id: string, flags: JobsFlags) =>
    (await load()).runTest(id, flags),
  );
  verb('deliveries <id>', 'list the newest deliveries of a webhook').action(async (id: string, flags: JobsFlags) =>
    (await load()).runDeliveries(id, flags),
  );
  verb('replay <id> <delivery>', 'send an event again').action(async (id: string, delivery: string, flags: JobsFlags) =>
    (await load()).runReplay(id, delivery, flags),
  );
  webhook
    .command('listen')
    .description('receive webhooks on this machine, and print and verify them; for development')
    .option('--port <port>', 'port to listen on, 0 for any', numberIn(0, 65_535), LISTEN_PORT)
    .option('--json', 'print JSON lines, for programs')
    .addHelpText(
      'after',
      '\nThe secret is read from TELECINE_WEBHOOK_SECRET, from the file in TELECINE_WEBHOOK_SECRET_FILE, or from standard input.',
    )
    .action(async (flags: ListenFlags) => (await import('./listen.ts')).runListen(flags));
}
