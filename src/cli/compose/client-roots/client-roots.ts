import type { ClientRoots } from '../../../auth/client-administration.ts';
import type { Config } from '../../../config/config.ts';
import { openMediaRoot } from '../media-root.ts';
import { findReservedPaths } from '../reserved-paths.ts';
import { folderRoots } from './folder-roots.ts';

/** The media roots that clients of the service can have: folders, or prefixes in its object store. */
export const clientRoots = async (config: Config): Promise<ClientRoots> =>
  config.storage === undefined
    ? folderRoots(openMediaRoot(config), findReservedPaths(config))
    : (await import('./prefix-roots.ts')).prefixRoots(config, config.storage);
