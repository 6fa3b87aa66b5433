import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { ClientError } from '../client-error.ts';
import type { UploadOptions } from '../options.ts';
import type { TelecineClient } from '../telecine-client.ts';

/**
 * Uploads a local file to `path` in the client's media root. Rejects with the error of Node if the file cannot be read, and
 * with `ClientError` of the kind `changed` if it changes during the upload.
 */
export async function uploadFile(
  client: Pick<TelecineClient, 'upload'>,
  file: string,
  path: string,
  options?: UploadOptions,
): Promise<void> {
  // Its error says why the file cannot be read; that of openAsBlob does not.
  await (await open(file)).close();
  const blob = await openAsBlob(file);
  try {
    await client.upload(blob, path, options);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'changed')
      throw new ClientError('changed', `${file} changed during the upload.`, { cause: error });
    throw error;
  }
}
