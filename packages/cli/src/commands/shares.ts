import type { ShareList } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { minuteOf, table } from '../output/format.ts';
import { pagesOf } from '../session/pages.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { serverPath } from './convert/file-names.ts';

type SharedLink = ShareList['shares'][number];

/** The most links of one page. */
const PAGE = 200;

export function declare(shares: Command): void {
  addVerb(
    shares.command('list', { isDefault: true }),
    'list the shared links that still work (the default)',
    async ({ client, signal, flags }: Call<ServiceFlags & { readonly client?: string }>) => {
      const found: SharedLink[] = [];
      const read = (cursor: string | undefined) =>
        client.shares({
          ...{ limit: PAGE, signal },
          ...(flags.client !== undefined && { client: flags.client }),
          ...(cursor !== undefined && { cursor }),
        });
      for await (const page of pagesOf(read)) found.push(...page.shares);
      return { shares: found };
    },
    ({ shares: found }) => showShares(found),
  ).option('--client <name>', 'only those of this client (needs the scope admin; default for admin: all clients)');
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

function showShares(shares: readonly SharedLink[]): readonly string[] {
  if (shares.length === 0) return ['No shared links. "telecine share FILE" makes one.'];
  const isOfMany = new Set(shares.map(({ client }) => client)).size > 1;
  return table([
    ['ID', 'UNTIL', 'USES', ...(isOfMany ? ['CLIENT'] : []), 'SHARED', 'NOTE'],
    ...shares.map(({ shareId, expiresAt, uses, client, path, jobId, note }) => [
      ...[shareId, minuteOf(expiresAt), String(uses)],
      ...(isOfMany ? [client] : []),
      path === undefined ? `job ${jobId}` : serverPath(path),
      note ?? '',
    ]),
  ]);
}
