import { realpath, stat } from 'node:fs/promises';
import { ClientError } from '../../../client/client-error.ts';
import { createNodeClient, type NodeClient } from '../../../client/node/node-client.ts';
import { isInterruption } from '../../../client/resumable-upload.ts';
import { clientConfigFromEnvironment } from '../../../config/environment.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { EXIT } from '../../exit-codes.ts';
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
    const { stateDir } = clientConfigFromEnvironment(flags.url);
    const clientId = 'clientId' in credentials ? credentials.clientId : undefined;
    const isSilent = (flags.quiet || flags.json) && flags.progress === undefined;
    const progress = await openProgress(isSilent ? 'silent' : flags.progress);
    const context: Context = {
      client: createNodeClient(url, credentials),
      records: openUploadRecords(`${stateDir}/uploads`),
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
  const known = records.get(key);
  if (known !== undefined && 'done' in known && (await isThere(key, context))) return;
  try {
    await client.uploadFile(file, path, {
      replace,
      uploadId: known !== undefined && 'uploadId' in known ? known.uploadId : undefined,
      onUploadId: (uploadId) => records.set(key, { uploadId }),
      onBytes: (done, total) => progress.bytes('upload', plainText(file), done, total),
      signal,
    });
  } catch (error) {
    if (!signal.aborted && !isInterruption(error)) records.remove(key);
    throw explained(error, path, records.get(key) !== undefined);
  }
  records.remove(key);
}

/** Whether an earlier run of the command has uploaded the file, and it is still there. */
async function isThere({ path, sizeBytes }: UploadKey, { client, signal }: Context): Promise<boolean> {
  const { files } = await client.listFiles(path, { signal });
  return files.some((one) => one.path === path && one.sizeBytes === sizeBytes);
}

/** Says what the same command does next. */
function explained(error: unknown, path: string, continues: boolean): unknown {
  const again = 'Run the same command again: it continues where this one ended.';
  if (error instanceof CommandFailed)
    return continues
      ? new CommandFailed(error.exitCode, error.code, error.message, { fix: again, cause: error })
      : error;
  if (!(error instanceof ClientError)) return error;
  if (error.problem?.code === 'PRECONDITION_FAILED')
    return new CommandFailed(EXIT.refused, 'FILE_EXISTS', `${serverPath(path)} already exists.`, {
      fix: 'Name another path with --to, or add -y to replace it.',
      cause: error,
    });
  if (error.problem?.code === 'NOT_A_FILE')
    return new CommandFailed(EXIT.refused, 'IS_A_FOLDER', error.message, {
      fix: `To upload into a folder, write a slash at its end: --to ${path}/`,
      cause: error,
    });
  if (error.kind !== 'unreachable' || !continues) return error;
  return new CommandFailed(EXIT.unreachable, 'UNREACHABLE', error.message, { fix: again, cause: error });
}

function printUploaded({ file, path }: PlannedUpload, { sizeBytes }: UploadKey, { json, quiet }: UploadFlags): void {
  if (json) console.log(JSON.stringify({ file, path, sizeBytes }));
  else if (!quiet) console.log(plainText(`${serverPath(path)}  ${bytes(sizeBytes)}`));
}
