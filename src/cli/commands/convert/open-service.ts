import { ClientError } from '../../../client/client-error.ts';
import type { NodeClient } from '../../../client/node/node-client.ts';
import { usageError } from '../../session/command-failed.ts';
import { connect } from '../../session/credentials.ts';
import { type FileLocation, splitOutput } from './file-names.ts';
import type { ConvertFlags } from './order-flags.ts';

/** The service that a command uses. */
export interface Service {
  readonly client: NodeClient;
  /** How many files the command converts at the same time. */
  slots(signal: AbortSignal): Promise<number>;
  /** Whether the service ends with the command, so that nothing can be looked up there later. */
  readonly isLocal: boolean;
  /** Lets a local service read a local file without an upload, where no copy is needed. Absent for other services. */
  readonly link?: (file: string, path: string) => Promise<unknown>;
  /** Ends a local service. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** For a service that does not tell its slots, because this client may not read its usage. */
const DEFAULT_SLOTS = 4;
const MOST_SLOTS = 64;

/**
 * Connects to the service, or starts one for this command with `--local`. `locations`: the files of the command. Throws
 * `CommandFailed`.
 */
export async function openService(flags: ConvertFlags, locations: readonly FileLocation[]): Promise<Service> {
  if (flags.local !== true) {
    const client = connect(flags.url);
    return {
      client,
      slots: async (signal) => flags.parallel ?? (await slotsOf(client, signal)),
      isLocal: false,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const onService = locations.find((one) => one.on === 'server' && one.isSource !== true && !/^https?:/.test(one.path));
  if (onService !== undefined)
    throw usageError(
      'NO_SERVER',
      `With --local, there is no service for server:${onService.path}.`,
      'Name a local file, or leave out --local.',
    );
  const output = locations.at(-1);
  const { openLocalService } = await import('./local-service.ts');
  const service = await openLocalService(output === undefined ? '.' : splitOutput(output.path).folder);
  return {
    client: service.client,
    slots: async () => flags.parallel ?? service.slots,
    isLocal: true,
    link: service.link,
    [Symbol.asyncDispose]: service.close,
  };
}

/** The slots of a service, and one more: the next input is uploaded meanwhile. */
async function slotsOf(client: NodeClient, signal: AbortSignal): Promise<number> {
  try {
    const { slots } = await client.usage({ signal });
    return Math.min(Math.max(slots, 1) + 1, MOST_SLOTS);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'rejected') return DEFAULT_SLOTS;
    throw error;
  }
}
