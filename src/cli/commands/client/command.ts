import type { Command } from 'commander';
import type { Clients, ClientView, NewSecret } from '../../../auth/clients/clients.ts';
import { readClientLimits } from '../../../config/client-limits.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../../domain/client.ts';
import type { ClientLimitChanges } from '../../../domain/client-limits.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { httpHint } from '../../../wire/hint-text.ts';
import { problemDetail } from '../../../wire/problem-view.ts';
import { table } from '../../output/table.ts';
import { resolveClientRoot } from './client-root.ts';

/** What the command works on. */
export interface ClientAdministration {
  readonly clients: Clients;
  /** Absolute, symlinks resolved: the root of clients that have none of their own. */
  readonly mediaRoot: string;
  /** What no client's root may lie in. */
  readonly own: readonly string[];
}

interface Deps extends ClientAdministration {
  /** Prints one line for whoever called. */
  readonly print: (line: string) => void;
  /** Prints for programs: one JSON value. */
  readonly json: boolean;
}

interface AddOptions {
  readonly root?: string;
  readonly scope?: readonly string[];
  readonly limit?: readonly string[];
  readonly external?: string;
}

/** Throws `Problem` where one is none. */
function readLimits(texts: readonly string[]): ClientLimitChanges {
  try {
    return readClientLimits(texts);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw invalidRequest([{ field: '/limit', code: 'BAD_LIMIT', message: `A limit cannot be read: ${said}.` }]);
  }
}

/** As `--limit` takes them, sizes in bytes and times in seconds; '' where there are none. */
const limitsText = (limits: ClientLimitChanges = {}): string =>
  Object.entries(limits)
    .flatMap(([key, most]) => (most === undefined ? [] : `${key}=${most ?? 'none'}`))
    .join(' ');

/** `telecine client …` over clients that are open; each verb throws `Problem`. */
export function clientCommand({ clients, mediaRoot, own, print, json }: Deps) {
  function show({ client, clientSecret }: Pick<NewSecret, 'client'> & Partial<NewSecret>): void {
    const root = client.root ?? mediaRoot;
    if (json) {
      const { clientId, externalSubject, scopes } = client;
      print(JSON.stringify({ clientId, clientSecret, externalSubject, scopes, root }));
      return;
    }
    print(`client id      ${client.clientId}`);
    if (clientSecret !== undefined) print(`client secret  ${clientSecret}`);
    if (client.externalSubject !== undefined) print(`subject        ${client.externalSubject}`);
    print(`scopes         ${client.scopes.join(' ')}`);
    print(`media root     ${root}`);
    if (client.limits !== undefined) print(`own limits     ${limitsText(client.limits)}`);
    if (clientSecret !== undefined)
      print('The secret is shown this once. Keep it now; "telecine client rotate" makes another.');
  }

  return {
    async add(name: string, options: AddOptions): Promise<void> {
      const limits = options.limit === undefined ? {} : { limits: readLimits(options.limit) };
      const root = options.root === undefined ? {} : { root: await resolveClientRoot(options.root, mediaRoot, own) };
      const rest = { ...root, ...limits, scopes: options.scope ?? [] };
      if (options.external === undefined) show(await clients.add(name, rest));
      else show({ client: await clients.addExternal(name, options.external, rest) });
    },
    async set(name: string, options: Required<Pick<AddOptions, 'limit'>>): Promise<void> {
      const { clientId, limits = {} } = await clients.limit(name, readLimits(options.limit));
      print(
        json
          ? JSON.stringify({ clientId, limits })
          : `${clientId} has ${limitsText(limits) || 'the limits of all clients'}, for jobs that start from now on.`,
      );
    },
    async list(): Promise<void> {
      const all = await clients.list();
      if (json) print(JSON.stringify(all.map((client) => ({ ...client, root: client.root ?? mediaRoot }))));
      else for (const line of clientTable(all, mediaRoot)) print(line);
    },
    async rotate(name: string): Promise<void> {
      show(await clients.rotate(name));
    },
    async revoke(name: string): Promise<void> {
      const { clientId, revokedAt } = await clients.revoke(name);
      print(json ? JSON.stringify({ clientId, revokedAt }) : `${clientId} is revoked; its tokens end within a second.`);
    },
  };
}

function clientTable(clients: readonly ClientView[], mediaRoot: string): readonly string[] {
  const someExternal = clients.some(({ externalSubject }) => externalSubject !== undefined);
  const someLimited = clients.some(({ limits }) => limitsText(limits) !== '');
  return table([
    [
      ...['NAME', 'STATE', 'CREATED', 'SCOPES', 'MEDIA ROOT'],
      ...(someExternal ? ['EXTERNAL SUBJECT'] : []),
      ...(someLimited ? ['LIMITS OF ITS OWN'] : []),
    ],
    ...clients.map((client) => [
      client.clientId,
      client.revokedAt === undefined ? 'active' : 'revoked',
      client.createdAt.slice(0, 10),
      client.scopes.join(' '),
      client.root ?? mediaRoot,
      ...(someExternal ? [client.externalSubject ?? ''] : []),
      ...(someLimited ? [limitsText(client.limits)] : []),
    ]),
  ]);
}

function explain(problem: Problem): string {
  const lines = problem.errors.flatMap(({ message, allowed, fix }) => [
    message,
    ...(allowed === undefined ? [] : [`Allowed: ${allowed.join(', ')}.`]),
    ...(fix === undefined ? [] : [httpHint(fix)]),
  ]);
  return `error: ${lines.length === 0 ? problemDetail(problem) : lines.join('\n')}`;
}

/** Adds `telecine client …` to the program. `open` is called once a verb runs; what it opens is closed after it. */
export function addClientCommand(
  program: Command,
  open: () => Promise<ClientAdministration & { close(): Promise<void> }>,
  print: (line: string) => void = console.log,
): void {
  const client = program.command('client').description('Programs and people that may use the service');

  const verb = (usage: string, about: string): Command =>
    client.command(usage).description(about).option('--json', 'print JSON, for programs');

  async function run(command: Command, act: (verbs: ReturnType<typeof clientCommand>) => Promise<void>): Promise<void> {
    const opened = await open();
    let refused: Problem | undefined;
    try {
      await act(clientCommand({ ...opened, print, json: command.opts()['json'] === true }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused = error;
    } finally {
      await opened.close();
    }
    // Ends the process: after the store was closed.
    if (refused !== undefined) command.error(explain(refused));
  }

  const many = (text: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    ...text.trim().split(/[\s,]+/),
  ];

  verb('add <name>', 'add a client and show its secret, once')
    .option('--root <dir>', 'its own media root: absolute, or relative to that of the service')
    .option('--scope <scope>', `what it may do, repeatable: ${SCOPES.join(', ')}`, many)
    .option('--limit <key=value>', 'what a conversion of it may take, repeatable: see TELECINE_CLIENT_LIMITS', many)
    .option('--external <subject>', 'in place of a secret: who this is to the issuer in TELECINE_OAUTH_ISSUER (sub)')
    .addHelpText('after', `\nWithout --scope: ${DEFAULT_SCOPES.join(', ')}.`)
    .action((name, options, command) => run(command, (verbs) => verbs.add(name, options)));
  verb('set <name>', 'change limits of a client')
    .requiredOption('--limit <key=value>', 'repeatable; none lifts it, default gives back that of all clients', many)
    .action((name, options, command) => run(command, (verbs) => verbs.set(name, options)));
  verb('list', 'list the clients').action((_, command) => run(command, (verbs) => verbs.list()));
  verb('rotate <name>', 'give a client a new secret; the old one and all its tokens are void').action(
    (name, _, command) => run(command, (verbs) => verbs.rotate(name)),
  );
  verb('revoke <name>', 'end a client and all its tokens for good').action((name, _, command) =>
    run(command, (verbs) => verbs.revoke(name)),
  );
}
