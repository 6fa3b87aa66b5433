import { DatabaseSync } from 'node:sqlite';
import { MAX_ATTEMPTS } from '../../../src/domain/max-attempts.ts';
import { isFinished, type JobStatus, nextStatus } from '../../../src/domain/states.ts';
import { databasePath, type ServiceFolders } from '../leftovers.ts';

/** One change of a job's status or fence, as the database itself wrote it down. */
interface Change {
  readonly jobId: string;
  readonly was: JobStatus;
  readonly became: JobStatus;
  readonly fenceWas: number;
  readonly fence: number;
  readonly error: string | null;
}

/** Makes the database of a service that does not run note every change, in the very transaction that makes it. */
export function installAudit(folders: ServiceFolders): void {
  const db = new DatabaseSync(databasePath(folders));
  db.exec(`
    create table soak_changes (
      seq integer primary key, job_id text, was text, became text, fence_was integer, fence integer, error text
    );
    create trigger soak_watch after update on jobs when old.status <> new.status or old.fence <> new.fence begin
      insert into soak_changes (job_id, was, became, fence_was, fence, error)
      values (new.job_id, old.status, new.status, old.fence, new.fence, new.error);
    end`);
  db.close();
}

export interface AuditResult {
  readonly faults: readonly string[];
  /** Claims of a job whose worker was lost. */
  readonly takenOver: number;
}

/** Reads what was noted; the database may be in use. */
export function readAudit(folders: ServiceFolders): AuditResult {
  const db = new DatabaseSync(databasePath(folders), { readOnly: true, timeout: 5000 });
  try {
    const changes = db
      .prepare('select job_id, was, became, fence_was, fence, error from soak_changes order by seq')
      .all()
      .map(toChange);
    return {
      faults: [...Map.groupBy(changes, ({ jobId }) => jobId)].flatMap(([, ofJob]) => faultsOf(ofJob)),
      takenOver: changes.filter(({ was, became }) => was === 'PROCESSING' && became === 'PROCESSING').length,
    };
  } finally {
    db.close();
  }
}

const toChange = (row: Record<string, unknown>): Change => ({
  jobId: String(row['job_id']),
  was: String(row['was']) as JobStatus,
  became: String(row['became']) as JobStatus,
  fenceWas: Number(row['fence_was']),
  fence: Number(row['fence']),
  error: row['error'] === null ? null : String(row['error']),
});

function faultsOf(changes: readonly Change[]): readonly string[] {
  const faults: string[] = [];
  const say = (change: Change, what: string): number =>
    faults.push(`${change.jobId} ${what}: ${JSON.stringify(change)}`);
  for (const change of changes) {
    const { was, became, fence, fenceWas } = change;
    const claim = became === 'PROCESSING';
    if (isFinished(was)) say(change, 'changed after its end');
    if (fence !== fenceWas + (claim ? 1 : 0)) say(change, 'has a wrong fence');
    if (!isLegal(was, became)) say(change, 'went where it may not');
    if (change.error?.includes('"WORKER_LOST"') === true && fence <= MAX_ATTEMPTS)
      say(change, 'was given up too early');
  }
  return faults;
}

/** A claim over a lost worker goes through PENDING in one step. */
const isLegal = (was: JobStatus, became: JobStatus): boolean =>
  (['claim', 'requeue', 'complete', 'fail', 'cancel'] as const).some((event) => nextStatus(was, event) === became) ||
  (was === 'PROCESSING' && became === 'PROCESSING');
