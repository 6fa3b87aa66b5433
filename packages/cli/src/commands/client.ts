import { createInterface } from 'node:readline/promises';
import { ADMIN_CLIENT_ID, DEFAULT_SCOPES, SCOPES } from '@telecine/contract/domain/client.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { MAX_SECRET_GRACE_HOURS } from '@telecine/contract/wire/clients.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import { problemDetail } from '@telecine/contract/wire/problem-view.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { wholeNumberIn } from '../session/command-options.ts';
import { connect } from '../session/credentials.ts';
import { runCommand } from '../session/run-command.ts';
import type { ClientsInStore } from './client/clients-in-store.ts';
import { clientsOfService } from './client/clients-of-service.ts';
import type { AddFlags, Limits, ManagedClients, SetFlags, ShownClient, WithSecret } from './client/managed-clients.ts';

/** The parts of a command that tests replace. */
interface Terminal {
  /** Opens the clients in the store when a verb runs. They are closed when the verb has ended. `readsOnly`: it changes nothing. */
  readonly open: (readsOnly: boolean) => Promise<ClientsInStore>;
  readonly print: (line: string) => void;
  /** Asks the operator a yes/no question. Resolves to undefined if nobody can answer. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
}

const TERMINAL: Terminal = {
  open: async (readsOnly) => (await import('./client/clients-in-store.ts')).openClientsInStore(readsOnly),
  print: console.log,
  confirm: askOnTerminal,
};

export function declare(client: Command, { open, print, confirm }: Terminal = TERMINAL): void {
  /** Adds a verb. `act` returns the lines to print. With `json`, it returns one JSON value. */
  const verb = <F extends object>(
    usage: string,
    about: string,
    act: (clients: ManagedClients, json: boolean, name: string, flags: F) => Promise<readonly string[]>,
    { readsOnly = false } = {},
  ): Command =>
    client
      .command(usage)
      .description(about)
      .option('--url <address>', 'ask the service there, as an administrator, instead of opening its store here')
      .option('--json', 'print JSON, for programs')
      .action(async (...given: readonly unknown[]) => {
        const command = given.at(-1) as Command;
        const { url, json = false, ...flags } = command.opts<F & { url?: string; json?: boolean }>();
        const run = async (clients: ManagedClients): Promise<void> => {
          const name = typeof given[0] === 'string' ? given[0] : '';
          for (const line of await act(clients, json, name, flags as unknown as F))
            print(json ? line : plainText(line));
        };
        if (url === undefined) await runInStore(command, () => open(readsOnly), run);
        else await runCommand({ json }, (signal) => run(clientsOfService(connect(url), signal)));
      });

  verb<AddFlags>('add <name>', 'add a client and show its secret, once', async (clients, json, name, flags) => {
    const confirmFolder = async (risk: string): Promise<void> => {
      if (await confirm(`${risk} Use it as its media root?`)) return;
      const fix = 'Name another folder with --root, or add --yes to use this one.';
      throw notConfirmed('/root', `"${name}" is not added. ${risk}`, fix);
    };
    return showClient(await clients.add(name, flags, confirmFolder), json);
  })
    .option('--root <dir>', 'its own media root: absolute, or relative to the media root of the service; "." shares it')
    .option('--scope <scope>', `a scope, repeatable: ${SCOPES.join(', ')}`, collect)
    .option('--limit <key=value>', 'a limit, repeatable: see TELECINE_CLIENT_LIMITS', collect)
    .option('--external <subject>', 'a client without a secret: its subject (sub) at the issuer in TELECINE_OAUTH')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `\nWithout --root: a folder with its name in the media root of the service. Asks first if that folder already contains files.\nWithout --scope: ${DEFAULT_SCOPES.join(', ')}.`,
    );
  verb<SetFlags>(
    'set <name>',
    'change the media root, the scopes or limits of a client',
    async (clients, json, name, flags) => {
      if (flags.root === undefined && flags.scope === undefined && flags.limit === undefined) throw NOTHING_TO_CHANGE;
      return showChanges(await clients.change(name, flags), flags, json);
    },
  )
    .option('--root <dir>', 'its media root, as for add')
    .option('--scope <scope>', 'a scope, repeatable; replaces all scopes of the client', collect)
    .option('--limit <key=value>', 'repeatable; none removes a limit, default restores the default', collect);
  verb(
    'list',
    'list the clients',
    async (clients, json) => {
      const all = await clients.list();
      return json ? [JSON.stringify(all)] : clientTable(all);
    },
    { readsOnly: true },
  );
  verb<{ readonly grace: number }>(
    'rotate <name>',
    'give a client a new secret; the old one and all earlier tokens become invalid after --grace',
    async (clients, json, name, { grace }) => showClient(await clients.rotate(name, grace), json),
  ).option(
    '--grace <hours>',
    'how long the old secret still works, such as 24, so that programs can be changed meanwhile',
    wholeNumberIn(0, MAX_SECRET_GRACE_HOURS),
    0,
  );
  verb<{ readonly yes?: boolean }>(
    'revoke <name>',
    'revoke a client and all its tokens for good, and cancel its jobs',
    async (clients, json, name, { yes = false }) => {
      const known = (await clients.list()).find(({ clientId }) => clientId === name);
      if (!yes && known !== undefined && known.revokedAt === undefined) await confirmRevocation(name, confirm);
      const { clientId, revokedAt } = await clients.revoke(name);
      if (json) return [JSON.stringify({ clientId, revokedAt })];
      return [`${clientId} is revoked. Its tokens stop working within a second, and its jobs are cancelled.`];
    },
  ).option('--yes', 'do not ask for confirmation');
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.trim().split(/[\s,]+/),
];

const NOTHING_TO_CHANGE = invalidRequest([
  { field: '', code: 'MISSING', message: 'Nothing to change.', fix: 'Send --root, --scope or --limit.' },
]);

const notConfirmed = (field: string, message: string, fix: string): Problem =>
  invalidRequest([{ field, code: 'NOT_CONFIRMED', message, fix }]);

/** Runs a verb on the clients in the store, then closes them. Prints a `Problem` and exits. */
async function runInStore(
  command: Command,
  open: () => Promise<ClientsInStore>,
  run: (clients: ManagedClients) => Promise<void>,
): Promise<void> {
  const opened = await open();
  let problem: Problem | undefined;
  try {
    await run(opened.clients);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problem = error;
  } finally {
    await opened.close();
  }
  // `command.error` exits the process, so the store is closed before this line.
  if (problem !== undefined) command.error(explain(problem));
}

function explain(problem: Problem): string {
  const lines = problem.errors.flatMap(({ message, allowed, fix }) => [
    message,
    ...(allowed === undefined ? [] : [`Allowed: ${allowed.join(', ')}.`]),
    ...(fix === undefined ? [] : [httpHint(fix)]),
  ]);
  return `error: ${lines.length === 0 ? problemDetail(problem) : lines.join('\n')}`;
}

const LOSSES = 'Its tokens stop working, its queued and running jobs are cancelled, and its name stays taken.';
const ADMIN_LOSSES =
  'The file admin-client.json is deleted, and no client manages the jobs of all others until you add one with --scope admin.';

/** Asks the operator before a revocation. Throws INVALID_REQUEST unless the answer is yes. */
async function confirmRevocation(name: string, confirm: Terminal['confirm']): Promise<void> {
  const losses = name === ADMIN_CLIENT_ID ? `${LOSSES} ${ADMIN_LOSSES}` : LOSSES;
  if (await confirm(`Revoking "${name}" cannot be undone. ${losses} Revoke it?`)) return;
  const message = `"${name}" is not revoked. Revoking cannot be undone. ${losses}`;
  throw notConfirmed('/name', message, 'Add --yes to revoke it.');
}

/** Asks a yes/no question. Returns undefined without asking if standard input or standard error is not a terminal. */
async function askOnTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Formats limits in the syntax of `--limit`, with sizes in bytes and times in seconds. Returns '' if there are no limits. */
const limitsText = (limits: Limits = {}): string =>
  Object.entries(limits)
    .flatMap(([key, most]) => (most === undefined ? [] : `${key}=${most ?? 'none'}`))
    .join(' ');

/** Shows a client that was added or got a new secret. */
function showClient(client: WithSecret, json: boolean): readonly string[] {
  const { clientId, clientSecret, externalSubject, scopes, root, limits, previousSecretExpiresAt } = client;
  if (json) return [JSON.stringify({ clientId, clientSecret, externalSubject, scopes, root, previousSecretExpiresAt })];
  return [
    `client id      ${clientId}`,
    ...(clientSecret === undefined ? [] : [`client secret  ${clientSecret}`]),
    ...(externalSubject === undefined ? [] : [`subject        ${externalSubject}`]),
    `scopes         ${scopes.join(' ')}`,
    `media root     ${root}`,
    ...(limits === undefined ? [] : [`limits         ${limitsText(limits)}`]),
    ...(previousSecretExpiresAt === undefined ? [] : [`old secret     works until ${previousSecretExpiresAt}`]),
    ...(clientSecret === undefined
      ? []
      : ['Save the secret now: it is not shown again. "telecine client rotate" creates another.']),
  ];
}

function showChanges(
  { clientId, scopes, root, limits = {} }: ShownClient,
  changed: SetFlags,
  json: boolean,
): readonly string[] {
  if (json) return [JSON.stringify({ clientId, scopes, root, limits })];
  const shownLimits = limitsText(limits) || 'the default limits';
  return [
    ...(changed.scope ? [`${clientId} has the scopes ${scopes.join(' ')}; for a new one it needs a new token.`] : []),
    ...(changed.root === undefined ? [] : [`${clientId} has the media root ${root} for jobs that start from now on.`]),
    ...(changed.limit ? [`${clientId} has ${shownLimits}. Running jobs keep theirs.`] : []),
  ];
}

function clientTable(clients: readonly ShownClient[]): readonly string[] {
  const someExternal = clients.some(({ externalSubject }) => externalSubject !== undefined);
  const someLimited = clients.some(({ limits }) => limitsText(limits) !== '');
  return table([
    [
      ...['NAME', 'STATE', 'CREATED', 'LAST USED', 'SCOPES', 'MEDIA ROOT'],
      ...(someExternal ? ['EXTERNAL SUBJECT'] : []),
      ...(someLimited ? ['LIMITS'] : []),
    ],
    ...clients.map(({ clientId, revokedAt, createdAt, lastUsedAt, scopes, root, externalSubject, limits }) => [
      clientId,
      revokedAt === undefined ? 'active' : 'revoked',
      createdAt.slice(0, 10),
      lastUsedAt?.slice(0, 10) ?? 'never',
      scopes.join(' '),
      root,
      ...(someExternal ? [externalSubject ?? ''] : []),
      ...(someLimited ? [limitsText(limits)] : []),
    ]),
  ]);
}
