import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Watch, WatchedFile } from '@telecine/client';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { JobLink } from '../jobs/job-link.tsx';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { JobProgress } from '../jobs/progress.tsx';
import { StatusBadge } from '../jobs/status-badge.tsx';
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
import { watchedFilesQuery } from './watches-query.ts';

type State = WatchedFile['state'];

const STATES: Readonly<
  Record<State, { readonly text: string; readonly tone: Tone; readonly count: keyof Watch['counts'] }>
> = {
  READY: { text: 'Ready', tone: 'waiting', count: 'ready' },
  SUBMITTED: { text: 'Queued or running', tone: 'running', count: 'submitted' },
  CONVERTED: { text: 'Converted', tone: 'good', count: 'converted' },
  FAILED: { text: 'To be retried', tone: 'warn', count: 'failed' },
  NEEDS_ATTENTION: { text: 'Needs attention', tone: 'bad', count: 'needsAttention' },
  SKIPPED: { text: 'Skipped', tone: 'soft', count: 'skipped' },
};

const REASONS: Readonly<Record<NonNullable<WatchedFile['skipped']>, string>> = {
  EXISTED: 'It was there when the watch was made.',
  OWN_OUTPUT: 'This watch has made it.',
  GONE: 'It was removed before its conversion.',
};

/** The files of a watch, in all states or in one. */
export function WatchedFiles({
  watch: { watchId, folder, counts },
  onRetry,
}: {
  readonly watch: Watch;
  /** undefined: the client may not retry. */
  readonly onRetry: ((paths: readonly string[]) => void) | undefined;
}) {
  const [state, setState] = useState<State>();
  const files = useInfiniteQuery(watchedFilesQuery(watchId, state));
  const shown = (Object.keys(STATES) as State[])
    // The chosen state stays, also when its last file leaves it.
    .filter((value) => counts[STATES[value].count] > 0 || value === state)
    .map((value) => ({ value, name: `${STATES[value].text} ${counts[STATES[value].count].toLocaleString()}` }));
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
            empty={state === undefined ? `No file has landed yet in ${folder}` : 'There are no such files.'}
            columns={[
              { name: 'File', cell: ({ path }) => <PathText path={path} /> },
              { name: 'State', isBesideName: true, cell: (file) => <FileState file={file} /> },
              { name: 'Size', isNumber: true, isPlain: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
              { name: 'Output', isPlain: true, cell: ({ jobId }) => jobId !== undefined && <JobLink jobId={jobId} /> },
              { name: 'Note', isPlain: true, cell: (file) => <Note file={file} /> },
              { name: 'Since', isPlain: true, cell: ({ changedAt }) => <Moment at={changedAt} /> },
              ...(onRetry === undefined
                ? []
                : [
                    {
                      name: '',
                      isMenu: true,
                      cell: ({ path, state: now }: WatchedFile) =>
                        now !== 'READY' &&
                        now !== 'SUBMITTED' && (
                          <RowMenu label={`Actions for ${path}`}>
                            <Button onClick={() => onRetry([path])}>
                              <RefreshCw /> Convert again
                            </Button>
                          </RowMenu>
                        ),
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
  const { text, tone } = STATES[state];
  if (state === 'SUBMITTED' && jobId !== undefined) return <SubmittedState jobId={jobId} />;
  return <Status tone={tone}>{text}</Status>;
}

/** Whether the job of a file is queued or runs, and how far it is. */
function SubmittedState({ jobId }: { readonly jobId: string }) {
  // The link to the job reads it too.
  const job = useLiveJob(jobId, useQuery(jobQuery(jobId)).data);
  if (job === undefined) return STATES.SUBMITTED.text;
  return (
    <>
      <StatusBadge status={job.status} /> <JobProgress job={job} />
    </>
  );
}

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
