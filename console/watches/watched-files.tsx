import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, Watch, WatchedFile } from '@telecine/client';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { JobLink } from '../jobs/job-link.tsx';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { JobProgress } from '../jobs/progress.tsx';
import { StatusBadge } from '../jobs/status-badge.tsx';
import { DeliveryStatus } from '../operate/webhooks/delivery-status.tsx';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatBytes } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import { PathText } from '../ui/path-text.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { Status } from '../ui/status.tsx';
import type { Tone } from '../ui/tone.ts';
import { WithCode } from '../ui/with-code.tsx';
import { useJobDeliveries } from './use-job-deliveries.ts';
import { WatchedFolder } from './watched-folder.tsx';
import { watchedFilesQuery } from './watches-query.ts';

type State = WatchedFile['state'];

const STATES: Readonly<Record<State, { readonly text: string; readonly tone: Tone }>> = {
  READY: { text: 'Ready', tone: 'waiting' },
  SUBMITTED: { text: 'Queued or running', tone: 'running' },
  CONVERTED: { text: 'Converted', tone: 'good' },
  FAILED: { text: 'To be retried', tone: 'warn' },
  NEEDS_ATTENTION: { text: 'Needs attention', tone: 'bad' },
  SKIPPED: { text: 'Skipped', tone: 'soft' },
};

const REASONS: Readonly<Record<NonNullable<WatchedFile['skipped']>, string>> = {
  EXISTED: 'It was there when the watch was made.',
  OWN_OUTPUT: 'This watch has made it.',
  GONE: 'It was removed before its conversion.',
};

/** The files of a watch, in all states or in one. */
export function WatchedFiles({
  watch,
  onRetry,
}: {
  readonly watch: Watch;
  /** undefined: the client may not retry. */
  readonly onRetry: ((paths: readonly string[]) => void) | undefined;
}) {
  const { watchId, counts } = watch;
  const [state, setState] = useState<State>();
  const files = useInfiniteQuery(watchedFilesQuery(watchId, state));
  const { data: session } = useSession();
  const deliveries = useJobDeliveries(session?.clientId === watch.client);
  const numbers: Readonly<Record<State, number>> = {
    READY: counts.ready,
    SUBMITTED: counts.submitted,
    CONVERTED: counts.converted,
    FAILED: counts.failed,
    NEEDS_ATTENTION: counts.needsAttention,
    SKIPPED: counts.skipped,
  };
  const shown = (Object.keys(STATES) as State[])
    // The chosen state stays, also when its last file leaves it.
    .filter((value) => numbers[value] > 0 || value === state)
    .map((value) => ({ value, name: `${STATES[value].text} ${numbers[value].toLocaleString()}` }));
  return (
    <Section
      title="Files"
      actions={
        shown.length > 0 && (
          <Segments
            label="State"
            options={[{ value: undefined, name: 'All' }, ...shown]}
            value={state}
            onChoose={setState}
          />
        )
      }
    >
      <QueryState query={files}>
        {({ pages }) => (
          <DataTable
            label="Files of the watch"
            rows={pages.flatMap((page) => page.files)}
            keyOf={({ path }) => path}
            empty={
              state === undefined ? (
                <p>
                  No file has landed yet in <WatchedFolder watch={watch} />.
                </p>
              ) : (
                'There are no such files.'
              )
            }
            columns={[
              { name: 'File', cell: ({ path }) => <PathText path={path} /> },
              { name: 'State', isBesideName: true, cell: (file) => <FileState file={file} /> },
              { name: 'Size', isNumber: true, isPlain: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
              { name: 'Output', isPlain: true, cell: ({ jobId }) => jobId !== undefined && <JobLink jobId={jobId} /> },
              ...(deliveries.size > 0
                ? [
                    {
                      name: 'Webhook',
                      cell: (file: WatchedFile) => <FileDelivery delivery={deliveries.get(file.jobId ?? '')} />,
                    },
                  ]
                : []),
              ...(pages.some(({ files: some }) => some.some(hasNote))
                ? [{ name: 'Note', isPlain: true, cell: (file: WatchedFile) => <Note file={file} /> }]
                : []),
              { name: 'Since', isPlain: true, cell: ({ changedAt }) => <Moment at={changedAt} /> },
              ...(onRetry === undefined
                ? []
                : [
                    {
                      name: '',
                      isMenu: true,
                      cell: (file: WatchedFile) => <RetryButton file={file} onRetry={onRetry} />,
                    },
                  ]),
            ]}
          />
        )}
      </QueryState>
      {files.hasNextPage && (
        <Button disabled={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
}

function FileState({ file: { state, jobId } }: { readonly file: WatchedFile }) {
  if (state === 'SUBMITTED' && jobId !== undefined) return <SubmittedState jobId={jobId} />;
  const { text, tone } = STATES[state];
  return <Status tone={tone}>{text}</Status>;
}

/** Whether the job of a file is queued or runs, and how far it is. */
function SubmittedState({ jobId }: { readonly jobId: string }) {
  // The link to the job reads it too.
  const job = useLiveJob(jobId, useQuery(jobQuery(jobId)).data);
  const { text, tone } = STATES.SUBMITTED;
  if (job?.status === 'PENDING') return <StatusBadge status="PENDING" />;
  if (job?.status !== 'PROCESSING')
    return (
      <Status tone={tone} isMoving>
        {text}
      </Status>
    );
  return (
    <>
      <StatusBadge status="PROCESSING" /> <JobProgress job={job} />
    </>
  );
}

const hasNote = ({ failure, skipped, source }: WatchedFile): boolean =>
  failure !== undefined || skipped !== undefined || source === 'KEPT';

/** Why a file is in its state. */
function Note({ file: { failure, dueAt, skipped, source } }: { readonly file: WatchedFile }) {
  if (failure !== undefined)
    return (
      <>
        <WithCode text={failure.message} />
        {dueAt !== undefined && (
          <>
            {' '}
            Again <Moment at={dueAt} />.
          </>
        )}
      </>
    );
  if (skipped !== undefined) return REASONS[skipped];
  return source === 'KEPT' && 'The file stays: it was changed, or an output is missing.';
}

/** Whether a webhook was told of the end of the job of a file. */
function FileDelivery({ delivery }: { readonly delivery: Delivery | undefined }) {
  if (delivery?.webhookId === undefined) return null;
  return (
    <Link to="/operate/webhooks/$webhookId" params={{ webhookId: delivery.webhookId }}>
      <DeliveryStatus delivery={delivery} />
    </Link>
  );
}

/** Converts a file again, also one that is skipped or converted. */
function RetryButton({
  file: { path, state },
  onRetry,
}: {
  readonly file: WatchedFile;
  readonly onRetry: (paths: readonly string[]) => void;
}) {
  if (state === 'READY' || state === 'SUBMITTED') return null;
  const verb = state === 'CONVERTED' ? 'Convert again' : state === 'SKIPPED' ? 'Convert' : 'Retry';
  return (
    <RowMenu label={`Actions for ${path}`}>
      <Button aria-label={`${verb} ${path}`} onClick={() => onRetry([path])}>
        <RefreshCw /> {verb}
      </Button>
    </RowMenu>
  );
}
