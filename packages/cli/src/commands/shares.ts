import type { ShareList } from '@telecine/client/api.ts';
import { minuteOf } from '@telecine/contract/domain/quantity.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { pagesOf } from '../session/pages.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { serverPath } from './convert/file-names.ts';
import { sharedBy } from './share.ts';

type SharedLink = ShareList['shares'][number];

/** The most links of one page. */
const PAGE = 200;

interface ListFlags extends ServiceFlags {
  readonly client?: string;
  readonly of?: string;
  readonly ended?: true;
}

export function declare(shares: Command): void {
  addVerb(
    shares.command('list', { isDefault: true }),
    'list the shared links that still work (the default)',
    async ({ client, signal, flags }: Call<ListFlags>) => {
      const found: SharedLink[] = [];
      const read = (cursor: string | undefined) =>
        client.shares({
          ...{ limit: PAGE, signal },
          ...(flags.client !== undefined && { client: flags.client }),
          ...(flags.of !== undefined && sharedBy(flags.of)),
          ...(flags.ended && { ended: 'true' }),
          ...(cursor !== undefined && { cursor }),
        });
      for await (const page of pagesOf(read)) found.push(...page.shares);
      return { shares: found };
    },
    ({ shares: found }) => showShares(found),
  )
    .option('--client <name>', 'only those of this client (needs the scope admin; default for admin: all clients)')
    .option('--of <file or job>', 'only those of this file, or of this job and its outputs')
    .option('--ended', 'also those that were revoked or have expired, for 30 days');
  addVerb(
    shares.command('revoke <id>'),
    'end a shared link at once',
    async ({ client, signal }, id = '') => {
      await client.revokeShare(id, { signal });
      return { shareId: id };
    },
    (_, id) => [`${id} is revoked. Its link opens nothing any more.`],
  );
}

export function showShares(shares: readonly SharedLink[]): readonly string[] {
  if (shares.length === 0) return ['No shared links. "telecine share FILE" makes one.'];
  const isOfMany = new Set(shares.map(({ client }) => client)).size > 1;
  // A service of the version before sends no state, and lists only links that work.
  const haveEnded = shares.some(({ state = 'ACTIVE' }) => state !== 'ACTIVE');
  return table([
    ['ID', 'UNTIL', ...(haveEnded ? ['STATE'] : []), 'USES', ...(isOfMany ? ['CLIENT'] : []), 'SHARED', 'NOTE'],
    ...shares.map(({ shareId, expiresAt, state = 'ACTIVE', revokedBy, uses, client, path, jobId, note }) => [
      ...[shareId, minuteOf(expiresAt)],
      ...(haveEnded ? [state === 'REVOKED' ? `revoked by ${revokedBy}` : state.toLowerCase()] : []),
      String(uses),
      ...(isOfMany ? [client] : []),
      jobId === undefined ? serverPath(path ?? '') : `job ${jobId}`,
      note ?? '',
    ]),
  ]);
}
