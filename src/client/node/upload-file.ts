import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TelecineClient } from '../client.ts';
import { ClientError, isUnreadable } from '../client-error.ts';
import type { UploadOptions } from '../options.ts';

/**
 * Uploads a local file to `path` in the client's media root. Rejects with the error of Node if the file cannot be read.
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
    if (error instanceof ClientError && isUnreadable(error))
      throw new Error(`${file} changed during the upload`, { cause: error });
    throw error;
  }
}
