import { auditedFields, type ClientView, changedFields, type NewSecret } from '../../auth/clients.ts';
import type { ClientWithSecretView, RegisteredClientView } from '../../wire/clients.ts';
import { pathOf } from '../../wire/endpoints.ts';
import type { CLIENT_OPERATIONS } from '../../wire/operations/clients.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const clientHandlers = ({ clients, doctor }: HttpDeps): Handlers<typeof CLIENT_OPERATIONS> => {
  const view = (client: ClientView): RegisteredClientView => ({
    clientId: client.clientId,
    scopes: [...client.scopes],
    root: clients.shownRoot(client),
    ...(client.limits !== undefined && { limits: limitsView(client.limits) }),
    ...(client.externalSubject !== undefined && { externalSubject: client.externalSubject }),
    createdAt: client.createdAt,
    ...(client.revokedAt !== undefined && { revokedAt: client.revokedAt }),
  });
  const secretView = ({
    client,
    clientSecret,
  }: Pick<NewSecret, 'client'> & Partial<NewSecret>): ClientWithSecretView => ({
    ...view(client),
    ...(clientSecret !== undefined && { clientSecret }),
  });
  return {
    listClients: async () => ({ clients: (await clients.list()).map(view) }),

    addClient: async (request, reply) => {
      const { clientId, ...options } = request.body;
      request.auditFacts = { target: clientId };
      const added = await clients.add(clientId, options);
      request.auditFacts = { target: clientId, details: auditedFields(added.client) };
      reply.code(201).header('location', pathOf('getClient', { clientId }));
      return secretView(added);
    },

    getClient: async ({ params }) => view(await clients.get(params.clientId)),

    changeClient: async (request) => {
      const { lastAdmin = false, ...changes } = request.body;
      const changed = await clients.change(request.params.clientId, changes, { lastAdmin });
      request.auditFacts = { details: changedFields(changed, changes) };
      return view(changed);
    },

    rotateClient: async ({ params }) => secretView(await clients.rotate(params.clientId)),

    revokeClient: async ({ params, query }) =>
      view(await clients.revoke(params.clientId, { lastAdmin: query.lastAdmin === 'true' })),

    runDoctor: async () => ({ findings: [...(await doctor())] }),
  };
};

/** Limits that have the default are absent. */
const limitsView = (limits: NonNullable<ClientView['limits']>): Record<string, number | null> =>
  Object.fromEntries(Object.entries(limits).flatMap(([key, most]) => (most === undefined ? [] : [[key, most]])));
