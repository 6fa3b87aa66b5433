import { Readable } from 'node:stream';
import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../../auth/address-key.ts';
import { type NamedFile, type NamedFiles, withSafeNames } from '../../files/named-files.ts';
import { dispositionOf } from './file-transfer.ts';

/** The most zips that are sent at the same time. Each reads one file at a time, and computes the checksums of its bytes. */
const ZIPS = { perClient: 2, total: 8 };

/**
 * The most zips that visitors of shared links get at the same time. They do not count for the client that shares, because
 * strangers with a link must not take the zips of the client.
 */
const OF_VISITORS = {
  address: { perClient: 2, total: Number.POSITIVE_INFINITY, of: 'this address' },
  links: { perClient: 4, total: 8 },
} as const;

interface Zip {
  /** Reads which files are in the zip. It is called when the zip may be sent, because a zip can have thousands of files. */
  readonly read: () => Promise<NamedFiles>;
  /** The address of a visitor of a shared link. Absent: the caller itself gets the zip. */
  readonly visitor?: string;
  /** Called before bytes are sent, when the first file is open. */
  readonly onStart?: () => void;
}

/**
 * Replies to GET and HEAD with files as one zip. Throws RATE_LIMITED, UNAVAILABLE, and what `read` and `NamedFile.open`
 * throw.
 */
export type SendZip = (request: FastifyRequest, reply: FastifyReply, zip: Zip) => Promise<FastifyReply>;

/** Returns a function to call before each further file. It throws if the caller may no longer read files: see `downloadCheck`. */
type CheckOf = (request: FastifyRequest) => () => Promise<void>;

/** Creates the function that sends zips, and counts those that are running. */
export function zipSender(checkOf: CheckOf): SendZip {
  const ofClients = callQuota('downloads of zips', ZIPS);
  const ofAddresses = callQuota('downloads of zips', OF_VISITORS.address);
  const byLinks = callQuota('downloads of zips by shared links', OF_VISITORS.links);
  return async (request, reply, { read, visitor, onStart = () => {} }) => {
    const clientId = request.caller?.clientId ?? '';
    const send = (): Promise<FastifyReply> => sendFiles(request, reply, { read, onStart, check: checkOf(request) });
    return visitor === undefined
      ? ofClients(clientId, send)
      : ofAddresses(addressKey(visitor), () => byLinks(clientId, send));
  };
}

async function sendFiles(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { read, onStart, check }: Required<Pick<Zip, 'read' | 'onStart'>> & { readonly check: () => Promise<void> },
): Promise<FastifyReply> {
  const { title, files: found } = await read();
  const files = withSafeNames(found);
  // Import this at the first zip, because most services never send one.
  const { makeZip, predictLength } = await import('client-zip');
  const size = predictLength(files.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
  // Open the first file before the header fields are set, so that files which are gone are an error and not a broken zip.
  const [first] = files;
  const opened = first === undefined ? undefined : await entryOf(first);
  reply.headers({
    'content-type': 'application/zip',
    'content-length': String(size),
    'content-disposition': dispositionOf(`${title}.zip`),
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
  });
  if (method === 'HEAD') {
    closeEntry(opened);
    return reply.send();
  }
  onStart();
  const reading = readEntries(files, opened, check);
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
}

/** A file of a zip, whose bytes are read once. */
interface Entry {
  readonly name: string;
  readonly size: number;
  readonly lastModified: Date;
  readonly input: Readable | Uint8Array;
}

/** Opens one file after the other, when the zip has come to it and `check` allows it. `opened`: the first one. */
function readEntries(files: readonly NamedFile[], opened: Entry | undefined, check: () => Promise<void>) {
  let current = opened;
  let isStopped = false;
  return {
    async *entries(): AsyncGenerator<Entry, void> {
      if (opened !== undefined) yield opened;
      for (const file of files.slice(1)) {
        if (isStopped) return;
        await check();
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
