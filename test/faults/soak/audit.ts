import { DatabaseSync } from 'node:sqlite';
import { MAX_ATTEMPTS } from '../../../packages/contract/src/domain/failure.ts';
import { isFinished, type JobStatus, nextStatus } from '../../../packages/contract/src/domain/states.ts';
import { databasePath, type ServiceFolders } from '../service-state.ts';

/** A change of a job's status or fence, recorded by a trigger. */
export interface Change {
  readonly jobId: string;
  readonly was: JobStatus;
  readonly became: JobStatus;
  readonly fenceWas: number;
  readonly fence: number;
  readonly error: string | null;
}

/** Adds a trigger that records every change in its own transaction. The service must not be running. */
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
  /** Claims of jobs whose worker was lost. */
  readonly takenOver: number;
}

/** Reads the recorded changes. The service may be running. */
export function readAudit(folders: ServiceFolders): AuditResult {
  const db = new DatabaseSync(databasePath(folders), { readOnly: true, timeout: 5000 });
  try {
    const changes = db
      .prepare('select job_id, was, became, fence_was, fence, error from soak_changes order by seq')
      .all()
      .map(toChange);
    return auditOf(changes);
  } finally {
    db.close();
  }
}

/** Checks the recorded changes, in their order. */
export const auditOf = (changes: readonly Change[]): AuditResult => ({
  faults: [...Map.groupBy(changes, ({ jobId }) => jobId)].flatMap(([, ofJob]) => faultsOf(ofJob)),
  takenOver: changes.filter(({ was, became }) => was === 'PROCESSING' && became === 'PROCESSING').length,
});

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
  const addFault = (change: Change, what: string): number =>
    faults.push(`${change.jobId} ${what}: ${JSON.stringify(change)}`);
  for (const change of changes) {
    const { was, became, fence, fenceWas } = change;
    const claim = became === 'PROCESSING';
    if (isFinished(was)) addFault(change, 'changed after it finished');
    if (fence !== fenceWas + (claim ? 1 : 0)) addFault(change, 'has a wrong fence');
    if (!isLegal(was, became)) addFault(change, 'made a forbidden transition');
    if (change.error?.includes('"WORKER_LOST"') === true && fence <= MAX_ATTEMPTS)
      addFault(change, 'failed before its last attempt');
  }
  return faults;
}

/** The claim of a job whose worker was lost is one step from PROCESSING to PROCESSING. */
const isLegal = (was: JobStatus, became: JobStatus): boolean =>
  (['claim', 'requeue', 'complete', 'fail', 'cancel'] as const).some((event) => nextStatus(was, event) === became) ||
  (was === 'PROCESSING' && became === 'PROCESSING');
