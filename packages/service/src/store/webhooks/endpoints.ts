import type {
  EndpointChange,
  SecretOwner,
  SigningSecret,
  WebhookEndpoint,
  WebhookEndpoints,
} from '../../webhooks/ports/endpoints.ts';
import { recordsOf } from '../columns.ts';
import { countRows, deleteRows, findRow, updateRows } from '../queries.ts';
import type { Schema } from '../schema.ts';
import type { Database, Db } from '../transaction/database.ts';
import { disableEndpoint, removeDeliveries } from './deliveries.ts';

type StoredEndpoint = Omit<WebhookEndpoint, 'disabled'> & {
  readonly disabledAt?: string;
  readonly disabledReason?: NonNullable<WebhookEndpoint['disabled']>['reason'];
};

const ENDPOINTS = recordsOf<StoredEndpoint, Schema['webhook_endpoints']>()({
  webhookId: 'webhook_id',
  clientId: 'client_id',
  url: 'url',
  events: { json: 'events' },
  description: 'description',
  createdAt: 'created_at',
  disabledAt: 'disabled_at',
  disabledReason: 'disabled_reason',
  failingSince: 'failing_since',
});

const SECRETS = recordsOf<SigningSecret, Schema['webhook_secrets']>()({
  secret: 'secret',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
});

/** Stores the endpoints that receive events, and the secrets that sign the events. */
export function webhookEndpoints(database: Database): WebhookEndpoints {
  const { reader, write, lock } = database;
  return {
    add: (endpoint, secret, max) =>
      write(async (db) => {
        const { clientId, webhookId, createdAt } = endpoint;
        await lock?.(db, 'webhooks of client', clientId);
        if ((await countRows(db, 'webhook_endpoints', { client_id: clientId })) >= max) return false;
        await db.insertInto('webhook_endpoints').values(toRow(endpoint)).execute();
        const owner = ownerName({ clientId, webhookId });
        await db.insertInto('webhook_secrets').values({ owner, secret, created_at: createdAt }).execute();
        return true;
      }),

    async list(clientId) {
      const rows = await reader
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('client_id', '=', clientId)
        .orderBy('webhook_id')
        .execute();
      return rows.map(toEndpoint);
    },

    async get(clientId, webhookId) {
      const row = await findRow(reader, 'webhook_endpoints', { webhook_id: webhookId, client_id: clientId });
      return row && toEndpoint(row);
    },

    async failing() {
      const rows = await reader
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where((e) => e.or([e('disabled_at', 'is', null), e('disabled_reason', '!=', 'CLIENT')]))
        .where('failing_since', 'is not', null)
        .orderBy('failing_since')
        .execute();
      return rows.map(toEndpoint);
    },

    change: (clientId, webhookId, change, at) =>
      write(async (db) => {
        await lock?.(db, 'webhooks of client', clientId);
        // Also set `client_id`, to its own value. An update without other changes is then valid SQL and still shows
        // whether the endpoint exists.
        const set = { client_id: clientId, ...changedColumns(change) };
        const endpoint = { webhook_id: webhookId, client_id: clientId };
        if ((await updateRows(db, 'webhook_endpoints', set, endpoint)) === 0) return false;
        if (change.isEnabled === false) await disableEndpoint(db, webhookId, 'CLIENT', at);
        return true;
      }),

    async remove(clientId, webhookId) {
      const isRemoved = await write(async (db) => {
        await lock?.(db, 'webhooks of client', clientId);
        const endpoint = { webhook_id: webhookId, client_id: clientId };
        if ((await deleteRows(db, 'webhook_endpoints', endpoint)) === 0) return false;
        await deleteRows(db, 'webhook_secrets', { owner: ownerName({ clientId, webhookId }) });
        return true;
      });
      // Remove the deliveries in batches. If a crash leaves some of them, the next claim gives them up, because their
      // endpoint is missing.
      if (isRemoved) await removeDeliveries(database, (e) => e('webhook_id', '=', webhookId));
      return isRemoved;
    },

    async secrets(owner, at) {
      const rows = await reader
        .selectFrom('webhook_secrets')
        .select(['secret', 'created_at', 'expires_at'])
        .where('owner', '=', ownerName(owner))
        .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', at)]))
        .orderBy('created_at', 'desc')
        .execute();
      return rows.sort((a, b) => Number(a.expires_at !== null) - Number(b.expires_at !== null)).map(SECRETS.read);
    },

    rotate: (owner, secret, at, overlapUntil) =>
      write(async (db) => {
        await lock?.(db, 'webhooks of client', owner.clientId);
        if (!(await ownerExists(db, owner))) return false;
        await rotateSecret(db, ownerName(owner), secret, at, overlapUntil);
        return true;
      }),
  };
}

/** Returns whether the owner of a secret exists. A client can have a default secret before it has an endpoint. */
async function ownerExists(db: Db, { clientId, webhookId }: SecretOwner): Promise<boolean> {
  if (webhookId === undefined) return true;
  return (await findRow(db, 'webhook_endpoints', { webhook_id: webhookId, client_id: clientId })) !== undefined;
}

async function rotateSecret(db: Db, owner: string, secret: string, at: string, overlapUntil: string): Promise<void> {
  await db.deleteFrom('webhook_secrets').where('owner', '=', owner).where('expires_at', 'is not', null).execute();
  await updateRows(db, 'webhook_secrets', { expires_at: overlapUntil }, { owner });
  await db.insertInto('webhook_secrets').values({ owner, secret, created_at: at }).execute();
}

const ownerName = ({ clientId, webhookId }: SecretOwner): string =>
  webhookId === undefined ? `client/${clientId}` : `webhook/${webhookId}`;

const toRow = ({ disabled, ...endpoint }: WebhookEndpoint) =>
  ENDPOINTS.write({ ...endpoint, ...(disabled && { disabledAt: disabled.at, disabledReason: disabled.reason }) });

function toEndpoint(row: Parameters<typeof ENDPOINTS.read>[0]): WebhookEndpoint {
  const { disabledAt: at, disabledReason: reason, ...endpoint } = ENDPOINTS.read(row);
  return { ...endpoint, ...(at !== undefined && reason !== undefined && { disabled: { at, reason } }) };
}

const changedColumns = ({ url, events, description, isEnabled }: EndpointChange) => ({
  // With a new URL, forget the failures of the old one.
  ...(url !== undefined && { url, failing_since: null }),
  ...(events !== undefined && { events: events === null ? null : JSON.stringify(events) }),
  ...(description !== undefined && { description }),
  ...(isEnabled === true && { disabled_at: null, disabled_reason: null, failing_since: null }),
});
