import type { Caller } from '@telecine/contract/domain/client.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { MAX_ZIP_BYTES, MAX_ZIP_FILES } from '@telecine/contract/domain/share.ts';
import { parseEntryPath } from './file-path.ts';
import { type NamedFiles, sharedFolder, titleOf } from './named-files.ts';
import type { FileFacts, FileStore, FileTree, OpenFile } from './ports.ts';

type ChosenStore = Pick<FileStore, 'open' | 'listTree'>;

/** A file or folder that a client chose. `path` has no slash at its end. */
interface Chosen {
  readonly path: MediaPath;
  readonly isFolder: boolean;
}

/**
 * Finds the files that a client chose, to send them together: files, and all files in folders, whose paths end with a slash. Reads at most
 * `MAX_ZIP_FILES` files and folders in all, so that folders without files are not free. Throws
 * FILE_NOT_FOUND, NOT_A_FILE, TOO_MANY_FILES, INVALID_REQUEST. Each file is checked again when it is opened.
 */
export async function chosenFiles(
  store: ChosenStore,
  { root }: Pick<Caller, 'root'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<NamedFiles> {
  const chosen = withoutNested(paths.map((path) => parseEntryPath(path, root)));
  const found: FileFacts[] = [];
  let left = MAX_ZIP_FILES;
  for (const one of chosen) {
    signal.throwIfAborted();
    const tree = await treeOf(store, root, one, { most: left, signal });
    if (tree === undefined) throw tooManyFiles();
    left -= tree.entries;
    found.push(...tree.files);
  }
  if (found.length === 0) throw new Problem('FILE_NOT_FOUND', `There are no files in ${namesOf(chosen)}.`);
  const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > MAX_ZIP_BYTES) throw tooLarge(bytes);
  const { base, title } = commonOf(chosen);
  return {
    title,
    files: found.map((facts) => ({
      name: facts.path.slice(base),
      sizeBytes: facts.sizeBytes,
      open: () => openUnchanged(store, root, facts),
    })),
  };
}

/** Leaves out repeated paths, and paths in a folder that is chosen too, so that no file is looked for twice. */
function withoutNested(chosen: readonly Chosen[]): readonly Chosen[] {
  const unique = [...new Map(chosen.map((one) => [one.path, one])).values()];
  const folders = unique.filter(({ isFolder }) => isFolder);
  return unique.filter(({ path }) => !folders.some((folder) => path.startsWith(`${folder.path}/`)));
}

/** The files at a chosen path. undefined: there are more than `most` files and folders. */
async function treeOf(
  store: ChosenStore,
  root: MediaRoot,
  { path, isFolder }: Chosen,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<FileTree | undefined> {
  if (isFolder) return store.listTree(root, path, most, signal);
  if (most === 0) return undefined;
  const file = await store.open(root, path);
  await file.close();
  return { files: [file], entries: 1 };
}

/** What all chosen paths share. `base`: how many characters of each path are left out of its name. */
function commonOf(chosen: readonly Chosen[]): { readonly base: number; readonly title: string } {
  const [first, ...others] = chosen;
  if (first === undefined) return { base: 0, title: 'files' };
  const { path, isFolder } = first;
  if (others.length === 0 && isFolder) return { base: path.length + 1, title: baseName(path) };
  const base = sharedFolder(chosen.map((one) => one.path)).length;
  if (others.length === 0) return { base, title: titleOf(path) };
  return { base, title: base === 0 ? 'files' : baseName(path.slice(0, base - 1) as MediaPath) };
}

/** Opens a file that was found. Throws UNAVAILABLE if it was replaced since then. */
async function openUnchanged(store: ChosenStore, root: MediaRoot, { path, fingerprint }: FileFacts): Promise<OpenFile> {
  const file = await store.open(root, path);
  if (file.fingerprint === fingerprint) return file;
  await file.close();
  throw new Problem('UNAVAILABLE', `"${path}" was changed while the zip was made. Send the request again.`, {
    retryAfterSeconds: 1,
  });
}

const namesOf = (chosen: readonly Chosen[]): string =>
  chosen.length === 1 ? `folder "${chosen[0]?.path}"` : 'these folders';

const FEWER = { fix: 'Download the files one by one, or fewer folders.' };

const tooManyFiles = (): Problem =>
  new Problem(
    'TOO_MANY_FILES',
    `These are more than ${MAX_ZIP_FILES} files and folders, the most that are sent as one zip.`,
    FEWER,
  );

const tooLarge = (bytes: number): Problem =>
  new Problem(
    'TOO_MANY_FILES',
    `These files have ${gigabytes(bytes)}, and at most ${gigabytes(MAX_ZIP_BYTES)} are sent as one zip.`,
    FEWER,
  );

const gigabytes = (bytes: number): string => `${Math.ceil(bytes / 1e9)} GB`;
