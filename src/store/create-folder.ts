import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder `dir` and the folders above it, if missing. Use it for every path that a user chose: `mkdir` of Node
 * with `recursive` never returns where the kernel reports ENOENT for a new folder in an existing one, as in /proc.
 */
export function createFolder(dir: string, mode?: number): void {
  if (!existsSync(dir) && !existsSync(dirname(dir))) createFolder(dirname(dir), mode);
  mkdirSync(dir, { mode, recursive: existsSync(dir) });
}
