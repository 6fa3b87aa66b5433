import type { Command } from 'commander';
import type { ClientRoots } from '../../../auth/client-administration.ts';
import { type Clients, checkClientName, type NewSecret } from '../../../auth/clients.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { httpHint } from '../../../wire/hint-text.ts';
import { problemDetail } from '../../../wire/problem-view.ts';
import { type AddOptions, NOTHING_TO_CHANGE, readLimits, type SetOptions } from './client-options.ts';
import { confirmRevocation } from './confirm-revocation.ts';
import { printChanges, printClient, printClients, printRevoked } from './print-clients.ts';

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

/** The verbs of `telecine client`. */
export interface ClientVerbs {
  add(name: string, options: AddOptions): Promise<void>;
  set(name: string, options: SetOptions): Promise<void>;
  list(): Promise<void>;
  rotate(name: string): Promise<void>;
  revoke(name: string, options?: { readonly yes?: boolean }): Promise<void>;
}

/** The verbs on an open store. Each throws `Problem`. */
function clientCommand({ clients, roots, print, confirm, json }: Deps): ClientVerbs {
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

  const show = ({ client, clientSecret }: Pick<NewSecret, 'client'> & Partial<NewSecret>): void =>
    printClient({ ...client, root: client.root ?? mediaRoot, clientSecret }, { print, json });

  return {
    async add(name, options) {
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
    async set(name, options) {
      const { limit, root, scope } = options;
      if (limit === undefined && root === undefined && scope === undefined) throw NOTHING_TO_CHANGE;
      const changed = await clients.change(name, {
        ...(limit === undefined ? {} : { limits: readLimits(limit) }),
        ...(root === undefined ? {} : { root: await roots.resolve(root) }),
        ...(scope === undefined ? {} : { scopes: scope }),
      });
      printChanges({ ...changed, root: changed.root ?? mediaRoot }, options, { print, json });
    },
    async list() {
      const all = await clients.list();
      printClients(
        all.map((client) => ({ ...client, root: client.root ?? mediaRoot })),
        { print, json },
      );
    },
    async rotate(name) {
      show(await clients.rotate(name));
    },
    async revoke(name, { yes = false } = {}) {
      const known = (await clients.list()).find(({ clientId }) => clientId === name);
      if (!yes && known !== undefined && known.revokedAt === undefined) await confirmRevocation(name, confirm);
      printRevoked(await clients.revoke(name), { print, json });
    },
  };
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
  act: (verbs: ClientVerbs) => Promise<void>,
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
