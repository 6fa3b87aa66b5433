import { dirname, join } from 'node:path';
import type { ClientRoots } from '../../../auth/client-administration.ts';
import { invalidRequest } from '../../../domain/problem.ts';
import { hasEntries, resolveClientRoot } from './client-root.ts';

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
