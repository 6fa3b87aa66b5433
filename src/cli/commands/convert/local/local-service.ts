import { readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { userCacheFolder } from '../../../../../bin/user-cache.js';
import { createNodeClient, type NodeClient } from '../../../../client/node/node-client.ts';
import type { ClientAuth } from '../../../../client/options.ts';
import { localConfigFromEnvironment } from '../../../../config/environment.ts';
import { ADMIN_CLIENT_FILE } from '../../../../config/secret-files.ts';
import { openService } from '../../../compose/service.ts';
import { EXIT } from '../../../exit-codes.ts';
import { operatorMessage } from '../../../output/operator-message.ts';
import { CommandFailed } from '../../../session/command-failed.ts';
import { filesInPlace, linkInput } from './files-in-place.ts';
import { createWorkFolder } from './work-folder.ts';

/** A service that lasts as long as a command. */
export interface LocalService {
  readonly client: NodeClient;
  /** How many ordinary conversions it runs at the same time. */
  readonly slots: number;
  /** Links a local file to a path in the media root. Does nothing where it would have to be copied. */
  link(file: string, path: string): Promise<unknown>;
  /** Ends the service and removes its folder. */
  close(): Promise<void>;
}

/**
 * Starts a service for one command, in a hidden folder in or above `near`, so that files need not be copied. It listens on
 * loopback, with a secret that only this process knows. Throws `CommandFailed` if it cannot run, for example without ffmpeg.
 */
export async function openLocalService(near: string): Promise<LocalService> {
  const { folder, mediaRoot, dataDir } = createWorkFolder(near);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A second Ctrl-C ends the process at once.
  process.once('exit', remove);
  await using opening = new AsyncDisposableStack();
  opening.defer(() => {
    process.off('exit', remove);
    remove();
  });
  const config = localConfigFromEnvironment({ dataDir, mediaRoot });
  const cache = userCacheFolder();
  // The data folder goes with the command. To ask ffmpeg everything again takes as long as a short conversion.
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
