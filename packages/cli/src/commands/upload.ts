import { realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import { createNodeClient, type NodeClient } from '@telecine/client/node/node-client.ts';
import { isInterruption } from '@telecine/client/resumable-upload.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { stateDirFromEnvironment } from '@telecine/service/config/environment.ts';
import type { Command } from 'commander';
import { exitStatusOf } from '../exit-status.ts';
import { bytes } from '../output/format.ts';
import { openProgress } from '../output/open-display.ts';
import type { ProgressDisplay, ProgressForm } from '../output/progress-display.ts';
import { CommandFailed, usageError } from '../session/command-failed.ts';
import { addServiceOptions, progressOption } from '../session/command-options.ts';
import { readCredentials } from '../session/credentials.ts';
import { runCommand } from '../session/run-command.ts';
import type { ServiceFlags } from '../session/service-verbs.ts';
import { serverPath } from './convert/file-names.ts';
import { requireFile } from './convert/local-files.ts';
import { openUploadRecords, type UploadKey, type UploadRecords } from './upload-records.ts';

interface UploadFlags extends ServiceFlags {
  readonly to?: string;
  readonly y?: true;
  readonly progress?: ProgressForm;
  readonly quiet?: true;
}

export function declare(upload: Command): void {
  upload
    .argument('<files...>')
    .option(
      '--to <path>',
      'the path of the file in the media root; for several files, or with a slash at the end, their folder',
    )
    .option('-y', 'replace existing files')
    .addOption(progressOption())
    .option('--quiet', 'print errors only')
    .action(uploadCommand);
  addServiceOptions(upload);
}

const uploadCommand = (files: readonly string[], flags: UploadFlags): Promise<void> =>
  runCommand(flags, async (signal) => {
    const uploads = planUploads(files, flags.to);
    for (const { file } of uploads) await requireFile(file, 'Name an existing file.');
    const { url, credentials } = readCredentials(flags.url);
    const clientId = 'clientId' in credentials ? credentials.clientId : undefined;
    const isSilent = (flags.quiet || flags.json) && flags.progress === undefined;
    const progress = await openProgress(isSilent ? 'silent' : flags.progress);
    const context: UploadContext = {
      client: createNodeClient(url, credentials),
      // A user without a home folder has no records.
      records: openUploadRecords(join(stateDirFromEnvironment() ?? '/dev/null', 'uploads'), (reason) =>
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
      }
    } finally {
      progress.close();
    }
    for (const key of keys) context.records?.remove(key);
  });

async function keyOf({ file, path }: PlannedUpload): Promise<Omit<UploadKey, 'url' | 'clientId' | 'replace'>> {
  const { size, mtimeMs } = await stat(file);
  return { path, file: await realpath(file), sizeBytes: size, modifiedMs: mtimeMs };
}

function printUploaded({ file, path }: PlannedUpload, { sizeBytes }: UploadKey, { json, quiet }: UploadFlags): void {
  if (json) console.log(JSON.stringify({ file, path, sizeBytes }));
  else if (!quiet) console.log(plainText(`${serverPath(path)}  ${bytes(sizeBytes)}`));
}

interface PlannedUpload {
  readonly file: string;
  readonly path: string;
}

/** Throws `CommandFailed` for an invalid path, and for two files with the same target path. Pure. */
export function planUploads(files: readonly string[], to = ''): readonly PlannedUpload[] {
  // Other commands name files on the service with this prefix, so accept it here too.
  const target = to.replace(/^server:/, '');
  const isFolder = target === '' || target.endsWith('/') || files.length > 1;
  const folder = target === '' || target.endsWith('/') ? target : `${target}/`;
  const uploads = files.map((file) => ({ file, path: readTargetPath(isFolder ? folder + basename(file) : target) }));
  const seen = new Map<string, string>();
  for (const { file, path } of uploads) {
    const other = seen.get(path);
    if (other !== undefined)
      throw usageError(
        'UPLOAD_CLASH',
        `${other} and ${file} would both be uploaded to server:${path}.`,
        'Upload them by two commands, each with its own --to.',
      );
    seen.set(path, file);
  }
  return uploads;
}

/** Returns the path in the form that the service uses. */
function readTargetPath(text: string): string {
  const path = parseMediaPath(text, '/');
  if (typeof path === 'string') return path;
  throw usageError(
    path.code,
    `Invalid path on the service: ${path.message}`,
    'Name a path in the media root with --to, such as films/a.mov.',
  );
}

interface UploadContext {
  readonly client: Pick<NodeClient, 'uploadFile' | 'listFiles'>;
  /** undefined: nothing can be recorded, so that no repeated command could continue an upload. */
  readonly records: UploadRecords | undefined;
  readonly progress: ProgressDisplay;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file, or continues its upload. Skips a file that an earlier run has stored. Throws `ClientError`, `CommandFailed`, or the
 * error of the local file.
 */
export async function uploadOne({ file, path }: PlannedUpload, key: UploadKey, context: UploadContext): Promise<void> {
  const { client, records, progress, replace, signal } = context;
  const known = records?.get(key);
  if (known?.isStored === true && (await isStillStored(key, context))) return;
  try {
    await client.uploadFile(file, path, {
      replace,
      uploadId: known?.uploadId,
      onUploadId: records && ((uploadId) => records.set(key, { uploadId })),
      onBytes: (done, total) => progress.bytes('upload', plainText(file), done, total),
      signal,
    });
    // If a later file fails, a repeated command skips this file. The upload has ended, so its id is of no use.
    records?.set(key, { isStored: true });
  } catch (error) {
    if (!signal.aborted && !isInterruption(error)) records?.remove(key);
    throw withNextStep(error, path, records?.get(key) !== undefined);
  }
}

/** Whether the file that an earlier run has stored is still there, by its size. false: also if the client may not list files. */
async function isStillStored({ path, sizeBytes }: UploadKey, { client, signal }: UploadContext): Promise<boolean> {
  const list = await client.listFiles(path, { signal }).catch(() => undefined);
  return list?.files.some((file) => file.path === path && file.sizeBytes === sizeBytes) ?? false;
}

/** Whether an upload was rejected because a file exists at its path. */
const isExisting = (error: unknown): boolean => error instanceof ClientError && error.code === 'PRECONDITION_FAILED';

/** Adds to an error what to do next, and whether the same command would continue the upload. */
function withNextStep(error: unknown, path: string, continues: boolean): unknown {
  if (isExisting(error))
    return usageError(
      'FILE_EXISTS',
      `${serverPath(path)} already exists.`,
      'Name another path with --to, or add -y to replace it.',
      error,
    );
  if (error instanceof ClientError && error.code === 'NOT_A_FILE')
    return usageError(
      'IS_A_FOLDER',
      error.message,
      `To upload into a folder, write a slash at its end: --to ${path}/`,
      error,
    );
  const status = continues ? exitStatusOf(error) : undefined;
  if (status === undefined) return error;
  const { exitCode, code, message, fix } = status;
  // An unreachable service and a cancelled command need no other hint.
  const hint =
    error instanceof ClientError && error.kind === 'rejected' && fix !== undefined ? `${fix} ${AGAIN}` : AGAIN;
  return new CommandFailed(exitCode, code, message, { fix: hint, cause: error });
}

const AGAIN = 'Run the same command again: it continues where this one ended.';
