import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { JobFailed } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Mount } from '../../domain/plan.ts';
import { isBelow, type PinnedMount } from './confine.ts';
import type { Sandbox } from './sandbox.ts';

/** Inputs that cannot be exchanged any more. */
export interface PinnedInputs {
  readonly mounts: readonly PinnedMount[];
  /** Once ffmpeg is started: it has them too. */
  close(): Promise<void>;
}

/** O_NONBLOCK: a fifo put there meanwhile must not hold the service. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens the inputs again, each being the very file that was checked, and holds them where the sandbox can show open
 * files; where it cannot, what is put in their place from now on is not noticed. What lies in the scratch `dir`, frames
 * for one, is out of others' reach. Throws INPUT_INVALID.
 */
export async function pinInputs(dir: string, mounts: readonly Mount[], sandbox: Sandbox): Promise<PinnedInputs> {
  const handles: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(handles.map((handle) => handle.close()));
  };
  try {
    const held: PinnedMount[] = [];
    for (const mount of mounts) {
      const identity = isBelow(relative(join(dir, 'in'), mount.hostPath)) ? undefined : mount.identities?.[0];
      if (identity === undefined) {
        held.push(mount);
        continue;
      }
      const handle = await openChecked(mount, identity);
      handles.push(handle);
      held.push({ ...mount, fd: handle.fd });
    }
    const shows = sandbox.kind === 'bubblewrap' && sandbox.showsOpenFiles;
    return { mounts: shows ? held : mounts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openChecked({ hostPath, logical }: Mount, identity: string): Promise<FileHandle> {
  const replaced = (cause?: unknown) =>
    new JobFailed(
      {
        code: 'INPUT_INVALID',
        message: `The input ${logical} was replaced or removed.`,
        fix: hint`${RETRY_JOB}.`,
      },
      cause,
    );
  const handle = await open(hostPath, FLAGS).catch((cause) => {
    throw replaced(cause);
  });
  const { dev, ino } = await handle.stat({ bigint: true });
  if (`${dev}:${ino}` === identity) return handle;
  await handle.close();
  throw replaced();
}
