import { ClientError } from '@telecine/client/client-error.ts';
import type { NodeClient } from '@telecine/client/node/node-client.ts';
import { usageError } from '../../session/command-failed.ts';
import { connect } from '../../session/credentials.ts';
import { type FileLocation, splitOutput } from './file-names.ts';
import type { ConvertFlags } from './order-flags.ts';

export interface Service {
  readonly client: NodeClient;
  /** The number of files to convert at the same time. */
  slots(signal: AbortSignal): Promise<number>;
  /** Whether the service stops when the command ends. */
  readonly isLocal: boolean;
  /** Links a file into the media root of a local service, unless it must be copied. Absent for other services. */
  readonly link?: (file: string, path: string) => Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The assumed number of slots if the client may not read it from the service. */
const DEFAULT_SLOTS = 4;
const MOST_SLOTS = 64;

/**
 * Connects to the service. With `--local`, starts a service for this command. `locations`: the files of the command. Throws
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
      `With --local, there is no service that has server:${onService.path}.`,
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

/** Returns the slots of a service plus one, so that the next input uploads while the slots are busy. */
async function slotsOf(client: NodeClient, signal: AbortSignal): Promise<number> {
  try {
    const { slots } = await client.usage({ signal });
    return Math.min(Math.max(slots, 1) + 1, MOST_SLOTS);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'rejected') return DEFAULT_SLOTS;
    throw error;
  }
}
