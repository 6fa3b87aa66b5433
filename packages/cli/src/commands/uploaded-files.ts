import type { NodeClient } from '@telecine/client/node/node-client.ts';
import { type CallerNames, callerNames } from './convert/caller-names.ts';
import { cleanUp, type ServerLeftovers } from './convert/cleanup.ts';
import { fileLocation, newUploadFolder, uploadName } from './convert/file-names.ts';
import { requireFile } from './convert/local-files.ts';

interface UploadedFiles {
  /** The paths of the uploaded files in the media root, in the order of the command. */
  readonly paths: readonly string[];
  readonly names: CallerNames;
  /** The job to end afterwards. */
  job?: ServerLeftovers['job'];
}

/**
 * Uploads the local files of a command, runs `use`, and removes the uploads. Errors name the files as the command does. Throws
 * `CommandFailed` for a missing file.
 *
 * @param onCleanUp Called before the uploads are removed.
 * @param inputs See `CommandFiles`.
 */
export async function withUploadedFiles<T>(
  client: NodeClient,
  files: readonly string[],
  signal: AbortSignal,
  use: (uploaded: UploadedFiles) => Promise<T>,
  { onCleanUp, inputs }: { readonly onCleanUp?: () => void; readonly inputs?: number } = {},
): Promise<T> {
  const folder = newUploadFolder();
  const located = files.map((file, index) => {
    const { on, path: from } = fileLocation(file);
    const path = on === 'local' ? `${folder}/${uploadName(index, from)}` : from;
    return { file, index, from, path, isLocal: on === 'local' };
  });
  const uploads = located.filter(({ isLocal }) => isLocal);
  for (const { from } of uploads) await requireFile(from);
  const names = callerNames({ folder, uploads, inputs });
  const uploaded: UploadedFiles = { paths: located.map(({ path }) => path), names };
  try {
    for (const { from, path } of uploads) await client.uploadFile(from, path, { signal });
    return await use(uploaded);
  } catch (error) {
    throw names.error(error);
  } finally {
    onCleanUp?.();
    const leftovers = {
      job: uploaded.job,
      folder: uploads.length > 0 ? folder : undefined,
      files: uploads.map(({ path }) => path),
    };
    for (const failure of await cleanUp(client, leftovers)) console.error(failure);
  }
}
