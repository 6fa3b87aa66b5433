import { statSync } from 'node:fs';

/** What tells a file from one that has replaced it. Undefined if there is none. */
export function fileStamp(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(' ');
}
