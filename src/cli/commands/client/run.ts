import type { Command } from 'commander';
import type { Clients, ClientView, NewSecret } from '../../../auth/clients/clients.ts';
import { readClientLimits } from '../../../config/client-limits.ts';
import type { ClientLimitChanges } from '../../../domain/client-limits.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { httpHint } from '../../../wire/hint-text.ts';
import { problemDetail } from '../../../wire/problem-view.ts';
import { table } from '../../output/table.ts';
import { resolveClientRoot } from './client-root.ts';

/** The clients that the command manages, and the folders for their media roots. */
export interface ClientAdministration {
  readonly clients: Clients;
  /** The media root of the service, which is the default for clients: absolute, with symlinks resolved. */
  readonly mediaRoot: string;
  /** The absolute reserved paths. The media root of a client must not be in one of them. */
  readonly reserved: readonly string[];
}

export interface ClientCommandOptions {
  /** Opens the clients when a verb runs. They are closed after the verb. */
  readonly open: () => Promise<ClientAdministration & { close(): Promise<void> }>;
  readonly print: (line: string) => void;
}

interface Deps extends ClientAdministration {
  /** Prints one line for people. */
  readonly print: (line: string) => void;
  /** Whether to print one JSON value for programs instead of lines. */
  readonly json: boolean;
}

interface AddOptions {
  readonly root?: string;
  readonly scope?: readonly string[];
  readonly limit?: readonly string[];
  readonly external?: string;
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
function clientCommand({ clients, mediaRoot, reserved, print, json }: Deps) {
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
      const root =
        options.root === undefined ? {} : { root: await resolveClientRoot(options.root, mediaRoot, reserved) };
      const rest = { ...root, ...limits, scopes: options.scope ?? [] };
      if (options.external === undefined) show(await clients.add(name, rest));
      else show({ client: await clients.addExternal(name, options.external, rest) });
    },
    async set(name: string, options: Required<Pick<AddOptions, 'limit'>>): Promise<void> {
      const { clientId, limits = {} } = await clients.limit(name, readLimits(options.limit));
      print(
        json
          ? JSON.stringify({ clientId, limits })
          : `${clientId} has ${limitsText(limits) || 'the default limits'} for jobs that start from now on.`,
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
      print(
        json
          ? JSON.stringify({ clientId, revokedAt })
          : `${clientId} is revoked. Its tokens stop working within a second.`,
      );
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
  { open, print }: Pick<ClientCommandOptions, 'open' | 'print'>,
  act: (verbs: ReturnType<typeof clientCommand>) => Promise<void>,
): Promise<void> {
  const opened = await open();
  let problem: Problem | undefined;
  try {
    await act(clientCommand({ ...opened, print, json: command.opts()['json'] === true }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problem = error;
  } finally {
    await opened.close();
  }
  // This exits the process, so the store must be closed before.
  if (problem !== undefined) command.error(explain(problem));
}
