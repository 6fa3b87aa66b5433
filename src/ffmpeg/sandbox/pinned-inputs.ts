import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { JobFailed } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Mount } from '../../domain/plan.ts';
import type { PinnedMount } from './confine.ts';
import type { Sandbox } from './sandbox.ts';
import { stagedName } from './staged-name.ts';

/** Inputs that can no longer be replaced by other files. */
export interface PinnedInputs {
  readonly mounts: readonly PinnedMount[];
  /** Closes the service's descriptors. Call this once ffmpeg has started and inherited them. */
  close(): Promise<void>;
}

/** Flags for pinning a file or folder. O_NONBLOCK: if a fifo has replaced it, opening it must not block the service. */
export const PIN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens the inputs, verifies that each is still the file that was checked, and pins it by its descriptor if the sandbox
 * can mount open files. If it cannot, a later replacement goes unnoticed. Files in the scratch folder `dir`, such as
 * the linked frames of a sequence, are not pinned, because only the service can write there.
 *
 * @throws JobFailed INPUT_INVALID if an input was replaced or removed.
 */
export async function pinInputs(dir: string, mounts: readonly Mount[], sandbox: Sandbox): Promise<PinnedInputs> {
  const handles: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(handles.map((handle) => handle.close()));
  };
  try {
    const pinned: PinnedMount[] = [];
    for (const mount of mounts) {
      const fileId = stagedName(dir, mount.hostPath) === undefined ? mount.identities?.[0] : undefined;
      if (fileId === undefined) {
        pinned.push(mount);
        continue;
      }
      const handle = await openChecked(mount, fileId);
      handles.push(handle);
      pinned.push({ ...mount, fd: handle.fd });
    }
    const usesDescriptors = sandbox.kind === 'landlock' || (sandbox.kind === 'bubblewrap' && sandbox.showsOpenFiles);
    return { mounts: usesDescriptors ? pinned : mounts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns the first bytes of an input, for a message about its content.
 *
 * @throws JobFailed if the input was replaced or removed, and other errors if it is not one file.
 */
export async function readPinned(mount: Mount, bytes: number): Promise<Uint8Array> {
  const handle = await openPinned(mount);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Opens an input.
 *
 * @throws JobFailed if the input was replaced or removed, and other errors if it is not one file.
 */
export async function openPinned(mount: Mount): Promise<FileHandle> {
  const [fileId, ...others] = mount.identities ?? [];
  if (fileId === undefined || others.length > 0) throw new Error(`${mount.logical} is not one file.`);
  return openChecked(mount, fileId);
}

async function openChecked({ hostPath, logical }: Mount, fileId: string): Promise<FileHandle> {
  const replaced = (cause?: unknown) =>
    new JobFailed(
      {
        code: 'INPUT_INVALID',
        message: `The input ${logical} was replaced or removed.`,
        fix: hint`${RETRY_JOB}.`,
      },
      cause,
    );
  const handle = await open(hostPath, PIN_FLAGS).catch((cause) => {
    throw replaced(cause);
  });
  const { dev, ino } = await handle.stat({ bigint: true });
  if (`${dev}:${ino}` === fileId) return handle;
  await handle.close();
  throw replaced();
}
