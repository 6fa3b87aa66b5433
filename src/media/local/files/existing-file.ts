import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';
import { codeOf } from '../errors.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, type PublishTarget } from '../publish/target.ts';
import { factsOf } from './file-facts.ts';
import { notAFile, outside } from './file-problems.ts';

/** What stands where a file is to be written or deleted. */
export interface Current {
  readonly target: PublishTarget;
  /** Something has the name: a file, or a link that leads nowhere. */
  readonly taken: boolean;
  /** The file as who reads it sees it: behind a link, the one that this leads to. */
  readonly file: FileFacts | undefined;
}

/** Throws for a path that leads out of the root, and where no file can be: NOT_A_FILE. */
export async function statTarget(ground: RootBoundary, path: MediaPath): Promise<Current> {
  const target = await findPublishTarget(ground, path);
  if (target === 'outside') throw outside();
  if (typeof target === 'string') throw notAFile(path);
  const walked = await resolveSymlinks(ground.root, path.split('/'));
  if (walked.kind === 'there') {
    if (!isInside(ground, walked.real)) throw outside();
    if (!walked.stats.isFile()) throw notAFile(path);
    return { target, taken: true, file: factsOf(path, walked.stats) };
  }
  if (walked.kind === 'missing' && !isInside(ground, walked.real, walked.rest)) throw outside();
  return {
    target,
    taken: target.rest.length === 0 && (await isTaken(join(target.real, target.name))),
    file: undefined,
  };
}

const isTaken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return false;
    },
  );
