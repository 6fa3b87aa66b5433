import { Problem } from '@telecine/contract/domain/problem.ts';
import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import pLimit from 'p-limit';
import type { FileFacts, OpenFile } from '../../files/ports.ts';
import { hasTooManyMarks, readDash } from './dash.ts';
import { readHls } from './hls.ts';
import { MAX_PARTS, type Manifest, type MediaKind, type Rendition, unusable } from './manifest.ts';

/** The maximum size of a manifest, in bytes. One with `MAX_PARTS` segments is smaller. */
const MAX_TEXT_BYTES = 512 * 1024;

/** The maximum size of a rendition, in bytes, because a preview copies it into one file. */
const MAX_BYTES = 512 * 2 ** 20;

/** How many renditions of one manifest are tried. Each may have `MAX_PARTS` files to open. */
const MOST_TRIED = 10;

/** How many files are opened at the same time. In an object store, each costs a request. */
const OPEN_AT_ONCE = 16;

/** Opens a file by its path in the media root, with the rights of the caller of the preview. */
export type Opener = (path: string) => Promise<OpenFile>;

/**
 * Finds the files that a player of a manifest reads, in order. Chooses the best rendition that is small enough. Reads
 * only files that `open` opens, and closes `manifest`. Throws UNSUPPORTED, INPUT_INVALID, the errors of `open`, and the
 * reason of an abort.
 */
export async function playedFiles(
  manifest: OpenFile,
  kind: MediaKind,
  open: Opener,
  signal: AbortSignal,
): Promise<readonly [FileFacts, ...FileFacts[]]> {
  const { path } = manifest;
  const all = await readManifest(manifest, signal);
  const suitable = candidates([...all.playlists, ...all.renditions], kind);
  if (suitable.length === 0)
    throw [...all.playlists, ...all.renditions].length === 0
      ? unusable.empty(path)
      : unusable.otherKind(path, kind === 'video' ? 'audio' : 'video');
  let smallest = Number.POSITIVE_INFINITY;
  for (const one of suitable) {
    const rendition = 'address' in one ? await readPlaylist(path, one.address, open, signal) : one;
    const files = await filesOf(path, rendition, open, signal);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes <= MAX_BYTES) return files;
    smallest = Math.min(smallest, bytes);
  }
  throw unusable.tooLarge(path, sizeText(smallest), sizeLimitText(MAX_BYTES));
}

/**
 * Returns the renditions to try, the best first. If there are too many: the best ones and the smallest one. For audio,
 * renditions with only audio come first, then those with the fewest bits, because the renditions of a video usually
 * share their audio.
 */
function candidates<T extends Pick<Rendition, 'bandwidth' | 'kinds'>>(
  all: readonly T[],
  kind: MediaKind,
): readonly T[] {
  const able = all.filter(({ kinds }) => kinds.has(kind));
  if (kind === 'audio')
    return able.toSorted((a, b) => a.kinds.size - b.kinds.size || a.bandwidth - b.bandwidth).slice(0, MOST_TRIED);
  const sorted = able.toSorted((a, b) => b.bandwidth - a.bandwidth);
  return [...sorted.slice(0, MOST_TRIED - 1), ...sorted.slice(MOST_TRIED - 1).slice(-1)];
}

async function readPlaylist(manifest: string, address: string, open: Opener, signal: AbortSignal): Promise<Rendition> {
  const file = await openNamed(manifest, address, open);
  const { renditions } = await readManifest(file, signal);
  if (renditions[0] === undefined) throw unusable.empty(file.path);
  return renditions[0];
}

async function filesOf(
  manifest: string,
  { listParts, isEncrypted }: Rendition,
  open: Opener,
  signal: AbortSignal,
): Promise<readonly [FileFacts, ...FileFacts[]]> {
  if (isEncrypted) throw unusable.encrypted(manifest);
  const parts = readable(manifest, listParts);
  if (parts.length > MAX_PARTS) throw unusable.tooMany(manifest, MAX_PARTS);
  const limit = pLimit(OPEN_AT_ONCE);
  const facts = async (address: string): Promise<FileFacts> => {
    signal.throwIfAborted();
    const file = await openNamed(manifest, address, open);
    await file.close();
    const { path, sizeBytes, modifiedAt, fingerprint } = file;
    return { path, sizeBytes, modifiedAt, fingerprint };
  };
  // Read the facts about each file only once, because a manifest may name it many times.
  const found = new Map<string, Promise<FileFacts>>();
  const factsOnce = (address: string): Promise<FileFacts> => {
    const known = found.get(address) ?? limit(() => facts(address));
    found.set(address, known);
    return known;
  };
  const [first, ...others] = await Promise.all(parts.map(factsOnce)).finally(() => limit.clearQueue());
  if (first === undefined) throw unusable.empty(manifest);
  return [first, ...others];
}

/** A base URL for relative addresses. Its name is reserved, so that no real host can have it. */
const HERE = 'http://files.invalid/';

const ownAddress = (path: string): string => HERE + path.split('/').map(encodeURIComponent).join('/');

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw unusable.unreadable(path);
  }
}

/** Matches an HLS or DASH manifest, and not an M3U list of songs, whose files are not parts of one recording. */
const IS_MANIFEST = /^#EXT-X-|<(?:\w{1,20}:)?MPD[\s>]/m;

/** Reads and closes a manifest. */
async function readManifest(file: OpenFile, signal: AbortSignal): Promise<Manifest> {
  const { path, sizeBytes } = file;
  if (sizeBytes === 0 || sizeBytes > MAX_TEXT_BYTES) {
    await file.close();
    throw sizeBytes === 0 ? unusable.empty(path) : unusable.tooLong(path, sizeLimitText(MAX_TEXT_BYTES));
  }
  const chunks: Buffer[] = [];
  for await (const chunk of file.read(0, sizeBytes - 1)) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (!IS_MANIFEST.test(text)) throw unusable.unreadable(path);
  const base = ownAddress(path);
  if (!text.trimStart().startsWith('<')) return readable(path, () => readHls(text, base));
  if (hasTooManyMarks(text)) throw unusable.tooManyMarks(path);
  return readDash(text, base, signal).catch(() => {
    signal.throwIfAborted();
    throw unusable.unreadable(path);
  });
}

async function openNamed(manifest: string, address: string, open: Opener): Promise<OpenFile> {
  const { protocol, host } = new URL(address);
  if (!address.startsWith(HERE)) throw unusable.remote(manifest, host || `${protocol}//`);
  const path = decoded(new URL(address).pathname.slice(1));
  try {
    return await open(path);
  } catch (error) {
    throw error instanceof Problem && MISSING.has(error.code) ? unusable.missing(manifest, path) : error;
  }
}

/** Error codes of `open`: the path is missing, is not an output of the job, or leaves the media root. */
const MISSING: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE', 'OUTPUT_GONE', 'INVALID_REQUEST']);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
