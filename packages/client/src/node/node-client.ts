import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { createClient } from '../client.ts';
import { ClientError } from '../client-error.ts';
import type { ClientAuth, ClientOptions, SaveOptions, UploadOptions } from '../options.ts';
import type { TelecineClient } from '../telecine-client.ts';
import { saveDownload } from './save-download.ts';

/** A client that also reads and writes local files. */
export interface NodeClient extends TelecineClient {
  /**
   * Uploads a local file to a path in the media root. Without `replace`, rejects with PRECONDITION_FAILED if the path exists. An upload of
   * at least 1 MiB continues after lost connections and restarts of the service. Rejects with a Node error if the file cannot be read.
   */
  uploadFile(file: string, path: string, options?: UploadOptions): Promise<void>;
  /**
   * Downloads an output of a job to a local file. The file appears when it is complete. Without `replace`, rejects with EEXIST if the file
   * exists.
   */
  saveOutput(jobId: string, file: string, options?: SaveOptions): Promise<void>;
}

/** @param url The URL of the service, such as `http://127.0.0.1:8080`. It may have a path. */
export function createNodeClient(url: string, auth: ClientAuth, options?: ClientOptions): NodeClient {
  const client = createClient(url, auth, options);
  return {
    ...client,
    uploadFile: (file, path, uploadOptions) => uploadFile(client, file, path, uploadOptions),
    saveOutput: (jobId, file, { replace, ...saveOptions } = {}) =>
      saveDownload(() => client.download(jobId, saveOptions), file, { replace }),
  };
}

/**
 * Uploads a local file. Rejects with a Node error if the file cannot be read, and with a `ClientError` of the kind `changed` if the file
 * changes meanwhile.
 */
async function uploadFile(
  client: Pick<TelecineClient, 'upload'>,
  file: string,
  path: string,
  options?: UploadOptions,
): Promise<void> {
  // Open the file first: the error of `open` says why the file cannot be read. The error of `openAsBlob` does not.
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
