import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { READ_FLAGS } from '../process/regular-file.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogueFile, deserialise, saveCatalogue } from './catalogue-file.ts';
import { completeCatalogue } from './complete-catalogue.ts';
import { openCatalogue } from './live-catalogue.ts';

/** A build has no prepared catalogue, or its prepared catalogue is not protected. The message says why. */
export class PreparedCatalogueUnusable extends Error {
  override readonly name = 'PreparedCatalogueUnusable';
  readonly fix =
    'Run "telecine catalogue prepare" as root. Without this catalogue, each service queries ffmpeg itself, which takes a minute or two while its jobs run.';
}

/** The maximum size of a file in bytes. A build with all libraries needs 1.6 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The permission to write, of the group and of everyone. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Queries all facts about `build` that requests may need, and writes them to `folder` for `loadPreparedCatalogue`. Takes 90 s of processor
 * time for a build with all libraries.
 */
export async function prepareCatalogue(
  folder: string,
  build: Build,
): Promise<{ readonly catalogue: Catalogue; readonly file: string }> {
  // `undefined`: read nothing from `folder`, so that an earlier file cannot become a part of the catalogue.
  const live = await openCatalogue(build, undefined);
  const catalogue = await completeCatalogue(live, new AbortController().signal, {
    chunk: availableParallelism(),
  });
  await saveCatalogue(folder, catalogue);
  return { catalogue, file: catalogueFile(folder, build) };
}

/**
 * Loads the prepared catalogue of `build`. The checks of requests rely on it, so only root and the owner of ffmpeg may be able to write it.
 * Throws `PreparedCatalogueUnusable` if others can, or if there is none.
 */
export async function loadPreparedCatalogue(folder: string, build: Build): Promise<Catalogue> {
  const path = catalogueFile(folder, build);
  const { uid } = await stat(build.path);
  const text = await readProtected(folder, path, uid).catch((error: unknown) => {
    if (error instanceof PreparedCatalogueUnusable) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new PreparedCatalogueUnusable(`${folder} has no catalogue of ffmpeg ${build.version} at ${build.path}.`);
    throw new PreparedCatalogueUnusable(`${path} cannot be read (${code}).`, { cause: error });
  });
  const catalogue = deserialise(text, build);
  if (catalogue === undefined)
    throw new PreparedCatalogueUnusable(`${path} is damaged, or another version of Telecine wrote it.`);
  return catalogue;
}

async function readProtected(folder: string, path: string, ownerOfFfmpeg: number): Promise<string> {
  const requireProtection = (name: string, { uid, mode }: Stats): void => {
    if (uid !== 0 && uid !== ownerOfFfmpeg)
      throw new PreparedCatalogueUnusable(`${name} belongs neither to root nor to the owner of ffmpeg.`);
    if ((mode & WRITABLE_BY_OTHERS) !== 0)
      throw new PreparedCatalogueUnusable(`${name} may be written by others than its owner.`);
  };
  requireProtection(folder, await stat(folder));
  // The flags reject a symlink, and do not wait for the writer of a pipe.
  await using file = await open(path, READ_FLAGS);
  const stats = await file.stat();
  requireProtection(path, stats);
  if (!stats.isFile() || stats.size > MAX_BYTES)
    throw new PreparedCatalogueUnusable(`${path} is not a file, or has more than ${MAX_BYTES} bytes.`);
  return file.readFile('utf8');
}
