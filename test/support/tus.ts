import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Upload, type UploadOptions } from 'tus-js-client';
import { type FileReply, filesClient } from './files-client.ts';

/** An upload by the official client of tus that has ended. `url`: where it can be resumed. */
export interface TusResult {
  readonly url: string;
  readonly error?: Error;
}

/**
 * Uploads by the official client of tus, in chunks of 1 MiB. Without `retryDelays` it gives up at the first error.
 * `onChunk`: called when the service has acknowledged more bytes; if it resolves to false, the client is aborted.
 */
export function tusUpload(
  url: string,
  token: string,
  content: Buffer | Readable,
  options: Partial<UploadOptions> & {
    readonly onChunk?: (acknowledged: number, url: string) => boolean | undefined;
  } = {},
): Promise<TusResult> {
  const { onChunk, headers, ...more } = options;
  return new Promise((resolve) => {
    const upload = new Upload(content, {
      endpoint: `${url}/api/uploads`,
      chunkSize: 2 ** 20,
      retryDelays: null,
      ...more,
      headers: { authorization: `Bearer ${token}`, ...headers },
      onChunkComplete: (_size, acknowledged) => {
        if (onChunk?.(acknowledged, upload.url ?? '') === false)
          void upload.abort().then(() => resolve({ url: upload.url ?? '', error: new Error('aborted') }));
      },
      onSuccess: () => resolve({ url: upload.url ?? '' }),
      onError: (error) => resolve({ url: upload.url ?? '', error }),
    });
    upload.start();
  });
}

/** `Upload-Metadata` with a path. */
export const tusPath = (path: string): string => `path ${Buffer.from(path).toString('base64')}`;

/** Sends single requests of tus, whose replies are checked against /openapi.json. */
export function tusRequests(url: string, token: string | undefined) {
  const files = filesClient(url, token);
  const send = (method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string | Uint8Array) =>
    files.send(method, new URL(path, url).pathname, { 'tus-resumable': '1.0.0', ...headers }, body);
  return {
    send,
    create: (path: string, sizeBytes: number, headers: OutgoingHttpHeaders = {}) =>
      send('POST', '/api/uploads', {
        'upload-length': sizeBytes,
        'upload-metadata': tusPath(path),
        'content-length': 0,
        ...headers,
      }),
    head: (at: string) => send('HEAD', at),
    patch: (at: string, offset: number, body: string | Uint8Array, headers: OutgoingHttpHeaders = {}) =>
      send(
        'PATCH',
        at,
        {
          'upload-offset': offset,
          'content-type': 'application/offset+octet-stream',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
        body,
      ),
  };
}

/** The URL of a created upload. */
export const locationOf = ({ headers }: FileReply): string => headers['location'] ?? '';
