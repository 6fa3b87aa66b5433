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

/** The log of ffmpeg. Scrolls to new lines, unless the user has scrolled up. */
export function JobLog({ job }: { readonly job: Job }) {
  const { data: log = '', error } = useQuery({ ...logQuery(job), enabled: job.startedAt !== undefined });
  const block = useRef<HTMLPreElement>(null);
  const [isAtEnd, setAtEnd] = useState(job.status === 'PROCESSING' || job.status === 'FAILED');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new log moves the end.
  useEffect(() => {
    const element = block.current;
    if (isAtEnd && element !== null) element.scrollTop = element.scrollHeight;
  }, [log, isAtEnd]);
  if (error !== null)
    return (
      <Section title="Log of ffmpeg">
        <ProblemNotice error={error} />
      </Section>
    );
  if (log === '') return null;
  // The service counts them at the end, where a reader takes the line for what ffmpeg said last.
  const omitted = OMITTED.exec(log)?.[1];
  const lines = log.replace(OMITTED, '').trimEnd().split('\n');
  const shown = lines.slice(-MAX_LINES);
  return (
    <Section title="Log of ffmpeg" actions={<CopyButton text={log} />}>
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
    </Section>
  );
}
