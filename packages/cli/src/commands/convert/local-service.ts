import { readFileSync, rmSync } from 'node:fs';
import { link as linkFile, mkdir, realpath, rename, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createNodeClient, type NodeClient } from '@telecine/client/node/node-client.ts';
import { NO_LINKS } from '@telecine/client/node/save-download.ts';
import type { ClientAuth } from '@telecine/client/options.ts';
import { localConfigFromEnvironment } from '@telecine/service/config/environment.ts';
import { ADMIN_CLIENT_FILE } from '@telecine/service/config/secret-files.ts';
import { openService } from '@telecine/service/start/service.ts';
import { pino } from 'pino';
import { userCacheFolder } from '../../../../../bin/user-cache.js';
import { EXIT } from '../../exit-codes.ts';
import { operatorMessage } from '../../output/operator-message.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { createWorkFolder } from './work-folder.ts';

interface LocalService {
  readonly client: NodeClient;
  readonly slots: number;
  /** Links a local file into the media root, unless it must be copied. */
  link(file: string, path: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts a service on loopback for one command. Uses a hidden folder in or above `near`, so that files are linked and not copied. Throws
 * `CommandFailed` if the service cannot run, for example without ffmpeg.
 */
export async function openLocalService(near: string): Promise<LocalService> {
  const { folder, mediaRoot, dataDir } = createWorkFolder(near);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also remove the folder at exit, because a second Ctrl-C ends the process at once.
  process.once('exit', remove);
  await using opening = new AsyncDisposableStack();
  opening.defer(() => {
    process.off('exit', remove);
    remove();
  });
  const config = localConfigFromEnvironment({ dataDir, mediaRoot });
  const cache = userCacheFolder();
  // The data folder is temporary. Cache the catalogue elsewhere, because querying ffmpeg takes as long as a short conversion.
  const cataloguesFolder = cache && join(cache, 'catalogues');
  const service = await openService(config, pino({ enabled: false }), { role: 'all', cataloguesFolder }).catch(
    cannotStart,
  );
  opening.defer(async () => {
    await service.drain(0);
    await service.close();
  });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  await service.started.catch(cannotStart);
  const { port } = service.app.server.address() as AddressInfo;
  const admin = JSON.parse(readFileSync(join(dataDir, ADMIN_CLIENT_FILE), 'utf8')) as ClientAuth;
  const closers = opening.move();
  return {
    client: filesInPlace(createNodeClient(`http://127.0.0.1:${port}`, admin), mediaRoot),
    slots: config.concurrency,
    link: (file, path) => linkInput(mediaRoot, file, path),
    close: () => closers.disposeAsync(),
  };
}

function cannotStart(cause: unknown): never {
  const message = operatorMessage(cause);
  if (message === undefined) throw cause;
  throw new CommandFailed(EXIT.unreachable, 'NO_LOCAL_SERVICE', message, { cause });
}

/** Errors of links and renames between two file systems, or with files of other users. The file is then copied. */
const MUST_COPY: ReadonlySet<unknown> = new Set([...NO_LINKS, 'EXDEV', 'EACCES']);

const mustCopy = (error: unknown): boolean => error instanceof Error && 'code' in error && MUST_COPY.has(error.code);

/** Links a file into the media root. Returns false if it must be copied. */
async function linkInput(mediaRoot: string, file: string, path: string): Promise<boolean> {
  const target = join(mediaRoot, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    // Link the file itself. A hard link to a symlink would point out of the media root.
    await linkFile(await realpath(file), target);
    return true;
  } catch (error) {
    if (!mustCopy(error)) throw error;
    return false;
  }
}

/** Wraps the client of a service in this process. Links inputs and outputs where the file system allows it, and copies them otherwise. */
function filesInPlace(client: NodeClient, mediaRoot: string): NodeClient {
  return {
    ...client,
    async uploadFile(file, path, options = {}) {
      options.signal?.throwIfAborted();
      if (!(await linkInput(mediaRoot, file, path))) return client.uploadFile(file, path, options);
      const { size } = await stat(join(mediaRoot, path));
      options.onBytes?.(size, size);
    },
    async saveOutput(jobId, target, options = {}) {
      options.signal?.throwIfAborted();
      const { path, replace = false } = options;
      if (path === undefined) return client.saveOutput(jobId, target, options);
      const source = join(mediaRoot, path);
      try {
        // Without `replace`, use `linkFile`, which fails if the target exists. `rename` replaces the target.
        await (replace ? rename(source, target) : linkFile(source, target));
      } catch (error) {
        if (!mustCopy(error)) throw error;
        return client.saveOutput(jobId, target, options);
      }
      const { size } = await stat(target);
      options.onBytes?.(size, size);
    },
  };
}
