import type { ShareList } from '@telecine/client/api.ts';
import { minuteOf } from '@telecine/contract/domain/quantity.ts';
import type { Command } from 'commander';
import { type Column, listLines } from '../output/result-lines.ts';
import { addOperationVerbs } from '../session/operation-verbs.ts';
import { pathOnServer, serverPath } from './convert/file-names.ts';

type SharedLink = ShareList['shares'][number];

export const declare = (shares: Command): void =>
  addOperationVerbs(shares, {
    listShares: { read: { path: pathOnServer }, show: (reply) => showShares(reply.shares) },
  });

export function showShares(shares: readonly SharedLink[]): readonly string[] {
  const isOfMany = new Set(shares.map(({ client }) => client)).size > 1;
  const haveEnded = shares.some(({ state }) => state !== 'ACTIVE');
  const columns: readonly Column<SharedLink>[] = [
    ['ID', ({ shareId }) => shareId],
    ['UNTIL', ({ expiresAt }) => minuteOf(expiresAt)],
    ...(haveEnded ? (['state', 'revokedBy'] as const) : []),
    'uses',
    ...(isOfMany ? (['client'] as const) : []),
    ['SHARED', ({ jobId, path = '' }) => (jobId === undefined ? serverPath(path) : `job ${jobId}`)],
    'note',
  ];
  return listLines(shares, columns, 'No shared links. "telecine share FILE" makes one.');
}
