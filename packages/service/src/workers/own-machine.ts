import { createHash } from 'node:crypto';
import { readProc } from '@telecine/ffmpeg/process/process-tree.ts';
import type { WorkerMachine } from './ports/worker-store.ts';

/**
 * Returns the machine on which this process runs. All containers of one kernel have the same boot id; virtual machines and sandboxes with
 * a kernel of their own have another. undefined: the system has no such files, so this worker counts as a machine of its own. The boot id
 * is hashed, because it may identify the machine to other programs.
 *
 * @param read Reads a file of /proc. Empty if it does not exist.
 */
export function ownMachine(read = readProc): WorkerMachine | undefined {
  const bootId = read('/proc/sys/kernel/random/boot_id').trim();
  const cpus = /^Cpus_allowed_list:\s*(\S+)$/m.exec(read('/proc/self/status'))?.[1];
  if (bootId === '' || cpus === undefined) return undefined;
  return { id: createHash('sha256').update(`telecine machine ${bootId}`).digest('hex').slice(0, 16), cpus };
}
