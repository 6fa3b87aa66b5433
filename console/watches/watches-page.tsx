import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import Plus from 'lucide-react/icons/plus';
import { useSession } from '../session/use-session.ts';
import { buttonClass } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import ink from '../ui/ink.module.css';
import { PageHeader } from '../ui/page-header.tsx';
import { PathText } from '../ui/path-text.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Status } from '../ui/status.tsx';
import { templatesOf } from './watch-draft.ts';
import { ConvertsWith, WatchStatus } from './watch-status.tsx';
import { mayMakeWatches, watchesQuery } from './watches-query.ts';

/** The watches of the signed-in client, or those of all clients for an administrator. */
export function WatchesPage() {
  const { data: session } = useSession();
  const watches = useQuery(watchesQuery);
  const toNew = (text: string) =>
    mayMakeWatches(session) && (
      <Link to="/watches/new" className={buttonClass('primary')}>
        <Plus /> {text}
      </Link>
    );
  return (
    <>
      {/* An empty list has the link itself. */}
      <PageHeader title="Watches">{watches.data?.watches.length !== 0 && toNew('New watch')}</PageHeader>
      <QueryState query={watches} columns={['Watch', 'State', 'Converts with', 'Outputs', 'Files']}>
        {({ watches: all }) =>
          all.length === 0 ? (
            <Empty icon={FolderSync} title="There are no watches yet." actions={toNew('Watch a folder')}>
              A watch converts each file that lands in a folder, once, with the settings that you choose.
            </Empty>
          ) : (
            <DataTable
              label="Watches"
              rows={all}
              keyOf={({ watchId }) => watchId}
              empty={null}
              columns={[
                {
                  name: 'Watch',
                  cell: ({ watchId, name, folder }) => (
                    <>
                      <Link to="/watches/$watchId" params={{ watchId }}>
                        {name ?? <PathText path={folder} />}
                      </Link>
                      {name !== undefined && <span className={ink.soft}> {folder}</span>}
                    </>
                  ),
                },
                ...(new Set(all.map(({ client }) => client)).size > 1
                  ? [{ name: 'Client', cell: ({ client }: Watch) => client }]
                  : []),
                { name: 'State', isBesideName: true, cell: (watch) => <WatchStatus watch={watch} /> },
                { name: 'Converts with', isPlain: true, cell: (watch) => <ConvertsWith request={watch.request} /> },
                {
                  name: 'Outputs',
                  isPlain: true,
                  cell: ({ request }) => <PathText path={templatesOf(request).join(', ')} />,
                },
                { name: 'Files', isPlain: true, cell: ({ counts }) => <Counts counts={counts} /> },
              ]}
            />
          )
        }
      </QueryState>
    </>
  );
}

/** How many files are in which state. States without files are left out, because most watches have nothing in most states. */
function Counts({ counts: { ready, failed, submitted, converted, needsAttention } }: Pick<Watch, 'counts'>) {
  const parts = [
    [submitted, 'running'] as const,
    [ready + failed, 'ready'] as const,
    [converted, 'converted'] as const,
  ].flatMap(([count, name]) => (count > 0 ? [`${count.toLocaleString()} ${name}`] : []));
  if (needsAttention === 0) return parts.join(', ') || 'none yet';
  return (
    <>
      <Status tone="bad">
        {needsAttention.toLocaleString()} {needsAttention === 1 ? 'needs' : 'need'} attention
      </Status>
      {['', ...parts].join(', ')}
    </>
  );
}
