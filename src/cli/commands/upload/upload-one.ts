import { ClientError } from '../../../client/client-error.ts';
import type { NodeClient } from '../../../client/node/node-client.ts';
import { isInterruption } from '../../../client/resumable-upload.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { EXIT } from '../../exit-codes.ts';
import { exitStatusOf } from '../../exit-status.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { serverPath } from '../convert/file-location.ts';
import type { PlannedUpload } from './upload-plan.ts';
import type { UploadKey, UploadRecords } from './upload-records.ts';

/** What the uploads of a command share. */
export interface UploadContext {
  readonly client: Pick<NodeClient, 'uploadFile' | 'removeUpload' | 'listFiles'>;
  readonly records: UploadRecords;
  readonly progress: ProgressDisplay;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file, or continues its upload. Skips a file that an earlier run of the command has uploaded. Throws `ClientError`,
 * `CommandFailed`, or the error of a local file.
 */
export async function uploadOne({ file, path }: PlannedUpload, key: UploadKey, context: UploadContext): Promise<void> {
  const { client, records, progress, replace, signal } = context;
  // They count towards the quota until they expire.
  for (const uploadId of records.removeStale(key))
    await client.removeUpload(uploadId, { signal }).catch(() => undefined);
  const known = records.get(key);
  const isStored = known !== undefined && 'done' in known ? await findStored(key, context) : false;
  if (isStored === true) return;
  let uploadId = known !== undefined && 'uploadId' in known ? known.uploadId : undefined;
  try {
    await client.uploadFile(file, path, {
      replace,
      uploadId,
      onUploadId: (id) => {
        uploadId = id;
        records.set(key, { uploadId: id });
      },
      onBytes: (done, total) => progress.bytes('upload', plainText(file), done, total),
      signal,
    });
  } catch (error) {
    // An earlier run has uploaded the file, and this client may not list files to check it.
    if (isStored === undefined && isExisting(error)) return;
    const isKept = signal.aborted || isInterruption(error);
    if (!isKept) records.remove(key);
    const continues = records.get(key) !== undefined;
    // The service keeps the upload, and nothing could continue it.
    if (isKept && !continues && uploadId !== undefined)
      await client.removeUpload(uploadId, { signal: AbortSignal.timeout(REMOVE_MS) }).catch(() => undefined);
    throw explained(error, path, continues);
  }
  records.remove(key);
}

/** The longest attempt to delete an upload that nothing continues. It expires otherwise. */
const REMOVE_MS = 5000;

/** Whether an upload was rejected because a file exists at its path. */
const isExisting = (error: unknown): boolean => error instanceof ClientError && error.code === 'PRECONDITION_FAILED';

/**
 * Whether the file that an earlier run of the command has uploaded is still there. Undefined if this client may not list
 * files.
 */
async function findStored(
  { path, sizeBytes }: UploadKey,
  { client, signal }: UploadContext,
): Promise<boolean | undefined> {
  try {
    const { files } = await client.listFiles(path, { signal });
    return files.some((one) => one.path === path && one.sizeBytes === sizeBytes);
  } catch (error) {
    if (error instanceof ClientError && error.code === 'INSUFFICIENT_SCOPE') return undefined;
    throw error;
  }
}

/** Says what the same command does next. */
function explained(error: unknown, path: string, continues: boolean): unknown {
  if (isExisting(error))
    return new CommandFailed(EXIT.refused, 'FILE_EXISTS', `${serverPath(path)} already exists.`, {
      fix: 'Name another path with --to, or add -y to replace it.',
      cause: error,
    });
  if (error instanceof ClientError && error.code === 'NOT_A_FILE')
    return new CommandFailed(EXIT.refused, 'IS_A_FOLDER', error.message, {
      fix: `To upload into a folder, write a slash at its end: --to ${path}/`,
      cause: error,
    });
  const status = continues ? exitStatusOf(error) : undefined;
  if (status === undefined) return error;
  const { exitCode, code, message, fix } = status;
  // An unreachable service or a cancelled command needs no other hint.
  const hint =
    error instanceof ClientError && error.kind === 'rejected' && fix !== undefined ? `${fix} ${AGAIN}` : AGAIN;
  return new CommandFailed(exitCode, code, message, { fix: hint, cause: error });
}

const AGAIN = 'Run the same command again: it continues where this one ended.';
