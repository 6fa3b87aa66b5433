import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ClientError } from '../../../client/client-error.ts';
import { createNodeClient, type NodeClient } from '../../../client/node/node-client.ts';
import { isInterruption } from '../../../client/resumable-upload.ts';
import { stateDirFromEnvironment } from '../../../config/environment.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { EXIT } from '../../exit-codes.ts';
import { exitStatusOf } from '../../exit-status.ts';
import { openProgress } from '../../output/open-progress.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { bytes } from '../../output/quantities.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { readCredentials } from '../../session/credentials.ts';
import type { UploadFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { serverPath } from '../convert/file-location.ts';
import { requireFile } from '../convert/local-files.ts';
import { type PlannedUpload, planUploads } from './upload-plan.ts';
import { openUploadRecords, type UploadKey, type UploadRecords } from './upload-records.ts';

interface Context {
  readonly client: NodeClient;
  readonly records: UploadRecords;
  readonly progress: ProgressDisplay;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** Runs `telecine upload`: uploads the files one after the other, and prints their paths. */
export const uploadCommand = (files: readonly string[], flags: UploadFlags): Promise<void> =>
  runCommand(flags, async (signal) => {
    const uploads = planUploads(files, flags.to);
    for (const { file } of uploads) await requireFile(file, { fix: 'Name an existing file.' });
    const { url, credentials } = readCredentials(flags.url);
    const stateDir = stateDirFromEnvironment();
    const clientId = 'clientId' in credentials ? credentials.clientId : undefined;
    const isSilent = (flags.quiet || flags.json) && flags.progress === undefined;
    const progress = await openProgress(isSilent ? 'silent' : flags.progress);
    const context: Context = {
      client: createNodeClient(url, credentials),
      records: openUploadRecords(stateDir === undefined ? undefined : join(stateDir, 'uploads'), (reason) =>
        progress.say(plainText(`An interrupted upload cannot be continued later: ${reason}.`)),
      ),
      progress,
      replace: flags.y ?? false,
      signal,
    };
    const keys: UploadKey[] = [];
    try {
      for (const upload of uploads) {
        const key = { url, clientId, replace: context.replace, ...(await keyOf(upload)) };
        keys.push(key);
        await uploadOne(upload, key, context);
        progress.close();
        printUploaded(upload, key, flags);
        // A later file may fail. Then the same command skips this one.
        if (uploads.length > 1) context.records.set(key, { done: true });
      }
    } finally {
      progress.close();
    }
    for (const key of keys) context.records.remove(key);
  });

async function keyOf({ file, path }: PlannedUpload): Promise<Omit<UploadKey, 'url' | 'clientId' | 'replace'>> {
  const { size, mtimeMs } = await stat(file);
  return { path, file: await realpath(file), sizeBytes: size, modifiedMs: mtimeMs };
}

async function uploadOne({ file, path }: PlannedUpload, key: UploadKey, context: Context): Promise<void> {
  const { client, records, progress, replace, signal } = context;
  // They count towards the quota until they expire.
  for (const uploadId of records.removeStale(key))
    await client.removeUpload(uploadId, { signal }).catch(() => undefined);
  const known = records.get(key);
  const isDone = known !== undefined && 'done' in known;
  if (isDone && (await isThere(key, context)) === true) return;
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
    // The record says that an earlier run has uploaded the file, and this client may not list files to check it.
    if (isDone && isExisting(error)) return;
    if (!signal.aborted && !isInterruption(error)) records.remove(key);
    const continues = records.get(key) !== undefined;
    // Nothing could continue it.
    if (!continues && uploadId !== undefined)
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
async function isThere({ path, sizeBytes }: UploadKey, { client, signal }: Context): Promise<boolean | undefined> {
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

function printUploaded({ file, path }: PlannedUpload, { sizeBytes }: UploadKey, { json, quiet }: UploadFlags): void {
  if (json) console.log(JSON.stringify({ file, path, sizeBytes }));
  else if (!quiet) console.log(plainText(`${serverPath(path)}  ${bytes(sizeBytes)}`));
}
