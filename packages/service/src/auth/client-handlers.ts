import { defined } from '@telecine/contract/domain/defined.ts';
import type { ClientWithSecretView, RegisteredClientView } from '@telecine/contract/wire/clients.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import type { CLIENT_OPERATIONS } from '@telecine/contract/wire/operations/administration.ts';
import type { PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import type { ClientAdministration } from './client-administration.ts';
import { auditedFields, type ClientView, changedFields, type NewSecret } from './clients.ts';

type Managed = Omit<typeof CLIENT_OPERATIONS, 'runDoctor'>;

/** The operations on clients, for HTTP and for the command line on the machine of the service. */
export function clientHandlers(
  clients: ClientAdministration,
  onRevoked: (clientId: string) => void = () => {},
): PlainHandlers<Managed> {
  const view = (client: ClientView): RegisteredClientView => ({
    clientId: client.clientId,
    scopes: [...client.scopes],
    root: clients.shownRoot(client),
    // Limits that have their default value are left out.
    limits: client.limits && (defined(client.limits) as Record<string, number | null>),
    externalSubject: client.externalSubject,
    previousSecretExpiresAt: client.previousSecretExpiresAt,
    createdAt: client.createdAt,
    lastUsedAt: client.lastUsedAt,
    revokedAt: client.revokedAt,
  });
  const secretView = ({
    client,
    clientSecret,
  }: Pick<NewSecret, 'client'> & Partial<NewSecret>): ClientWithSecretView => ({
    ...view(client),
    clientSecret,
  });
  return {
    listClients: async () => ({
      status: 200,
      body: { clients: (await clients.list()).map(view), defaultLimits: { ...clients.defaultLimits } },
    }),
    addClient: async ({ body: { clientId, ...options } }) => {
      const added = await clients.add(clientId, options);
      const facts = { target: clientId, details: auditedFields(added.client) };
      return { status: 201, body: secretView(added), location: pathOf('getClient', { clientId }), facts };
    },
    getClient: async ({ params }) => ({ status: 200, body: view(await clients.get(params.clientId)) }),
    changeClient: async ({ params, body: { lastAdmin = false, ...changes } }) => {
      const changed = await clients.change(params.clientId, changes, { lastAdmin });
      return { status: 200, body: view(changed), facts: { details: changedFields(changed, changes) } };
    },
    rotateClient: async ({ params, query: { graceHours } }) => {
      const rotated = await clients.rotate(params.clientId, graceHours);
      const details = defined({ graceHours, oldSecretEnds: rotated.client.previousSecretExpiresAt });
      return { status: 200, body: secretView(rotated), facts: { details } };
    },
    revokeClient: async ({ params, query }) => {
      const revoked = await clients.revoke(params.clientId, { lastAdmin: query.lastAdmin === 'true' });
      onRevoked(params.clientId);
      return { status: 200, body: view(revoked) };
    },
  };
}
