import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import { sql } from 'kysely';
import type { UsageStore } from '../jobs/ports/job-records.ts';
import { omitNullish, parseJsonColumn } from './columns.ts';
import { sumOf, unfinishedUploads } from './storage-size.ts';
import type { Database } from './transaction/database.ts';

/**
 * The sum of all media roots. Clients can share one, so that each counts once. A client without a root of its own has the whole media root of the
 * service, in which the others are; what they have just stored is not in its count yet.
 */
const totalOf = (column: 'stored' | 'bin') => {
  const bytes = sql.ref(`used.${column}`);
  const ofWhole = sql`coalesce(max(case when used.root is null then ${bytes} end) over (), 0)`;
  const ofOthers = sql`coalesce(sum(case when used.nth = 1 and used.root is not null then ${bytes} else 0 end) over (), 0)`;
  return sql<number>`cast(case when ${ofWhole} > ${ofOthers} then ${ofWhole} else ${ofOthers} end as bigint)`;
};

/**
 * Reads what all clients use, in one statement: an upload that ends moves from one of its tables to another, and a
 * client must not count twice.
 */
export const usageOfAll =
  ({ reader, now }: Pick<Database, 'reader' | 'now'>): UsageStore['ofAll'] =>
  async (day, { limit, offset }) => {
    const uploads = reader
      .selectFrom('resumable_uploads')
      .select(['client_id', sumOf('size_bytes').as('sum')])
      .where(unfinishedUploads(now))
      .groupBy('client_id');
    const reserved = reader
      .selectFrom('storage_reservations')
      .select(['client_id', sumOf('bytes').as('sum')])
      .groupBy('client_id');
    const ofClients = reader
      .selectFrom('clients')
      .leftJoin('storage_use as files', 'files.client_id', 'clients.client_id')
      .leftJoin(reserved.as('reserved'), 'reserved.client_id', 'clients.client_id')
      .leftJoin(uploads.as('uploads'), 'uploads.client_id', 'clients.client_id')
      .select([
        'clients.client_id as client_id',
        'clients.root as root',
        'clients.revoked_at as revoked_at',
        'clients.limits as limits',
        sql<number>`coalesce(files.bytes, 0) + coalesce(reserved.sum, 0) + coalesce(uploads.sum, 0)`.as('stored'),
        sql<number>`coalesce(files.bin_bytes, 0)`.as('bin'),
      ]);
    const nth = sql<number>`row_number() over (partition by root order by stored desc, client_id)`.as('nth');
    const rows = await reader
      .selectFrom(reader.selectFrom(ofClients.as('all_used')).selectAll().select(nth).as('used'))
      .leftJoin('client_usage', (join) =>
        join.onRef('client_usage.client_id', '=', 'used.client_id').on('client_usage.day', '=', day),
      )
      .select([
        'used.client_id',
        'used.stored',
        'used.bin',
        'used.revoked_at',
        'used.limits',
        'client_usage.jobs',
        'client_usage.media_ms',
        sql<number>`cast(count(*) over () as bigint)`.as('clients'),
        totalOf('stored').as('all_stored'),
        totalOf('bin').as('all_bins'),
      ])
      .orderBy(sql`used.stored + used.bin`, 'desc')
      .orderBy('used.client_id')
      .limit(limit)
      .offset(offset)
      .execute();
    const [first] = rows;
    return {
      clients: rows.map(({ client_id, stored, bin, revoked_at, limits, jobs, media_ms }) => ({
        clientId: client_id,
        ...{ storedBytes: Number(stored), binBytes: Number(bin) },
        ...{ jobs: Number(jobs ?? 0), mediaSeconds: Number(media_ms ?? 0) / 1000 },
        ...omitNullish({ revokedAt: revoked_at, limits: parseJsonColumn<ClientLimitChanges>(limits) }),
      })),
      total: {
        clients: Number(first?.clients ?? 0),
        storedBytes: Number(first?.all_stored ?? 0),
        binBytes: Number(first?.all_bins ?? 0),
      },
    };
  };
