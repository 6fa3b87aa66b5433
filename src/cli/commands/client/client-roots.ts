import { dirname, join } from 'node:path';
import { invalidRequest } from '../../../domain/problem.ts';
import { hasEntries, resolveClientRoot } from './client-root.ts';

/** The media roots that clients can have. `dir`: the text of `--root`, or `ownFolder`. */
export interface ClientRoots {
  /** The media root of the service, which is the default for clients. */
  readonly ofService: string;
  /** The folder of a client that is added without `--root`. Throws INVALID_REQUEST. */
  ownFolder(name: string): string;
  /** The media root for the record of a client; equal to `ofService` for all of it. Throws INVALID_REQUEST. */
  resolve(dir: string): Promise<string>;
  /** Whether the folder exists and is not empty. */
  hasEntries(dir: string): Promise<boolean>;
  /** The folder as people know it. */
  shown(dir: string): string;
}

/**
 * Media roots that are folders. `mediaRoot`: absolute, with symlinks resolved. `reserved`: the absolute reserved paths. The
 * media root of a client must not be in one of them.
 */
export const folderRoots = (mediaRoot: string, reserved: readonly string[]): ClientRoots => ({
  ofService: mediaRoot,
  ownFolder: (name) => {
    if (dirname(mediaRoot) !== mediaRoot) return name;
    throw invalidRequest([
      {
        field: '/root',
        code: 'MISSING',
        message: `The media root of the service is ${mediaRoot}, in which no client may have a folder.`,
        fix: 'Send --root with the folder of the client, or --root . to share everything.',
      },
    ]);
  },
  resolve: (dir) => resolveClientRoot(dir, mediaRoot, reserved),
  hasEntries: (dir) => hasEntries(join(mediaRoot, dir)),
  shown: (dir) => join(mediaRoot, dir),
});
