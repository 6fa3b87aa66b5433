import type { Command } from 'commander';
import type { ClientRoots } from '../../../auth/clients/administration.ts';
import { checkClientName } from '../../../auth/clients/client-name.ts';
import type { Clients, ClientView, NewSecret } from '../../../auth/clients/clients.ts';
import { ADMIN_CLIENT_ID } from '../../../auth/clients/ensure-admin.ts';
import { readClientLimits } from '../../../config/client-limits.ts';
import type { ClientLimitChanges } from '../../../domain/client-limits.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { httpHint } from '../../../wire/hint-text.ts';
import { problemDetail } from '../../../wire/problem-view.ts';
import { table } from '../../output/table.ts';

/** The clients that the command manages, and their media roots. */
export interface ClientAdministration {
  readonly clients: Clients;
  readonly roots: ClientRoots;
}

export interface ClientCommandOptions {
  /** Opens the clients when a verb runs. They are closed after the verb. */
  readonly open: () => Promise<ClientAdministration & { close(): Promise<void> }>;
  readonly print: (line: string) => void;
  /** Asks the operator. Resolves to undefined if nobody can answer. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
}

interface Deps extends ClientAdministration {
  /** Prints one line for people. */
  readonly print: (line: string) => void;
  readonly confirm: ClientCommandOptions['confirm'];
  /** Whether to print one JSON value for programs instead of lines. */
  readonly json: boolean;
}

interface AddOptions {
  readonly root?: string;
  readonly scope?: readonly string[];
  readonly limit?: readonly string[];
  readonly external?: string;
  readonly yes?: boolean;
}

/** Reads the values of `--limit`. Throws INVALID_REQUEST for an invalid limit. */
function readLimits(texts: readonly string[]): ClientLimitChanges {
  try {
    return readClientLimits(texts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidRequest([{ field: '/limit', code: 'BAD_LIMIT', message: `Invalid --limit: ${reason}.` }]);
  }
}

/** Formats limits as for `--limit`, with sizes in bytes and times in seconds. Returns '' if there are none. */
const limitsText = (limits: ClientLimitChanges = {}): string =>
  Object.entries(limits)
    .flatMap(([key, most]) => (most === undefined ? [] : `${key}=${most ?? 'none'}`))
    .join(' ');

/** The verbs of `telecine client`. Each throws `Problem`. */
function clientCommand({ clients, roots, print, confirm, json }: Deps) {
  const mediaRoot = roots.ofService;

  /**
   * Asks the operator before a folder that already contains files becomes the media root of a new client of the same
   * name.
   */
  async function confirmExistingFolder(name: string, dir: string): Promise<void> {
    const isTaken = (await clients.list()).some(({ clientId }) => clientId === name);
    if (isTaken || !(await roots.hasEntries(dir))) return;
    const risk = `The folder ${roots.shown(dir)} is not empty. The client could read, replace and delete what is in it.`;
    if (await confirm(`${risk} Use it as its media root?`)) return;
    throw invalidRequest([
      {
        field: '/root',
        code: 'NOT_CONFIRMED',
        message: `"${name}" is not added. ${risk}`,
        fix: 'Name another folder with --root, or add --yes to use this one.',
      },
    ]);
  }

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
    if (client.limits !== undefined) print(`limits         ${limitsText(client.limits)}`);
    if (clientSecret !== undefined)
      print('Save the secret now: it is not shown again. "telecine client rotate" creates another.');
  }

  return {
    async add(name: string, options: AddOptions): Promise<void> {
      const limits = options.limit === undefined ? {} : { limits: readLimits(options.limit) };
      checkClientName(name);
      const dir = options.root ?? roots.ownFolder(name);
      if (options.root === undefined && options.yes !== true) await confirmExistingFolder(name, dir);
      const root = await roots.resolve(dir);
      // A client that shares the root of the service follows it when the operator moves it.
      const rest = { ...(root === mediaRoot ? {} : { root }), ...limits, scopes: options.scope ?? [] };
      if (options.external === undefined) show(await clients.add(name, rest));
      else show({ client: await clients.addExternal(name, options.external, rest) });
    },
    async set(name: string, options: Pick<AddOptions, 'limit' | 'root' | 'scope'>): Promise<void> {
      const { limit, root, scope } = options;
      if (limit === undefined && root === undefined && scope === undefined)
        throw invalidRequest([
          { field: '', code: 'MISSING', message: 'Nothing to change.', fix: 'Send --root, --scope or --limit.' },
        ]);
      const changed = await clients.change(name, {
        ...(limit === undefined ? {} : { limits: readLimits(limit) }),
        ...(root === undefined ? {} : { root: await roots.resolve(root) }),
        ...(scope === undefined ? {} : { scopes: scope }),
      });
      const { clientId, scopes, limits = {} } = changed;
      if (json) return print(JSON.stringify({ clientId, scopes, root: changed.root ?? mediaRoot, limits }));
      if (scope !== undefined)
        print(`${clientId} has the scopes ${scopes.join(' ')}; for a new one it needs a new token.`);
      if (root !== undefined) print(`${clientId} has the media root ${changed.root} for jobs that start from now on.`);
      if (limit !== undefined)
        print(`${clientId} has ${limitsText(limits) || 'the default limits'} for jobs that start from now on.`);
    },
    async list(): Promise<void> {
      const all = await clients.list();
      if (json) print(JSON.stringify(all.map((client) => ({ ...client, root: client.root ?? mediaRoot }))));
      else for (const line of clientTable(all, mediaRoot)) print(line);
    },
    async rotate(name: string): Promise<void> {
      show(await clients.rotate(name));
    },
    async revoke(name: string, { yes = false }: { readonly yes?: boolean } = {}): Promise<void> {
      const known = (await clients.list()).find(({ clientId }) => clientId === name);
      if (!yes && known !== undefined && known.revokedAt === undefined) await confirmRevocation(name, confirm);
      const { clientId, revokedAt } = await clients.revoke(name);
      print(
        json
          ? JSON.stringify({ clientId, revokedAt })
          : `${clientId} is revoked. Its tokens stop working within a second, and its jobs are cancelled.`,
      );
    },
  };
}

const LOSSES = 'Its tokens stop working, its queued and running jobs are cancelled, and its name stays taken.';
const ADMIN_LOSSES =
  'The file admin-client.json is deleted, and no client manages the jobs of all others until you add one with --scope admin.';

/** Throws INVALID_REQUEST unless the operator says yes. */
async function confirmRevocation(name: string, confirm: ClientCommandOptions['confirm']): Promise<void> {
  const losses = name === ADMIN_CLIENT_ID ? `${LOSSES} ${ADMIN_LOSSES}` : LOSSES;
  const answer = await confirm(`Revoking "${name}" cannot be undone. ${losses} Revoke it?`);
  if (answer) return;
  throw invalidRequest([
    {
      field: '/name',
      code: 'NOT_CONFIRMED',
      message: `"${name}" is not revoked. Revoking cannot be undone. ${losses}`,
      fix: 'Add --yes to revoke it.',
    },
  ]);
}

function clientTable(clients: readonly ClientView[], mediaRoot: string): readonly string[] {
  const someExternal = clients.some(({ externalSubject }) => externalSubject !== undefined);
  const someLimited = clients.some(({ limits }) => limitsText(limits) !== '');
  return table([
    [
      ...['NAME', 'STATE', 'CREATED', 'SCOPES', 'MEDIA ROOT'],
      ...(someExternal ? ['EXTERNAL SUBJECT'] : []),
      ...(someLimited ? ['LIMITS'] : []),
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

/** Opens the clients, runs one verb, and closes them. If the verb throws a `Problem`, prints it and exits. */
export async function runClientVerb(
  command: Command,
  { open, print, confirm }: ClientCommandOptions,
  act: (verbs: ReturnType<typeof clientCommand>) => Promise<void>,
): Promise<void> {
  const opened = await open();
  let problem: Problem | undefined;
  try {
    await act(clientCommand({ ...opened, print, confirm, json: command.opts()['json'] === true }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problem = error;
  } finally {
    await opened.close();
  }
  // This exits the process, so the store must be closed before.
  if (problem !== undefined) command.error(explain(problem));
}
