import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import Plus from 'lucide-react/icons/plus';
import { useSession } from '../session/use-session.ts';
import { buttonClass } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PathText } from '../ui/path-text.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Status } from '../ui/status.tsx';
import { ConvertsWith } from './converts-with.tsx';
import { mayMakeWatches } from './may-make-watches.ts';
import { ScanTimes } from './scan-times.tsx';
import { templatesOf } from './watch-draft.ts';
import { WatchRowActions } from './watch-row-actions.tsx';
import { WatchStatus } from './watch-status.tsx';
import styles from './watches.module.css';
import { watchesQuery } from './watches-query.ts';

/** The watches of the signed-in client, or those of all clients for an administrator. */
export function WatchesPage() {
  const { data: session } = useSession();
  const watches = useQuery(watchesQuery);
  const mayMake = mayMakeWatches(session);
  return (
    <>
      <PageHeader title="Watches">
        {/* An empty list has the link itself. */}
        {mayMake && watches.data?.watches.length !== 0 && (
          <Link to="/watches/new" className={buttonClass('primary')}>
            <Plus /> New watch
          </Link>
        )}
      </PageHeader>
      <QueryState query={watches} columns={['Watch', 'State', 'Converts with', 'Outputs', 'Files', 'Last scan']}>
        {({ watches: all }) =>
          all.length === 0 ? (
            <Empty icon={FolderSync}>
              <p>
                <strong>There are no watches yet.</strong>
              </p>
              <p>A watch converts each file that lands in a folder, once, with the settings that you choose.</p>
              {mayMake && (
                <Link to="/watches/new" className={buttonClass('primary')}>
                  Watch a folder
                </Link>
              )}
            </Empty>
          ) : (
            <DataTable
              label="Watches"
              rows={all}
              keyOf={({ watchId }) => watchId}
              empty={null}
              columns={[
                { name: 'Watch', cell: (watch) => <WatchLink watch={watch} /> },
                ...(new Set(all.map(({ client }) => client)).size > 1
                  ? [{ name: 'Client', cell: ({ client }: Watch) => client }]
                  : []),
                { name: 'State', isBesideName: true, cell: (watch) => <WatchStatus watch={watch} /> },
                {
                  name: 'Converts with',
                  isPlain: true,
                  cell: (watch) => <ConvertsWith request={watch.request} />,
                },
                {
                  name: 'Outputs',
                  isPlain: true,
                  cell: ({ request }) => <PathText path={templatesOf(request).join(', ')} />,
                },
                { name: 'Files', isPlain: true, cell: ({ counts }) => <Counts counts={counts} /> },
                // A new watch is scanned within seconds.
                ...(all.some(({ lastScan }) => lastScan !== undefined)
                  ? [
                      {
                        name: 'Last scan',
                        cell: (watch: Watch) => <ScanTimes watch={watch} />,
                      },
                    ]
                  : []),
                ...(mayMake
                  ? [{ name: '', isMenu: true, cell: (watch: Watch) => <WatchRowActions watch={watch} /> }]
                  : []),
              ]}
            />
          )
        }
      </QueryState>
    </>
  );
}

function WatchLink({ watch: { watchId, name, folder } }: { readonly watch: Watch }) {
  return (
    <>
      <Link to="/watches/$watchId" params={{ watchId }}>
        {name ?? <PathText path={folder} />}
      </Link>
      {name !== undefined && (
        <span className={styles.folder}>
          <PathText path={folder} />
        </span>
      )}
    </>
  );
}

/** How many files are in which state. States without files are left out, because most watches have nothing in most states. */
function Counts({ counts: { ready, failed, submitted, converted, needsAttention } }: Pick<Watch, 'counts'>) {
  const parts = [
    ...(submitted > 0 ? [`${submitted.toLocaleString()} running`] : []),
    ...(ready + failed > 0 ? [`${(ready + failed).toLocaleString()} ready`] : []),
    ...(converted > 0 ? [`${converted.toLocaleString()} converted`] : []),
  ];
  if (needsAttention === 0 && parts.length === 0) return 'none yet';
  return (
    <>
      {needsAttention > 0 && (
        <Status tone="bad">
          {needsAttention.toLocaleString()} {needsAttention === 1 ? 'needs' : 'need'} attention
        </Status>
      )}
      {needsAttention > 0 && parts.length > 0 && ', '}
      {parts.join(', ')}
    </>
  );
}
