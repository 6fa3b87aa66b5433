import { constants, copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ClientError, unreachable } from './client-error.ts';
import type { OnBytes } from './resumable-upload.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface DownloadOptions extends CallOptions {
  /** The path of one of the `outputs` of the job. Default: its `output`. */
  readonly path?: string | undefined;
  /** Replaces an existing file. If false, the download rejects with EEXIST and keeps that file. */
  readonly replace?: boolean;
  readonly onBytes?: OnBytes | undefined;
}

/** A partly downloaded file. */
interface PartialFile {
  readonly file: FileHandle;
  receivedBytes: number;
  /** The ETag of the file; undefined until the first reply. */
  etag: string | undefined;
}

/**
 * Downloads an output of a job to `target`, whose folder must exist. The file appears only once all of it is on disk.
 * An interrupted transfer is resumed. Rejects with the error of Node if the file cannot be written.
 */
export async function downloadOutput(
  transport: Transport,
  jobId: string,
  target: string,
  { path, replace = false, onBytes, signal }: DownloadOptions = {},
): Promise<void> {
  const temporary = join(dirname(target), `.telecine-${crypto.randomUUID()}.part`);
  const partial: PartialFile = { file: await open(temporary, 'wx'), receivedBytes: 0, etag: undefined };
  const call = {
    params: { jobId },
    query: { path },
    headers: () => rangeHeaders(partial),
    signal,
    timeoutSeconds: 0,
  };
  try {
    for (;;) {
      const bytesBefore = partial.receivedBytes;
      try {
        await transport.read('downloadOutput', call, (response) => receive(transport.url, response, partial, onBytes));
        break;
      } catch (error) {
        // Resume an interrupted transfer as long as each try receives some bytes.
        const hasProgress = partial.receivedBytes !== bytesBefore;
        if (!(error instanceof ClientError) || error.kind !== 'unreachable' || !hasProgress) throw error;
      }
    }
    await partial.file.sync();
    await partial.file.close();
    await finalizeDownload(temporary, target, replace);
  } finally {
    await partial.file.close();
    await rm(temporary, { force: true });
  }
}

async function receive(
  address: string,
  response: Response,
  partial: PartialFile,
  onBytes: OnBytes | undefined,
): Promise<void> {
  // Start from the beginning if the file has changed, or if the server does not support ranges.
  if (response.status !== 206) {
    partial.receivedBytes = 0;
    await partial.file.truncate(0);
  }
  partial.etag = response.headers.get('etag') ?? undefined;
  const length = response.headers.get('content-length');
  const total = length === null ? Number.NaN : partial.receivedBytes + Number(length);
  onBytes?.(partial.receivedBytes, total);
  for await (const chunk of response.body ?? []) {
    for (let offset = 0; offset < chunk.length; ) {
      const { bytesWritten } = await partial.file.write(chunk, offset, null, partial.receivedBytes + offset);
      offset += bytesWritten;
    }
    partial.receivedBytes += chunk.length;
    onBytes?.(partial.receivedBytes, total);
  }
  if (!Number.isNaN(total) && partial.receivedBytes !== total)
    throw unreachable(address, new Error('the connection broke off'));
}

const rangeHeaders = ({ receivedBytes, etag }: PartialFile): Readonly<Record<string, string>> =>
  receivedBytes === 0 || etag === undefined ? {} : { range: `bytes=${receivedBytes}-`, 'if-range': etag };

/** The error codes of file systems that do not support hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Renames a complete download to `target`. Without `replace`, rejects with EEXIST if `target` exists, even if it was
 * created during the download.
 */
async function finalizeDownload(temporary: string, target: string, replace: boolean): Promise<void> {
  if (replace) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(error.code))) throw error;
    await copyFile(temporary, target, constants.COPYFILE_EXCL);
  }
  await rm(temporary);
}
