import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FilmIcon from 'lucide-react/icons/film';
import Pause from 'lucide-react/icons/pause';
import Pencil from 'lucide-react/icons/pencil';
import Play from 'lucide-react/icons/play';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { filesText } from '../../packages/contract/src/domain/watch-text.ts';
import { client } from '../app/client.ts';
import { isStored } from '../media/media-address.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import cells from '../ui/cells.module.css';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PathText } from '../ui/path-text.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Notice, UndoNotice } from '../ui/undo-notice.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { templatesOf } from './watch-draft.ts';
import { WatchFailures } from './watch-failures.tsx';
import { useHasBin } from './watch-fields.tsx';
import { WATCHES_KEY } from './watch-reader.ts';
import { ConvertsWith, titleOfWatch, WatchStatus } from './watch-status.tsx';
import { WatchedFiles } from './watched-files.tsx';
import styles from './watches.module.css';
import { mayMakeWatches, watchQuery } from './watches-query.ts';

/** One watch: what it does, what failed and why, its files, and the actions on it. */
export function WatchPage() {
  const { watchId } = useParams({ from: '/watches/$watchId' });
  const watch = useQuery(watchQuery(watchId));
  const { data: session } = useSession();
  const mayChange = mayMakeWatches(session);
  const queries = useQueryClient();
  const [notice, setNotice] = useState<Notice>();
  const retry = useMutation({
    mutationFn: (paths: readonly string[] | undefined) => client.retryWatch(watchId, { paths }),
    onSuccess: ({ files, reason }) => {
      setNotice({ text: reason ?? `${filesText(files)} ${files === 1 ? 'is' : 'are'} converted again.` });
      void queries.invalidateQueries({ queryKey: [...WATCHES_KEY, watchId] });
    },
    onError: (error) => setNotice({ text: '', error }),
  });
  const onRetry = mayChange ? (paths?: readonly string[]) => retry.mutate(paths) : undefined;
  return (
    <QueryState query={watch}>
      {(data) => (
        <>
          <PageHeader
            title={titleOfWatch(data)}
            back={<BackLink to="/watches">Watches</BackLink>}
            about={<WatchStatus watch={data} />}
          >
            {mayChange && <Actions watch={data} />}
          </PageHeader>
          <UndoNotice notice={notice} onClose={() => setNotice(undefined)} />
          {data.stopped !== undefined && (
            <p role="alert" className={styles.bad}>
              <WithCode text={data.stopped.message} /> {data.stopped.fix && <WithCode text={data.stopped.fix} />}
            </p>
          )}
          <Facts watch={data} />
          {data.counts.needsAttention > 0 && (
            <WatchFailures watch={data} isRetrying={retry.isPending} onRetry={onRetry} />
          )}
          <WatchedFiles watch={data} onRetry={onRetry} />
        </>
      )}
    </QueryState>
  );
}

function Actions({ watch }: { readonly watch: Watch }) {
  const { watchId, state } = watch;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isPaused = state === 'PAUSED';
  const change = useMutation({
    mutationFn: () => client.changeWatch(watchId, { state: isPaused ? 'ACTIVE' : 'PAUSED' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: WATCHES_KEY }),
  });
  return (
    <>
      <Button disabled={change.isPending} onClick={() => change.mutate()}>
        {isPaused ? <Play /> : <Pause />} {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Link to="/watches/$watchId/edit" params={{ watchId }} className={buttonClass('plain')}>
        <Pencil /> Change…
      </Link>
      <Menu label="More for this watch">
        <Link to="/jobs" search={{ watch: watchId }}>
          <FilmIcon /> Show its jobs
        </Link>
        <ConfirmButton
          label="Delete"
          icon={<Trash2 />}
          title="Delete this watch?"
          action={() => client.removeWatch(watchId)}
          onDone={() => {
            void queries.invalidateQueries({ queryKey: WATCHES_KEY });
            void navigate({ to: '/watches' });
          }}
        >
          <p>
            The watch is deleted with what it knows about its files. Its jobs, its outputs and the files themselves
            stay. A new watch of this folder would convert the files that are there again.
          </p>
        </ConfirmButton>
      </Menu>
      {change.error !== null && <ProblemNotice error={change.error} />}
    </>
  );
}

function Facts({ watch }: { readonly watch: Watch }) {
  const { client: owner, folder, patterns, exclude, subfolders, request, source, lastScan } = watch;
  const { data: session } = useSession();
  const hasBin = useHasBin();
  const isOwn = session?.clientId === owner && mayDo(session, 'files:read') && isStored(folder);
  const path = <PathText path={folder} />;
  const after = { keep: 'Keep the file', delete: hasBin ? 'Move the file to the bin' : 'Delete the file for good' };
  return (
    <FactsList
      className={`${cells.cells} ${styles.facts}`}
      facts={[
        ['Converts with', <ConvertsWith key="settings" request={request} />],
        [
          'Folder',
          <>
            {isOwn ? <Link {...{ to: '/files', search: folder === '/' ? {} : { folder } }}>{path}</Link> : path}
            {patterns !== undefined && ` · ${patterns.join(' ')}`}
            {exclude !== undefined && ` · not ${exclude.join(' ')}`}
            {!subfolders && ' · without folders below'}
          </>,
        ],
        ['Outputs', templatesOf(request).join(', ')],
        ['After converting', typeof source === 'string' ? after[source] : `Move the file to ${source.moveTo}`],
        ['Last scan', lastScan && <Moment key="scan" at={lastScan.at} />],
      ]}
    />
  );
}
