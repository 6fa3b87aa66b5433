import { ClientError } from '../../../client/client-error.ts';
import type { TelecineClient } from '../../../client/telecine-client.ts';
import type { Scope } from '../../../domain/client.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { connect } from '../../session/credentials.ts';
import { runCommand } from '../../session/run-command.ts';
import { NOTHING_TO_CHANGE, readLimits, type SetOptions } from './client-options.ts';
import { type Confirm, confirmRevocation } from './confirm-revocation.ts';
import { printChanges, printClient, printClients, printRevoked } from './print-clients.ts';
import type { ClientVerbs } from './run.ts';

interface RemoteOptions {
  readonly url: string;
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly confirm: Confirm;
}

/** Runs a verb of `telecine client` over HTTP. Prints an error and sets the exit code, as all commands with `--url` do. */
export const runRemoteVerb = (options: RemoteOptions, act: (verbs: ClientVerbs) => Promise<void>): Promise<void> =>
  runCommand(options, (signal) => act(remoteClients(connect(options.url), options, signal)));

function remoteClients(
  service: TelecineClient,
  { json, print, confirm }: RemoteOptions,
  signal: AbortSignal,
): ClientVerbs {
  const form = { print, json };
  return {
    async add(name, { external, yes = false, ...rest }) {
      const add = (usesFiles: boolean) =>
        service.addClient(
          {
            clientId: name,
            ...settings(rest),
            ...(external !== undefined && { externalSubject: external }),
            ...(usesFiles && { usesFiles }),
          },
          { signal },
        );
      const added = await add(yes).catch(async (error: unknown) => {
        const risk = fieldError(error, 'NOT_CONFIRMED');
        if (risk === undefined) throw error;
        if (await confirm(`${risk} Use it as its media root?`)) return add(true);
        throw new CommandFailed(EXIT.refused, 'NOT_CONFIRMED', `"${name}" is not added. ${risk}`, {
          fix: 'Name another folder with --root, or add --yes to use this one.',
        });
      });
      printClient(added, form);
    },
    async set(name, options) {
      if (Object.keys(settings(options)).length === 0) throw NOTHING_TO_CHANGE;
      printChanges(
        await service.changeClient(name, settings(options), { signal }).catch((error) => explainLastAdmin(name, error)),
        options,
        form,
      );
    },
    async list() {
      printClients((await service.clients({ signal })).clients, form);
    },
    async rotate(name) {
      printClient(await service.rotateClient(name, { signal }), form);
    },
    async revoke(name, { yes = false } = {}) {
      const known = (await service.clients({ signal })).clients.find(({ clientId }) => clientId === name);
      if (!yes && known !== undefined && known.revokedAt === undefined) await confirmRevocation(name, confirm);
      printRevoked(await service.revokeClient(name, { signal }).catch((error) => explainLastAdmin(name, error)), form);
    },
  };
}

/** The members of a request for options of the command. The service checks them. */
function settings({ root, scope, limit }: SetOptions) {
  if (limit !== undefined) readLimits(limit);
  return {
    ...(root !== undefined && { root }),
    // The service names the scopes that exist.
    ...(scope !== undefined && { scopes: [...scope] as Scope[] }),
    ...(limit !== undefined && {
      limits: Object.fromEntries(limit.map((text) => text.split(/=(.*)/s, 2) as [string, string])),
    }),
  };
}

/** The message of a rejected request for a field error with this code. */
const fieldError = (error: unknown, code: string): string | undefined =>
  error instanceof ClientError ? error.problem?.errors?.find((one) => one.code === code)?.message : undefined;

/** Says how the command line does what the reply offers to programs. */
function explainLastAdmin(name: string, error: unknown): never {
  if (!(error instanceof ClientError) || error.problem?.code !== 'LAST_ADMIN') throw error;
  throw new CommandFailed(EXIT.refused, 'LAST_ADMIN', `"${name}" is the last client with the scope admin.`, {
    fix: 'Give another client the scope admin first. Only the command without --url, on the machine of the service, does it anyway.',
    cause: error,
  });
}
