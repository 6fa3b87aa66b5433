import type { Kysely, Selectable } from 'kysely';
import type { EndpointChange, SecretOwner, WebhookEndpoint, WebhookEndpoints } from '../../webhooks/ports.ts';
import { parseJsonColumn } from '../job-row.ts';
import { omitNullish } from '../omit-nullish.ts';
import type { Schema, WebhookEndpointsTable } from '../schema.ts';
import { countOfRows } from '../transaction/count-of-rows.ts';
import type { Database } from '../transaction/database.ts';
import { dbOf } from '../transaction/tx.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { removeDeliveries } from './remove-deliveries.ts';

/** The repository of the receivers of events, and of the secrets that sign. */
export function webhookEndpoints(database: Database): WebhookEndpoints {
  const { reader, transactions, lock } = database;
  return {
    add: (endpoint, secret, max) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        const { clientId, webhookId, createdAt } = endpoint;
        await lock?.(db, 'webhooks of client', clientId);
        const { count } = await db
          .selectFrom('webhook_endpoints')
          .select(countOfRows)
          .where('client_id', '=', clientId)
          .executeTakeFirstOrThrow();
        if (count >= max) return false;
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
      const row = await reader
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .where('client_id', '=', clientId)
        .executeTakeFirst();
      return row && toEndpoint(row);
    },

    change: (clientId, webhookId, change, at) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        await lock?.(db, 'webhooks of client', clientId);
        const { numUpdatedRows } = await db
          .updateTable('webhook_endpoints')
          .set({
            // With this member, an update without changes is valid SQL and still reports whether the endpoint exists.
            client_id: clientId,
            ...changedColumns(change),
          })
          .where('webhook_id', '=', webhookId)
          .where('client_id', '=', clientId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        if (change.isEnabled === false) await disableEndpoint(db, webhookId, 'CLIENT', at);
        return true;
      }),

    async remove(clientId, webhookId) {
      const isRemoved = await transactions.run(async (tx) => {
        const db = dbOf(tx);
        await lock?.(db, 'webhooks of client', clientId);
        const { numDeletedRows } = await db
          .deleteFrom('webhook_endpoints')
          .where('webhook_id', '=', webhookId)
          .where('client_id', '=', clientId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await db.deleteFrom('webhook_secrets').where('owner', '=', ownerName({ clientId, webhookId })).execute();
        return true;
      });
      // Some at a time. What a crash leaves is given up by its next claim, as its endpoint is missing, and removed when it is old.
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
      return rows
        .sort((a, b) => Number(a.expires_at !== null) - Number(b.expires_at !== null))
        .map((row) => ({
          secret: row.secret,
          createdAt: row.created_at,
          ...omitNullish({ expiresAt: row.expires_at }),
        }));
    },

    rotate: (owner, secret, at, overlapUntil) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        await lock?.(db, 'webhooks of client', owner.clientId);
        if (!(await ownerExists(db, owner))) return false;
        await rotateSecret(db, ownerName(owner), secret, at, overlapUntil);
        return true;
      }),
  };
}

/** Whether secrets of the owner have a use. A client can have a default secret before it has anything else. */
async function ownerExists(db: Kysely<Schema>, { clientId, webhookId }: SecretOwner): Promise<boolean> {
  if (webhookId === undefined) return true;
  const endpoint = await db
    .selectFrom('webhook_endpoints')
    .select('webhook_id')
    .where('webhook_id', '=', webhookId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return endpoint !== undefined;
}

async function rotateSecret(
  db: Kysely<Schema>,
  owner: string,
  secret: string,
  at: string,
  overlapUntil: string,
): Promise<void> {
  await db.deleteFrom('webhook_secrets').where('owner', '=', owner).where('expires_at', 'is not', null).execute();
  await db.updateTable('webhook_secrets').set({ expires_at: overlapUntil }).where('owner', '=', owner).execute();
  await db.insertInto('webhook_secrets').values({ owner, secret, created_at: at }).execute();
}

const ownerName = ({ clientId, webhookId }: SecretOwner): string =>
  webhookId === undefined ? `client/${clientId}` : `webhook/${webhookId}`;

const toRow = (endpoint: WebhookEndpoint) => ({
  webhook_id: endpoint.webhookId,
  client_id: endpoint.clientId,
  url: endpoint.url,
  events: endpoint.events === undefined ? null : JSON.stringify(endpoint.events),
  description: endpoint.description ?? null,
  created_at: endpoint.createdAt,
  disabled_at: endpoint.disabled?.at ?? null,
  disabled_reason: endpoint.disabled?.reason ?? null,
  failing_since: endpoint.failingSince ?? null,
});

const changedColumns = ({ url, events, description, isEnabled }: EndpointChange) => ({
  // Another receiver has not failed yet.
  ...(url !== undefined && { url, failing_since: null }),
  ...(events !== undefined && { events: events === null ? null : JSON.stringify(events) }),
  ...(description !== undefined && { description }),
  ...(isEnabled === true && { disabled_at: null, disabled_reason: null, failing_since: null }),
});

function toEndpoint(row: Selectable<WebhookEndpointsTable>): WebhookEndpoint {
  const { disabled_at: at, disabled_reason: reason } = row;
  return {
    webhookId: row.webhook_id,
    clientId: row.client_id,
    url: row.url,
    createdAt: row.created_at,
    ...omitNullish({
      events: parseJsonColumn<WebhookEndpoint['events']>(row.events),
      description: row.description,
      disabled: at === null || reason === null ? null : { at, reason },
      failingSince: row.failing_since,
    }),
  };
}
