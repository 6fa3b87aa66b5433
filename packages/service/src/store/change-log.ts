import { sql } from 'kysely';
import type { ChangeLog, ChangePosition, NumberedChange, ReadPosition } from '../jobs/ports/job-records.ts';
import { removeInBatches } from './queries.ts';
import type { Database, Db } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

/** The maximum number of records of deleted jobs that one transaction removes. */
const DELETE_BATCH = 1000;

const TABLES = ['jobs', 'deleted_jobs'] as const;
type ChangedTable = (typeof TABLES)[number];

interface Row extends ChangePosition {
  readonly clientId: string;
  readonly isDeleted: number;
}

const toChange = ({ isDeleted, ...row }: Row): NumberedChange => ({ ...row, isDeleted: isDeleted === 1 });

const byPosition = (a: ChangePosition, b: ChangePosition): number =>
  a.number - b.number || (a.jobId < b.jobId ? -1 : 1);

const positionOf = ({ number, jobId }: ChangePosition): ChangePosition => ({ number, jobId });

/** Parses `openChanges`. */
const toNumbers = (text: string): readonly number[] => text.split(',').map(Number);

const readRows = (db: Db, table: ChangedTable) =>
  db
    .selectFrom(table)
    .select(['change_number as number', 'job_id as jobId', 'client_id as clientId'])
    .select(sql.lit(table === 'jobs' ? 0 : 1).as('isDeleted'))
    .$castTo<Row>();

interface Page extends ChangePosition {
  readonly limit: number;
  /** Only changes with lower numbers are read. */
  readonly end: number;
}

// Use two conditions: SQLite would not use the partial index for a comparison of `(change_number, job_id)`.
const isAfter = (p: Page) =>
  sql<boolean>`change_number >= ${p.number} and (change_number > ${p.number} or job_id > ${p.jobId})`;

// Query each table separately: for the first changes of both tables together, PostgreSQL would sort all later changes.
const pageReads = TABLES.map((table) =>
  compileStatement((db, p: Page) =>
    readRows(db, table)
      .where(isAfter(p))
      .where(sql<boolean>`change_number < ${p.end}`)
      .orderBy('number')
      .orderBy('jobId')
      .limit(p.limit),
  ),
);

/**
 * Reads a page from both tables. A change that commits between the two queries has a number of `openChanges`, so a
 * later page contains it.
 */
async function readPage(reader: Db, page: Page): Promise<readonly Row[]> {
  const found = await Promise.all(pageReads.map((read) => read(reader, page)));
  return found
    .flatMap(({ rows }) => rows)
    .sort(byPosition)
    .slice(0, page.limit);
}

/**
 * Reads changes of transactions that have ended, after a position in each of them. Reads a page for each position: for
 * several positions in one query, PostgreSQL may read the whole index.
 */
async function readEnded(reader: Db, positions: readonly ChangePosition[], limit: number): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const position of positions.toSorted(byPosition)) {
    if (found.length === limit) break;
    found.push(...(await readPage(reader, { ...position, limit: limit - found.length, end: position.number + 1 })));
  }
  return found;
}

/** Reads what `from` has not read. `numbers`: those of open transactions, and last the next number. */
async function readUnread(
  reader: Db,
  numbers: readonly number[],
  { open, ...position }: ReadPosition,
  limit: number,
): Promise<{ readonly changes: readonly NumberedChange[]; readonly read: ReadPosition }> {
  const [next = 0, openNow] = [numbers.at(-1), new Set(numbers.slice(0, -1))];
  const stillOpen = open.filter(({ number }) => openNow.has(number));
  const ended = open.filter(({ number }) => !openNow.has(number));
  const late = await readEnded(reader, ended, limit);
  const last = late.at(-1);
  if (last !== undefined && late.length === limit) {
    const later = ended.filter(({ number }) => number > last.number);
    return { changes: late.map(toChange), read: { ...position, open: [...stillOpen, positionOf(last), ...later] } };
  }
  const page = await readPage(reader, { ...position, limit: limit - late.length, end: next });
  const to = page.at(-1) ?? position;
  const passed = [...openNow].filter((number) => number > position.number && number <= to.number);
  return {
    changes: [...late, ...page].map(toChange),
    read: { ...positionOf(to), open: [...stillOpen, ...passed.map((number) => ({ number, jobId: '' }))] },
  };
}

/** Reads the last change of each job. */
async function readChangesOf(reader: Db, jobIds: readonly string[]): Promise<readonly NumberedChange[]> {
  if (jobIds.length === 0) return [];
  const present = await readRows(reader, 'jobs')
    .where('job_id', 'in', jobIds)
    .where('change_number', 'is not', null)
    .execute();
  // Read deletions second. If a job is deleted between the two reads, it is in both results, and the deletion, which
  // has the higher number, replaces the job.
  const gone = await readRows(reader, 'deleted_jobs').where('job_id', 'in', jobIds).execute();
  const last = new Map([...present, ...gone].map((row) => [row.jobId, row]));
  return [...last.values()].sort(byPosition).map(toChange);
}

const readLast = compileStatement((db, p: { readonly firstOpen: number }) =>
  db
    .selectFrom('installation')
    // The last change may be a deletion whose record was already removed.
    .select('forgotten_changes as forgotten')
    .select((e) =>
      TABLES.map((table) =>
        e
          .selectFrom(table)
          .select('change_number')
          .where(sql<boolean>`change_number < ${p.firstOpen}`)
          .orderBy('change_number', 'desc')
          .limit(sql.lit(1))
          .as(table),
      ),
    ),
);

const readAny = compileStatement((db, p: { readonly number: number }) =>
  db.selectNoFrom((e) => {
    const isLater = sql<boolean>`change_number > ${p.number}`;
    return e.or(TABLES.map((table) => e.exists(e.selectFrom(table).select('job_id').where(isLater)))).as('hasMore');
  }),
);

/** Reads the numbers of changes, which triggers write: see `migrations/0001-triggers.ts`. */
export function changeLog({ reader, write, lock, openChanges }: Database): ChangeLog {
  // `openChanges` is read by a query of its own, because PostgreSQL takes longer to plan it than the other queries.
  // These may use the numbers later, because all changes with other numbers stay visible.
  const readOpen = compileStatement((db) => db.selectNoFrom(sql<string>`${openChanges}`.as('numbers')));
  /** Returns the numbers of open transactions, and last the next number. */
  const findOpen = async (): Promise<readonly number[]> => {
    const [row] = (await readOpen(reader, {})).rows;
    return toNumbers(row?.numbers ?? '0');
  };
  const findFirstOpen = async (): Promise<number> => Math.min(...(await findOpen()));

  return {
    async after(position, limit) {
      const changes = (await readPage(reader, { ...position, limit, end: await findFirstOpen() })).map(toChange);
      if (changes.length === limit) return { changes, hasMore: true };
      // Read `hasMore` after the page, so that it also counts changes that have appeared in between.
      const [row] = (await readAny(reader, { number: (changes.at(-1) ?? position).number })).rows;
      return { changes, hasMore: Boolean(row?.hasMore) };
    },

    unread: async (from, limit) => readUnread(reader, await findOpen(), from, limit),

    async last() {
      const firstOpen = await findFirstOpen();
      const [row] = (await readLast(reader, { firstOpen })).rows;
      const numbers = [row?.jobs, row?.deleted_jobs, row?.forgotten].map((number) => number ?? 0);
      return Math.max(0, ...numbers.filter((number) => number < firstOpen));
    },

    async isKnownSince(number) {
      const row = await reader
        .selectFrom('installation')
        .select([sql<string>`${openChanges}`.as('open'), 'forgotten_changes as forgotten'])
        .executeTakeFirstOrThrow();
      return number >= row.forgotten && number < Math.min(...toNumbers(row.open));
    },

    of: async (jobId) => (await readChangesOf(reader, [jobId]))[0],
    ofAll: (jobIds) => readChangesOf(reader, jobIds),

    forgetDeletedBefore: (before) =>
      removeInBatches({ write }, DELETE_BATCH, async (db) => {
        await lock?.(db, 'old jobs', '');
        const old = await db
          .selectFrom('deleted_jobs')
          .select(['job_id', 'change_number'])
          .where('deleted_at', '<', before)
          .orderBy('deleted_at')
          .limit(DELETE_BATCH)
          .execute();
        if (old.length === 0) return 0;
        const highest = Math.max(...old.map((row) => row.change_number));
        await db
          .updateTable('installation')
          .set({ forgotten_changes: highest })
          .where('forgotten_changes', '<', highest)
          .execute();
        const ids = old.map((row) => row.job_id);
        await db.deleteFrom('deleted_jobs').where('job_id', 'in', ids).execute();
        return old.length;
      }),
  };
}
