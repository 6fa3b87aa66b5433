import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FilmIcon from 'lucide-react/icons/film';
import Pause from 'lucide-react/icons/pause';
import Pencil from 'lucide-react/icons/pencil';
import Play from 'lucide-react/icons/play';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode, useState } from 'react';
import { aboutTime, filesText, nextScanOf } from '../../packages/contract/src/domain/watch-text.ts';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import cells from '../ui/cells.module.css';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Notice, UndoNotice } from '../ui/undo-notice.tsx';
import { Until } from '../ui/until.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { readBegunWatch } from './begun-watch.ts';
import { ConvertsWith } from './converts-with.tsx';
import { EditWatch } from './edit-watch.tsx';
import { mayMakeWatches } from './may-make-watches.ts';
import { useWatchActions } from './use-watch-actions.ts';
import { exampleOutput, templatesOf } from './watch-draft.ts';
import { WatchFailures } from './watch-failures.tsx';
import { watchedFilesKey } from './watch-keys.ts';
import { titleOfWatch, WatchStatus } from './watch-status.tsx';
import { isEmptyWatch, mayUpload, WatchUploads } from './watch-uploads.tsx';
import { WatchedFiles } from './watched-files.tsx';
import { WatchedFolder } from './watched-folder.tsx';
import styles from './watches.module.css';
import { watchesQuery, watchQuery } from './watches-query.ts';
import { WebhookNote } from './webhook-note.tsx';

/** One watch: what it does, what failed and why, its files, and the actions on it. */
export function WatchPage() {
  const { watchId } = useParams({ from: '/watches/$watchId' });
  const watch = useQuery(watchQuery(watchId));
  const { data: session } = useSession();
  const mayChange = mayMakeWatches(session);
  const queries = useQueryClient();
  const [notice, setNotice] = useState<Notice>();
  const readAgain = (): void => {
    void queries.invalidateQueries({ queryKey: watchQuery(watchId).queryKey });
    void queries.invalidateQueries({ queryKey: watchedFilesKey(watchId) });
  };
  const retry = useMutation({
    mutationFn: (paths: readonly string[] | undefined) => client.retryWatch(watchId, { paths }),
    onSuccess: ({ files }) => {
      setNotice({ text: `${filesText(files)} ${files === 1 ? 'is' : 'are'} converted again.` });
      readAgain();
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
            <p role="alert" className={styles.errors}>
              <WithCode text={data.stopped.message} /> {data.stopped.fix && <WithCode text={data.stopped.fix} />}
            </p>
          )}
          <Facts watch={data} />
          {data.counts.needsAttention > 0 && (
            <WatchFailures watch={data} isRetrying={retry.isPending} onRetry={onRetry} />
          )}
          <WatchUploads watch={data} />
          {!(isEmptyWatch(data) && mayUpload(session, data)) && <WatchedFiles watch={data} onRetry={onRetry} />}
          {session?.clientId === data.client && <WebhookNote />}
        </>
      )}
    </QueryState>
  );
}

function Actions({ watch }: { readonly watch: Watch }) {
  const { watchId, state } = watch;
  const { data: session } = useSession();
  // The workbench leads here with settings that are not saved yet.
  const [isEdited, setEdited] = useState(() => readBegunWatch(session?.clientId ?? '', watchId) !== undefined);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const change = useWatchActions(watchId);
  return (
    <>
      {state === 'ACTIVE' ? (
        <Button disabled={change.isPending} onClick={() => change.mutate('PAUSED')}>
          <Pause /> Pause
        </Button>
      ) : (
        <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate('ACTIVE')}>
          <Play /> Resume
        </Button>
      )}
      <Button onClick={() => setEdited(true)}>
        <Pencil /> Change…
      </Button>
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
            void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
            void navigate({ to: '/watches' });
          }}
        >
          <p>
            The watch is deleted with what it knows about its files. Its jobs, its outputs and the files themselves
            stay. A new watch of this folder would convert the files that are there again.
          </p>
        </ConfirmButton>
      </Menu>
      {isEdited && <EditWatch watch={watch} onClose={() => setEdited(false)} />}
      {change.error !== null && <ProblemNotice error={change.error} />}
    </>
  );
}

/** When the folder of a watch was scanned last, and when it is scanned next. Not every frequent scan is stored, so the time of the last one is left out. */
function scanFacts(watch: Watch): readonly (readonly [string, ReactNode])[] {
  const { lastScan } = watch;
  if (lastScan === undefined) return [['Last scan', 'None yet']];
  const found = `${filesText(lastScan.files)}, took ${aboutTime(lastScan.seconds)}`;
  const next = nextScanOf(watch);
  if (next !== undefined && 'every' in next) return [['Scans', `${sentence(next.every)}: ${found}`]];
  return [
    [
      'Last scan',
      <span key="last">
        <Moment at={lastScan.at} />, {found}
      </span>,
    ],
    ...(next === undefined ? [] : [['Next scan', <Until key="next" at={next.at} />] as const]),
  ];
}

function Facts({ watch }: { readonly watch: Watch }) {
  const { patterns, exclude, subfolders, request, source } = watch;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Converts with', <ConvertsWith key="settings" request={request} />],
    [
      'Folder',
      <>
        <WatchedFolder watch={watch} />
        {patterns !== undefined && ` · ${patterns.join(' ')}`}
        {exclude !== undefined && ` · not ${exclude.join(' ')}`}
        {!subfolders && ' · without folders below'}
      </>,
    ],
    ['Outputs', <Outputs key="outputs" watch={watch} />],
    ['After converting', typeof source === 'string' ? SOURCES[source] : `Move the file to ${source.moveTo}`],
    ...scanFacts(watch),
  ];
  return (
    <dl className={`${cells.cells} ${styles.facts}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The templates of the outputs, with what the first one makes of a file in a folder below the watched one. */
function Outputs({ watch: { request, folder } }: { readonly watch: Watch }) {
  const templates = templatesOf(request);
  const file = `${folder === '/' ? '' : folder}mon/film.mov`;
  return (
    <>
      {templates.join(', ')}
      <span className={styles.outputExample}>
        {file} becomes {exampleOutput(templates[0] ?? '', folder, file, new Date())}
      </span>
    </>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const SOURCES = { keep: 'Keep the file', delete: 'Move the file to the bin' } as const;
