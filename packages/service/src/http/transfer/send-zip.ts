import { Readable } from 'node:stream';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NamedFile, NamedFiles } from '../../files/named-files.ts';
import { callQuota } from '../../jobs/call-limits.ts';

/** The most zips that are sent at the same time. Each reads one file at a time, and computes the checksums of its bytes. */
const ZIPS = { perClient: 2, total: 8 };

/** Replies to GET and HEAD with files as one zip. Throws RATE_LIMITED, UNAVAILABLE, and what `NamedFile.open` throws. */
export type SendZip = (request: FastifyRequest, reply: FastifyReply, files: NamedFiles) => Promise<FastifyReply>;

/** Creates the function that sends zips, and counts those that are running. */
export function zipSender(): SendZip {
  const quota = callQuota('downloads of zips', ZIPS);
  return async (request, reply, { title, files }) => {
    const send = async (): Promise<FastifyReply> => {
      // Import this at the first zip, because most services never send one.
      const { makeZip, predictLength } = await import('client-zip');
      const size = predictLength(files.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
      reply.headers({
        'content-type': 'application/zip',
        'content-length': String(size),
        'content-disposition': contentDisposition(`${title}.zip`),
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cache-control': 'private, no-store',
      });
      if (request.method === 'HEAD') return reply.send();
      // Open the first file before the reply begins, so that files which are gone are an error and not a broken zip.
      const [first] = files;
      const opened = first === undefined ? undefined : await entryOf(first);
      const reading = readEntries(files, opened);
      const ended = new Promise<void>((resolve) => {
        reply.raw.once('close', resolve).once('finish', resolve);
        if (reply.raw.closed) resolve();
      });
      const bytes = Readable.fromWeb(makeZip(reading.entries(), { buffersAreUTF8: true }) as never, {
        highWaterMark: 1,
      });
      void reply.send(bytes);
      await ended;
      reading.stop();
      return reply;
    };
    return request.method === 'HEAD' ? send() : quota(request.caller?.clientId ?? '', send);
  };
}

/** A file of a zip, whose bytes are read once. */
interface Entry {
  readonly name: string;
  readonly size: number;
  readonly lastModified: Date;
  readonly input: Readable | Uint8Array;
}

/** Opens one file after the other, when the zip has come to it. `opened`: the first one. */
function readEntries(files: readonly NamedFile[], opened: Entry | undefined) {
  let current = opened;
  let isStopped = false;
  return {
    async *entries(): AsyncGenerator<Entry, void> {
      if (opened !== undefined) yield opened;
      for (const file of files.slice(1)) {
        if (isStopped) return;
        current = await entryOf(file);
        if (isStopped) return closeEntry(current);
        yield current;
      }
    },
    /** Closes the file that is open, if the client has disconnected. */
    stop(): void {
      isStopped = true;
      closeEntry(current);
    },
  };
}

function closeEntry(entry: Entry | undefined): void {
  if (entry?.input instanceof Readable) entry.input.destroy();
}

async function entryOf({ name, sizeBytes, open }: NamedFile): Promise<Entry> {
  const file = await open();
  const { modifiedAt: lastModified } = file;
  if (file.sizeBytes !== sizeBytes) {
    await file.close();
    throw new Problem('OUTPUT_GONE', `"${name}" has another size than when it was written.`);
  }
  if (sizeBytes > 0) return { name, size: sizeBytes, lastModified, input: file.read(0, sizeBytes - 1) };
  await file.close();
  return { name, size: 0, lastModified, input: new Uint8Array() };
}
