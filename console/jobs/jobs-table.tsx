import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Job } from '@telecine/client';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import {
  type CSSProperties,
  type Dispatch,
  memo,
  type SetStateAction,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { withoutCode } from '../ui/code-parts.ts';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { LongName } from '../ui/long-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { inputText, outputText } from './job-names.ts';
import { JobRowActions } from './job-row-actions.tsx';
import { JobThumbnail } from './job-thumbnail.tsx';
import { jobsText } from './jobs-action-text.ts';
import styles from './jobs-table.module.css';
import { useLiveJob } from './live-jobs-connection.tsx';
import { JobProgress } from './progress.tsx';
import type { ReplacementOf } from './replacements.ts';
import { StatusBadge } from './status-badge.tsx';
import { textForReader } from './text-for-reader.ts';

/** The height of a row in pixels, as in the style sheet. A narrow window has no columns, so each row has two lines, and up to three more for a reason. */
const ROW = 44;
const NARROW_ROW = 64;
const REASON_LINE = 18;
const REASON_LINES = 3;
/**
 * In pixels: the part of a narrow window that a reason cannot use, and the width of a character. Both are rather too large, because an empty
 * line is better than a cut reason.
 */
const BESIDE_REASON = 150;
const CHARACTER = 6.6;
const NARROW = '(width < 56rem)';

/** The number of rendered rows above and below the window, so that fast scrolling shows no gap. */
const OVERSCAN = 12;

/** The row of a job is marked when it appears, unless the job is older than this. Rows that appear by scrolling are older. */
const NEW_MS = 4000;

interface Props {
  readonly jobs: readonly Job[];
  readonly replacementOf: ReplacementOf;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Whether a narrow window shows checkboxes. They take room from the names, so they appear only after "Select". */
  readonly isSelecting: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Called when the user scrolls near the end of the list. */
  readonly onEnd: () => void;
}

/** A table of jobs. Only the rows near the window are rendered. */
export function JobsTable({
  jobs,
  replacementOf,
  selected,
  onSelect,
  isSelecting,
  hasMore,
  isLoadingMore,
  onEnd,
}: Props) {
  const body = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia(NARROW);
  // A failed job that was run again needs no attention, so its reason has one line.
  const reasonLines = (job: Job | undefined): number => {
    if (!isNarrow || job?.error === undefined || replacementOf(job) !== undefined) return 0;
    const width = (job.error.message.length * CHARACTER) / (window.innerWidth - BESIDE_REASON);
    return Math.min(REASON_LINES, Math.max(1, Math.ceil(width)));
  };
  const rows = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: (index) => {
      if (!isNarrow) return ROW;
      return NARROW_ROW + reasonLines(jobs[index]) * REASON_LINE;
    },
    overscan: OVERSCAN,
    scrollMargin: body.current?.offsetTop ?? 0,
    // Keep the same function. With a new one, all rows would be measured again at each frame of a scroll.
    getItemKey: useCallback((index: number) => jobs[index]?.jobId ?? index, [jobs]),
  });
  const width = rows.scrollRect?.width;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights make all positions wrong.
  useLayoutEffect(() => rows.measure(), [rows, isNarrow, width, replacementOf]);
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= jobs.length - OVERSCAN) onEnd();
  }, [hasMore, isLoadingMore, last, jobs.length, onEnd]);

  const toggle = useCallback(
    (jobId: string): void =>
      onSelect((before) => {
        const next = new Set(before);
        if (!next.delete(jobId)) next.add(jobId);
        return next;
      }),
    [onSelect],
  );
  const { data: session } = useSession();
  const viewer = session?.clientId;
  const reader = mayDo(session, 'files:read') ? viewer : undefined;
  const areAllSelected = selected.size === jobs.length;

  return (
    <div
      role="table"
      aria-label="Jobs"
      aria-rowcount={hasMore ? -1 : jobs.length + 1}
      className={styles.table}
      data-selecting={isSelecting}
    >
      <div role="row" className={styles.head}>
        <span role="columnheader">
          <input
            type="checkbox"
            aria-label={
              hasMore
                ? `Select the ${jobsText(jobs.length)} that are loaded`
                : `Select all ${jobs.length} jobs of the list`
            }
            checked={areAllSelected}
            onChange={() => onSelect(new Set(areAllSelected ? [] : jobs.map(({ jobId }) => jobId)))}
          />
          <span className={styles.all} aria-hidden="true">
            All
          </span>
        </span>
        {['Status', 'Job', 'Result', 'Size', 'Client', 'Created'].map((name) => (
          <span role="columnheader" key={name}>
            {name}
          </span>
        ))}
        <span role="columnheader">
          <span className="visually-hidden">Actions</span>
        </span>
      </div>
      <div ref={body} role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const job = jobs[index];
          return job === undefined ? null : (
            <Row
              key={key}
              job={job}
              index={index}
              top={start - rows.options.scrollMargin}
              reasonLines={reasonLines(job)}
              wasRunAgain={replacementOf(job) !== undefined}
              isSelected={selected.has(job.jobId)}
              onToggle={toggle}
              reader={reader}
              isOther={viewer !== undefined && job.client !== viewer}
            />
          );
        })}
      </div>
      {isLoadingMore && <p className={styles.more}>Loading older jobs…</p>}
    </div>
  );
}

const Row = memo(function Row({
  job: read,
  index,
  top,
  reasonLines,
  wasRunAgain,
  isSelected,
  onToggle,
  reader,
  isOther,
}: {
  readonly job: Job;
  readonly index: number;
  readonly top: number;
  /** The lines that a narrow row has for a reason, below the others. A job that has just failed gets them when the list changes. */
  readonly reasonLines: number;
  /** Whether another job has taken the place of this one. */
  readonly wasRunAgain: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (jobId: string) => void;
  /** The signed-in client, if it may read its files. */
  readonly reader: string | undefined;
  /** Whether it is the job of another client, which a narrow row names too. */
  readonly isOther: boolean;
}) {
  const job = useLiveJob(read.jobId, read);
  const [isNew] = useState(() => Date.now() - Date.parse(read.createdAt) < NEW_MS);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-new={isNew}
      data-tall={reasonLines > 0}
      data-other={isOther}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)`, '--reason-lines': reasonLines } as CSSProperties}
    >
      <span role="cell">
        <input
          type="checkbox"
          aria-label={`Select ${outputText(job) || job.jobId}`}
          checked={isSelected}
          onChange={() => onToggle(job.jobId)}
        />
      </span>
      <span role="cell">
        <StatusBadge status={job.status} wasRunAgain={wasRunAgain} />
      </span>
      <span role="cell" className={styles.what}>
        <JobThumbnail job={job} mayReadInputs={job.client === reader} className={styles.thumbnail} />
        <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} title={outputText(job) || job.jobId}>
          <LongName name={outputText(job) || job.jobId} />
        </Link>
        <span className={styles.from} title={inputText(job)}>
          from {inputText(job)}
        </span>
      </span>
      <span role="cell" className={styles.state}>
        {job.status === 'PROCESSING' ? <JobProgress job={job} /> : <Outcome job={job} wasRunAgain={wasRunAgain} />}
      </span>
      <span role="cell" className={styles.soft}>
        {sizeText(job)}
      </span>
      <span role="cell" className={styles.soft}>
        {job.client}
      </span>
      <span role="cell" className={styles.soft}>
        <Moment at={job.createdAt} />
      </span>
      <span role="cell">
        <JobRowActions job={job} isReader={job.client === reader} />
      </span>
    </div>
  );
});

/** The size of what a job has published. A job with many outputs lists only some, and then it is not known. */
function sizeText({ outputs = [], outputCount = outputs.length }: Job): string | undefined {
  if (outputs.length === 0 || outputs.length < outputCount) return undefined;
  return formatBytes(outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
}

/** The result of a job: its error, or its duration and the number of warnings, and whether it was run again, unless its status says so. */
function Outcome({ job, wasRunAgain }: { readonly job: Job; readonly wasRunAgain: boolean }) {
  const { data: session } = useSession();
  if (job.error !== undefined) {
    const message = textForReader(job.error.message, job.client, session?.clientId);
    return (
      <span className={styles.reason} data-mended={wasRunAgain} title={withoutCode(message)}>
        <WithCode text={message} />
      </span>
    );
  }
  if (job.startedAt === undefined || job.completedAt === undefined) return wasRunAgain ? 'Was run again' : null;
  const seconds = (Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1000;
  const warnings = job.warnings?.length ?? 0;
  return (
    <span>
      {wasRunAgain && 'Was run again · '}
      <span className={warnings > 0 ? styles.took : undefined}>
        <span className={styles.in}>in </span>
        {formatDuration(seconds)}
        {warnings > 0 && ', '}
      </span>
      {warnings > 0 && (
        <span className={styles.warnings}>
          <TriangleAlert /> {warnings}
          <span> {warnings === 1 ? 'warning' : 'warnings'}</span>
        </span>
      )}
    </span>
  );
}
