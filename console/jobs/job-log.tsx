import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useEffect, useRef, useState } from 'react';
import { client } from '../app/client.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import styles from './job-log.module.css';

/** How often the log of a running job is read while the page is visible. */
const EVERY_MS = 2000;

/** The maximum number of lines. The newest lines are shown. */
const MAX_LINES = 500;

/** The last line of a log of which the service has kept a part. */
const OMITTED = /(?:^|\n)(\d+) other lines? omitted\n?$/;

/** A log counts as scrolled to its end if at most this many pixels are below. */
const NEAR = 24;

const logQuery = (job: Job) =>
  queryOptions({
    // Read the log again when the job has ended, because only then the log is complete.
    queryKey: ['log', job.jobId, job.completedAt],
    queryFn: ({ signal }) => client.log(job.jobId, { signal }),
    refetchInterval: job.status === 'PROCESSING' ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });

/** The log of ffmpeg. Of a failed job, it is open: the cause may be in it. Others have it below a line, because few people need it. */
export function JobLog({ job }: { readonly job: Job }) {
  const isFailed = job.status === 'FAILED';
  /** What the user has chosen. */
  const [toggled, setToggled] = useState<boolean>();
  const isOpen = toggled ?? isFailed;
  const { data: log, error } = useQuery({ ...logQuery(job), enabled: isOpen && job.startedAt !== undefined });
  if (job.startedAt === undefined) return null;
  // A job that failed before ffmpeg ran has no log.
  if (isFailed && error === null && (log ?? '') === '') return null;
  return (
    <Section title="Log of ffmpeg" actions={isOpen && log !== undefined && log !== '' && <CopyButton text={log} />}>
      <details
        className={styles.log}
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => open !== isOpen && setToggled(open)}
      >
        <summary>{isOpen ? 'Hide the log' : 'Show the log'}</summary>
        {isOpen && error !== null && <ProblemNotice error={error} />}
        {isOpen && error === null && <Lines job={job} log={log} />}
      </details>
    </Section>
  );
}

/** The newest lines of a log. Scrolls to new lines, unless the user has scrolled up. `log`: undefined: it is being read. */
function Lines({ job, log }: { readonly job: Job; readonly log: string | undefined }) {
  const block = useRef<HTMLPreElement>(null);
  const [isAtEnd, setAtEnd] = useState(job.status === 'PROCESSING' || job.status === 'FAILED');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new log moves the end.
  useEffect(() => {
    const element = block.current;
    if (isAtEnd && element !== null) element.scrollTop = element.scrollHeight;
  }, [log, isAtEnd]);
  if (log === undefined) return <p className={styles.note}>Loading…</p>;
  if (log === '')
    return <p className={styles.note}>ffmpeg has logged nothing{job.completedAt === undefined && ' yet'}.</p>;
  // The service counts them at the end, where a reader takes the line for what ffmpeg said last.
  const omitted = OMITTED.exec(log)?.[1];
  const lines = log.replace(OMITTED, '').trimEnd().split('\n');
  const shown = lines.slice(-MAX_LINES);
  return (
    <>
      {omitted !== undefined && (
        <p className={styles.note}>
          {omitted === '1' ? 'One other line is left out' : `${omitted} other lines are left out`}: those that may show
          something of the server, and those beyond 64 KiB.
        </p>
      )}
      {lines.length > shown.length && (
        <p>
          The last {MAX_LINES} of {lines.length} lines.
        </p>
      )}
      <CodeBlock
        ref={block}
        label="Log of ffmpeg"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR)
        }
      >
        {shown.join('\n')}
      </CodeBlock>
    </>
  );
}
