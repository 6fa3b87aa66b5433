import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import Plus from 'lucide-react/icons/plus';
import { RecipeName } from '../jobs/recipe-name.tsx';
import { useSession } from '../session/use-session.ts';
import { buttonClass } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { PathText } from '../ui/path-text.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Status } from '../ui/status.tsx';
import { mayMakeWatches } from './may-make-watches.ts';
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
      <header className={styles.header}>
        <PageHeading>Watches</PageHeading>
        {/* An empty list has the link itself. */}
        {mayMake && watches.data?.watches.length !== 0 && (
          <Link to="/watches/new" className={buttonClass('primary')}>
            <Plus /> New watch
          </Link>
        )}
      </header>
      <QueryState query={watches}>
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
                  cell: ({ request: { preset } }) => preset && <RecipeName name={preset.name} />,
                },
                {
                  name: 'Outputs',
                  isPlain: true,
                  cell: ({ request }) => <PathText path={templatesOf(request).join(', ')} />,
                },
                { name: 'Ready', isNumber: true, cell: ({ counts }) => counted(counts.ready + counts.failed) },
                { name: 'Running', isNumber: true, cell: ({ counts }) => counted(counts.submitted) },
                { name: 'Converted', isNumber: true, cell: ({ counts }) => counted(counts.converted) },
                {
                  name: 'Attention',
                  isNumber: true,
                  cell: ({ counts }) => <Attention count={counts.needsAttention} />,
                },
                { name: 'Last scan', cell: ({ lastScan }) => lastScan && <Moment at={lastScan.at} /> },
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

/** An empty cell for none, because most watches have nothing in most states. */
const counted = (count: number): string | false => count > 0 && count.toLocaleString();

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

/** The files that wait for a person. */
function Attention({ count }: { readonly count: number }) {
  return count > 0 && <Status tone="bad">{counted(count)}</Status>;
}
