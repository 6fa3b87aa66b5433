import { createInterface } from 'node:readline/promises';
import type { Client, ClientList, ClientWithSecret } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import { ADMIN_CLIENT_ID, DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Command } from 'commander';
import { type Column, listLines } from '../output/result-lines.ts';
import { usageError } from '../session/command-failed.ts';
import { addOperationVerbs, type Operations, openService } from '../session/operation-verbs.ts';

/** The parts of a command that tests replace. */
interface Terminal {
  /** Opens the clients in the store when a verb runs. `readsOnly`: the verb changes nothing. */
  readonly open: (readsOnly: boolean) => Promise<Operations>;
  /** Asks the operator a yes/no question. Resolves to undefined if nobody can answer. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
}

const TERMINAL: Terminal = {
  open: async (readsOnly) => (await import('./client/clients-in-store.ts')).openClientsInStore(readsOnly),
  confirm: askOnTerminal,
};

const ADD_HELP = `
Without --root: a folder with its name in the media root of the service. Asks first if that folder already contains files.
Without --scope: ${DEFAULT_SCOPES.join(', ')}. For --limit, see TELECINE_CLIENT_LIMITS.`;

const URL_HELP = '\nWithout --url, the command opens the store on this machine, also while a service runs.';

/** Declares the verbs for clients. With `--url` they call a service, else the same operations in its store. */
export function declare(client: Command, { open, confirm }: Terminal = TERMINAL): void {
  client.addHelpText('after', URL_HELP);
  addOperationVerbs(
    client,
    {
      listClients: { show: clientTable },
      addClient: {
        add: (add) => add.addHelpText('after', ADD_HELP),
        send: async (sent, _flags, { next }) => {
          const added = await next(sent).catch(async (error: unknown) => {
            const risk = riskOf(error);
            if (risk === undefined) throw error;
            if (await confirm(`${risk} Use it as its media root?`))
              return next({ ...sent, body: { ...sent.body, usesFiles: true } });
            const fix = 'Name another folder with --root, or add --yes to use this one.';
            throw usageError('NOT_CONFIRMED', `"${sent.body?.['clientId']}" is not added. ${risk}`, fix);
          });
          return credentialsOf(added);
        },
        show: showSecret,
      },
      changeClient: {
        send: async (sent, _flags, { next }) => {
          if (Object.keys(sent.body ?? {}).length > 0) return next(sent);
          throw usageError('MISSING', 'Nothing to change.', 'Send --root, --scope or --limit.');
        },
        show: showChanged,
      },
      rotateClient: {
        send: async (sent, _flags, { next }) => credentialsOf(await next(sent)),
        show: showSecret,
      },
      revokeClient: {
        add: (revoke) => revoke.option('--yes', 'do not ask for confirmation'),
        send: async (sent, { yes = false }: { readonly yes?: boolean }, { next, call }) => {
          const name = String(sent.params?.['clientId']);
          const { clients } = (await call('listClients', {})) as ClientList;
          const isActive = clients.some(({ clientId, revokedAt }) => clientId === name && revokedAt === undefined);
          if (!yes && isActive) await confirmRevocation(name, confirm);
          return next(sent);
        },
        show: ({ clientId }) => [
          `${clientId} is revoked. Its tokens stop working within a second, and its jobs are cancelled.`,
        ],
      },
    },
    (address, options) => (address === undefined ? open(options.readsOnly) : openService(address, options)),
  );
}

/** Why the operator has to confirm a new client. undefined: the request failed for another reason. */
function riskOf(error: unknown): string | undefined {
  const errors = error instanceof ClientError ? error.problem?.errors : error instanceof Problem ? error.errors : [];
  return errors?.find(({ code }) => code === 'NOT_CONFIRMED')?.message;
}

/** What `--json` prints for a client with a new secret. It is also a valid body of a request for a token. */
const credentialsOf = ({ createdAt: _, limits: __, ...client }: ClientWithSecret): ClientWithSecret =>
  client as ClientWithSecret;
const LOSSES = 'Its tokens stop working, its queued and running jobs are cancelled, and its name stays taken.';
const ADMIN_LOSSES =
  'The file admin-client.json is deleted, and no client manages the jobs of all others until you add one with --scope admin.';

/** Asks the operator before a revocation. Throws `CommandFailed` unless the answer is yes. */
async function confirmRevocation(name: string, confirm: Terminal['confirm']): Promise<void> {
  const losses = name === ADMIN_CLIENT_ID ? `${LOSSES} ${ADMIN_LOSSES}` : LOSSES;
  if (await confirm(`Revoking "${name}" cannot be undone. ${losses} Revoke it?`)) return;
  const message = `"${name}" is not revoked. Revoking cannot be undone. ${losses}`;
  throw usageError('NOT_CONFIRMED', message, 'Add --yes to revoke it.');
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
const limitsText = (limits: Client['limits'] = {}): string =>
  Object.entries(limits)
    .map(([key, most]) => `${key}=${most ?? 'none'}`)
    .join(' ');

/** Shows a client that was added or got a new secret. */
const showSecret = ({
  clientId,
  clientSecret,
  externalSubject,
  scopes,
  root,
  previousSecretExpiresAt,
}: ClientWithSecret) => [
  `client id      ${clientId}`,
  ...(clientSecret === undefined ? [] : [`client secret  ${clientSecret}`]),
  ...(externalSubject === undefined ? [] : [`subject        ${externalSubject}`]),
  `scopes         ${scopes.join(' ')}`,
  `media root     ${root}`,
  ...(previousSecretExpiresAt === undefined ? [] : [`old secret     works until ${previousSecretExpiresAt}`]),
  ...(clientSecret === undefined
    ? []
    : ['Save the secret now: it is not shown again. "telecine client rotate" creates another.']),
];

const showChanged = ({ clientId, scopes, root, limits }: Client) => [
  `client id   ${clientId}`,
  `scopes      ${scopes.join(' ')}`,
  `media root  ${root}`,
  `limits      ${limitsText(limits) || 'the default limits'}`,
  'A new scope needs a new token. Running jobs keep their folder and limits.',
];

function clientTable({ clients }: ClientList): readonly string[] {
  const columns: readonly Column<Client>[] = [
    ['NAME', ({ clientId }) => clientId],
    ['STATE', ({ revokedAt }) => (revokedAt === undefined ? 'active' : 'revoked')],
    ['CREATED', ({ createdAt }) => createdAt.slice(0, 10)],
    ['LAST USED', ({ lastUsedAt }) => lastUsedAt?.slice(0, 10) ?? 'never'],
    ['SCOPES', ({ scopes }) => scopes.join(' ')],
    ['MEDIA ROOT', ({ root }) => root],
    ...(clients.some(({ externalSubject }) => externalSubject !== undefined) ? (['externalSubject'] as const) : []),
    ...(clients.some(({ limits }) => limitsText(limits) !== '')
      ? ([['LIMITS', ({ limits }: Client) => limitsText(limits)]] as const)
      : []),
  ];
  return listLines(clients, columns);
}
