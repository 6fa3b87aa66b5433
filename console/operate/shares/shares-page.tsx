import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Share } from '@telecine/client';
import Link2 from 'lucide-react/icons/link-2';
import { useState } from 'react';
import { client } from '../../app/client.ts';
import { JobLink } from '../../jobs/job-link.tsx';
import { useSession } from '../../session/use-session.ts';
import { ShareActions } from '../../share/share-actions.tsx';
import { ShareEnd } from '../../share/share-end.tsx';
import { isWorking } from '../../share/share-text.ts';
import { SHARES } from '../../share/shares-query.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Segments } from '../../ui/segments.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';

const SHOWN = [
  { value: false, name: 'Active' },
  { value: true, name: 'All' },
] as const;

/** The shared links that still work, or all: of the client, or of all clients for an administrator. */
export function SharesPage() {
  const { data: session } = useSession();
  const isAdmin = session?.scopes.includes('admin') === true;
  const [hasEnded, setHasEnded] = useState(false);
  const shares = useInfiniteQuery({
    queryKey: [...SHARES, hasEnded ? 'all' : 'active'],
    queryFn: ({ pageParam, signal }) =>
      client.shares({
        ...(pageParam !== '' && { cursor: pageParam }),
        ...(hasEnded && { ended: 'true' }),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...pollEvery(15),
  });
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Shared links</PageHeading>
        <Segments label="Links" options={SHOWN} value={hasEnded} onChoose={setHasEnded} />
      </header>
      <QueryState query={shares} columns={['Shared', ...(isAdmin ? ['Client'] : []), 'Until', 'Downloads']}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.shares);
          return (
            <DataTable
              label="Shared links"
              rows={all}
              keyOf={({ shareId }) => shareId}
              icon={Link2}
              empty={<NoShares />}
              columns={[
                {
                  name: 'Shared',
                  cell: (share) => <Shared share={share} isOwn={share.client === session?.clientId} />,
                },
                ...(isAdmin ? [{ name: 'Client', isPlain: true, cell: ({ client: owner }: Share) => owner }] : []),
                // Columns without a value say nothing.
                ...(all.some(({ note }) => note !== undefined)
                  ? [{ name: 'Note', isPlain: true, cell: ({ note }: Share) => note }]
                  : []),
                {
                  name: hasEnded ? 'End' : 'Until',
                  cell: (share) => (isWorking(share) ? <Moment at={share.expiresAt} /> : <ShareEnd share={share} />),
                },
                {
                  name: 'Downloads',
                  isNumber: true,
                  cell: ({ uses, files }) => {
                    if (files !== undefined) return `${uses.toLocaleString()} of ${files.toLocaleString()} uploads`;
                    return uses > 0 ? uses.toLocaleString() : 'none counted';
                  },
                },
                ...(all.some(({ lastUsedAt }) => lastUsedAt !== undefined)
                  ? [{ name: 'Last', cell: ({ lastUsedAt }: Share) => lastUsedAt && <Moment at={lastUsedAt} /> }]
                  : []),
                {
                  name: '',
                  cell: (share) =>
                    isWorking(share) && (
                      <div className={styles.rowActions}>
                        <ShareActions
                          share={share}
                          name={isAdmin ? `${targetOf(share)} of ${share.client}` : targetOf(share)}
                        />
                      </div>
                    ),
                },
              ]}
            />
          );
        }}
      </QueryState>
      {shares.hasNextPage && (
        <Button disabled={shares.isFetchingNextPage} onClick={() => void shares.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** Replaces the list if nothing is shared. */
function NoShares() {
  return (
    <>
      <p>
        <strong>Nothing is shared.</strong>
      </p>
      <p>
        Anyone with a shared link can look at its files and download them. Shared links are listed here, and can be
        revoked. Links to upload files into a folder are listed, too. Those for one file and for players end by
        themselves and are not listed.
      </p>
      <Link to="/files" className={buttonClass('primary')}>
        Choose a file to share
      </Link>
    </>
  );
}

const targetOf = ({ path, jobId }: Share): string => path ?? `the outputs of job ${jobId}`;

/** What a link shares. Files of other clients have no page here. */
function Shared({ share: { path, jobId }, isOwn }: { readonly share: Share; readonly isOwn: boolean }) {
  if (jobId !== undefined) return <JobLink jobId={jobId} />;
  if (path === undefined) return null;
  if (!isOwn) return <PathText path={path} />;
  return (
    <Link to="/files" search={{ folder: path.slice(0, path.lastIndexOf('/') + 1), file: path }}>
      <PathText path={path} />
    </Link>
  );
}
