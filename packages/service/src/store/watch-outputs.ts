import { folderOf } from '@telecine/contract/domain/media-path.ts';
import type { WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import { recordsOf } from './columns.ts';
import { identityOf, type MadeFile } from './ledger-row.ts';
import { chunksOf, deleteRows, excluded, findRow, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

const OUTPUTS = recordsOf<MadeFile, Schema['watch_outputs']>()({
  path: 'path',
  bytes: 'bytes',
  fingerprint: 'fingerprint',
  isPending: { flag: 'pending' },
  origins: { json: 'origins' },
});

/** A job with more outputs, such as HLS, is known by the folders of its outputs: a folder of segments belongs to one job. */
const MAX_OUTPUTS = 100;

export const watchOutputs = ({ reader }: Database) => ({
  /** What jobs of watches of the client have made, or make now, at the paths of these files, or with their identity. */
  async madeFiles(
    clientId: string,
    files: readonly Pick<WatchedFile, 'path' | 'fileKey' | 'version'>[],
  ): Promise<readonly MadeFile[]> {
    const made = reader.selectFrom('watch_outputs').selectAll().where('client_id', '=', clientId);
    const rows = (column: 'path' | 'fingerprint', values: readonly string[]) =>
      chunksOf(values).map((some) => made.where(column, 'in', some).execute());
    const paths = [...new Set(files.flatMap(({ path }) => [path, folderOf(path)]))];
    const identities = files.flatMap((file) => identityOf(file) ?? []);
    const found = await Promise.all([...rows('path', paths), ...rows('fingerprint', identities)]);
    return found.flat().map(OUTPUTS.read);
  },
});

/** Stores the outputs of a job by their paths. `columns`: the further columns that are replaced if a path already has a row. */
export async function storeOutputs(
  db: Db,
  { clientId, jobId, at }: Pick<JobEnd, 'clientId' | 'jobId' | 'at'>,
  files: readonly MadeFile[],
  columns: readonly ('bytes' | 'fingerprint')[],
): Promise<void> {
  // Two outputs of one request can name the same path, and one statement must not change a row twice.
  const unique = [...new Map(files.map((file) => [file.path, file])).values()];
  const of = { client_id: clientId, job_id: jobId, created_at: at };
  const replaced = excluded('job_id', 'pending', 'origins', 'created_at', ...columns);
  for (const some of chunksOf(unique)) {
    const insert = db.insertInto('watch_outputs').values(some.map((file) => ({ ...OUTPUTS.write(file), ...of })));
    await insert.onConflict((c) => c.columns(['client_id', 'path']).doUpdateSet(replaced)).execute();
  }
}

/** Replaces the outputs that a job was going to write by those that it has written. A poll can find an output before this transaction. */
export async function settleOutputs(db: Db, end: JobEnd): Promise<void> {
  const ofJob = { job_id: end.jobId };
  const planned = await findRow(db, 'watch_outputs', ofJob);
  if (planned === undefined) return;
  await deleteRows(db, 'watch_outputs', { ...ofJob, bytes: null });
  await updateRows(db, 'watch_outputs', { pending: null }, ofJob);
  const { origins } = OUTPUTS.read(planned);
  const { outputs = [] } = end;
  const files = outputs.map(({ path, sizeBytes, fingerprint }): MadeFile => {
    if (outputs.length > MAX_OUTPUTS) return { path: folderOf(path), origins };
    return { path, bytes: sizeBytes, ...(fingerprint !== undefined && { fingerprint }), origins };
  });
  await storeOutputs(db, end, files, ['bytes', 'fingerprint']);
}
