import type { ClientChanges, NewClient } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import type { Scope } from '@telecine/contract/domain/client.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { usageError } from '../../session/command-failed.ts';
import { type ManagedClients, readLimits, type SetFlags } from './managed-clients.ts';

/** Manages the clients of a service over HTTP. */
export const clientsOfService = (service: TelecineClient, signal: AbortSignal): ManagedClients => ({
  async add(name, { external, yes = false, ...rest }, confirmFolder) {
    const add = (usesFiles: boolean) =>
      service.addClient(
        definedMembers<NewClient>({
          clientId: name,
          ...settings(rest),
          externalSubject: external,
          ...(usesFiles && { usesFiles }),
        }),
        { signal },
      );
    return add(yes).catch(async (error: unknown) => {
      const errors = error instanceof ClientError ? error.problem?.errors : undefined;
      const risk = errors?.find(({ code }) => code === 'NOT_CONFIRMED')?.message;
      if (risk === undefined) throw error;
      await confirmFolder(risk);
      return add(true);
    });
  },
  change: (name, flags) =>
    service.changeClient(name, settings(flags), { signal }).catch((error) => explainLastAdmin(name, error)),
  list: async () => (await service.clients({ signal })).clients,
  rotate: (name, graceHours) => service.rotateClient(name, { graceHours, signal }),
  revoke: (name) => service.revokeClient(name, { signal }).catch((error) => explainLastAdmin(name, error)),
});

/** Builds the members of a request from the options of the command. */
function settings({ root, scope, limit }: SetFlags) {
  if (limit !== undefined) readLimits(limit);
  return definedMembers<ClientChanges>({
    root,
    // Do not check the scopes here: the service checks them, and its error lists the valid scopes.
    scopes: scope && ([...scope] as Scope[]),
    limits: limit && Object.fromEntries(limit.map((text) => text.split(/=(.*)/s, 2) as [string, string])),
  });
}

/** Replaces the fix of the error LAST_ADMIN, which is for programs, by a fix for the command line. Always throws. */
function explainLastAdmin(name: string, error: unknown): never {
  if (!(error instanceof ClientError) || error.problem?.code !== 'LAST_ADMIN') throw error;
  throw usageError(
    'LAST_ADMIN',
    `"${name}" is the last client with the scope admin.`,
    'Give another client the scope admin first. Only the command without --url, on the machine of the service, does it anyway.',
    error,
  );
}
