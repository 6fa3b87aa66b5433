import { dayOf } from '@telecine/contract/domain/client-limits.ts';
import { DAY_MS, HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import type { Config } from '../config/config.ts';
import { forgetHistory } from '../jobs/job-history.ts';
import { IDEMPOTENCY_HOURS } from '../jobs/submit/submit.ts';
import type { Store } from '../store/store.ts';
import { everyHour } from './background-tasks.ts';
import type { Log } from './logger.ts';

/** For how many days the usage of clients is kept. Usage is counted per day. */
const USAGE_DAYS = 400;

/** For how many days deletions of jobs are kept. Event streams that reconnect read them. */
const DELETION_DAYS = 7;

/** Within which time after a start the first run is, in ms. A fleet that is redeployed often also cleans up. */
const FIRST_MS = 60_000;

/** Deletes ended jobs that are older than TELECINE_JOB_RETENTION_DAYS, and old records about jobs. Does this soon after the start, and every hour. */
export function startRetention(
  closers: AsyncDisposableStack,
  { jobRetentionDays }: Pick<Config, 'jobRetentionDays'>,
  log: Log['log'],
  store: Pick<Store, 'batches' | 'changeLog' | 'idempotency' | 'jobHistory' | 'jobs' | 'usage'>,
): void {
  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
  const oldestKept = (): string => ago(jobRetentionDays * DAY_MS);
  const tasks: readonly (() => Promise<unknown>)[] = [
    () => store.idempotency.deleteBefore(ago(IDEMPOTENCY_HOURS * HOUR_MS)),
    () => forgetHistory(store.jobHistory, Date.now()),
    () => store.usage.forgetBefore(dayOf(ago(USAGE_DAYS * DAY_MS))),
    () => store.changeLog.forgetDeletedBefore(ago(DELETION_DAYS * DAY_MS)),
    ...(jobRetentionDays > 0
      ? [
          () => store.usage.forgetRecordsBefore(dayOf(oldestKept())),
          () => store.jobs.removeFinishedBefore(oldestKept()),
          () => store.batches.removeEmptyBefore(oldestKept()),
        ]
      : []),
  ];
  for (const task of tasks) closers.use(everyHour(task, log, { startsWithinMs: FIRST_MS }));
}
