import type { UploadTerms } from '../api.ts';
import { ClientError } from '../client-error.ts';
import { openDownload } from '../download.ts';
import type { CallOptions } from '../options.ts';
import { removeUpload, uploadResumably } from '../resumable-upload.ts';
import type { TelecineClient } from '../telecine-client.ts';
import type { Transport } from '../transport.ts';
import { absoluteUrl } from './call-settings.ts';

/** The calls about files: uploads, downloads, links and the bin. */
export function fileCalls(transport: Transport) {
  const { call, read } = transport;

  /** Deletes a file or folder. Problems with a code in `ignored` count as success. */
  const removePath = async (path: string, ignored: readonly string[], options: CallOptions = {}): Promise<void> => {
    try {
      await call('deleteFile', { params: { path }, ...options });
    } catch (error) {
      if (!(error instanceof ClientError) || !ignored.includes(error.problem?.code ?? '')) throw error;
    }
  };

  return {
    upload: (blob, path, options) => uploadResumably(transport, blob, path, options),
    removeUpload: (uploadId, options) => removeUpload(transport, uploadId, options),
    uploadTerms: (link, { signal } = {}) =>
      read('openShare', { params: { link }, headers: () => ({ accept: 'application/json' }), signal }, (response) =>
        response.json(),
      ) as Promise<UploadTerms>,
    share: async (body, { signal } = {}) => {
      const share = await call('createShare', { body, signal });
      return { ...share, url: absoluteUrl(transport, share.url) };
    },
    shares: ({ signal, ...query } = {}) => call('listShares', { query, signal }),
    revokeShare: (shareId, { signal } = {}) => call('revokeShare', { params: { shareId }, signal }),
    download: (jobId, { path, ...options } = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadOutput', { params: { jobId }, query: { path }, ...settings }, unread),
        options,
      ),
    downloadAll: (jobId, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadOutputs', { params: { jobId }, ...settings }, unread),
        options,
      ),
    readFile: (path, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadFile', { params: { path }, ...settings }, unread),
        options,
      ),
    downloadFiles: (paths, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadFiles', { query: { path: [...paths] }, ...settings }, unread),
        options,
      ),
    preview: (file, { signal, view = 'frame', ...more } = {}) => {
      // The service itself limits the time of rendering, so set no limit here.
      const settings = { timeoutSeconds: 0, signal } as const;
      const query = { view, ...more };
      const blobOf = (response: Response): Promise<Blob> => response.blob();
      if (typeof file === 'string') return read('downloadFile', { params: { path: file }, query, ...settings }, blobOf);
      const { jobId, path } = file;
      return read('downloadOutput', { params: { jobId }, query: { ...query, path }, ...settings }, blobOf);
    },
    listFiles: (prefix, { signal, limit = 1000, cursor, q } = {}) =>
      call('listFiles', { query: { prefix, q, limit, cursor }, signal }),
    // A folder of an object store takes long to move, so set no limit here.
    moveFile: (body, { signal } = {}) => call('moveFile', { body, timeoutSeconds: 0, signal }),
    createFolder: (path, { signal } = {}) => call('createFolder', { body: { path }, signal }),
    deleteFiles: (body, { signal } = {}) => call('deleteFiles', { body, timeoutSeconds: 0, signal }),
    bin: ({ signal } = {}) => call('listBin', { signal }),
    restoreFile: (entryId, { to, signal } = {}) =>
      call('restoreFile', { params: { entryId }, body: to === undefined ? {} : { to }, timeoutSeconds: 0, signal }),
    removeFromBin: (entryId, { signal } = {}) =>
      entryId === undefined
        ? call('emptyBin', { timeoutSeconds: 0, signal })
        : call('deleteBinEntry', { params: { entryId }, timeoutSeconds: 0, signal }),
    removeFile: (path, options) => removePath(path, ['FILE_NOT_FOUND'], options),
    removeFolder: (path, options) => removePath(`${path}/`, ['FILE_NOT_FOUND', 'FOLDER_NOT_EMPTY'], options),
    largestFiles: ({ signal, ...query } = {}) => call('listLargestFiles', { query, signal }),
  } satisfies Partial<TelecineClient>;
}

const unread = async (response: Response): Promise<Response> => response;
