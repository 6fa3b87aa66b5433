import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jobPath } from '../wire/endpoints.ts';
import { ClientError } from './client-error.ts';
import { settle } from './finalize-download.ts';
import { type Ask, type CallOptions, type Transport, unreachable } from './transport.ts';
import type { OnBytes } from './upload.ts';

export interface DownloadOptions extends CallOptions {
  /** One of `outputs` of the job; left out: the output itself. */
  readonly path?: string | undefined;
  /** Replaces a file that is there; else it rejects with EEXIST of Node, and that file is as it was. */
  readonly replace?: boolean;
  readonly onBytes?: OnBytes | undefined;
}

/** The body that is being fetched, and how far it is. */
interface Part {
  readonly file: FileHandle;
  done: number;
  /** undefined: not known yet. */
  etag: string | undefined;
}

/**
 * Fetches what a job made into `target`, whose folder must be there. The file appears under its name when all of it is
 * on disk, or not at all; a transfer that breaks off goes on where it stopped. Rejects with the error of Node where the
 * disk does not take it.
 */
export async function download(
  transport: Transport,
  jobId: string,
  target: string,
  { path, replace = false, onBytes, signal }: DownloadOptions = {},
): Promise<void> {
  const temporary = join(dirname(target), `.telecine-${crypto.randomUUID()}.part`);
  const part: Part = { file: await open(temporary, 'wx'), done: 0, etag: undefined };
  const ask: Ask = {
    path: `${jobPath(jobId)}/output`,
    query: { path },
    headers: () => rangeFrom(part),
    signal,
    withinSeconds: 0,
  };
  try {
    for (;;) {
      const before = part.done;
      try {
        await transport.call(ask, (answer) => receive(transport.url, answer, part, onBytes));
        break;
      } catch (error) {
        // A bad line that brings something each time is waited for as long as it does.
        if (!(error instanceof ClientError) || error.kind !== 'unreachable' || part.done === before) throw error;
      }
    }
    await part.file.sync();
    await part.file.close();
    await settle(temporary, target, replace);
  } finally {
    await part.file.close();
    await rm(temporary, { force: true });
  }
}

async function receive(base: string, answer: Response, part: Part, onBytes: OnBytes | undefined): Promise<void> {
  // Another file than the one begun with, or a server that knows no ranges: from the start.
  if (answer.status !== 206) {
    part.done = 0;
    await part.file.truncate(0);
  }
  part.etag = answer.headers.get('etag') ?? undefined;
  const length = answer.headers.get('content-length');
  const total = length === null ? Number.NaN : part.done + Number(length);
  onBytes?.(part.done, total);
  for await (const chunk of answer.body ?? []) {
    for (let at = 0; at < chunk.length; ) at += (await part.file.write(chunk, at, null, part.done + at)).bytesWritten;
    part.done += chunk.length;
    onBytes?.(part.done, total);
  }
  if (!Number.isNaN(total) && part.done !== total) throw unreachable(base, new Error('the answer broke off'));
}

const rangeFrom = ({ done, etag }: Part): Readonly<Record<string, string>> =>
  done === 0 || etag === undefined ? {} : { range: `bytes=${done}-`, 'if-range': etag };
