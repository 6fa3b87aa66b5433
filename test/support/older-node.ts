import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first Node 20 to 23 on PATH. It cannot run the service, but can start it. */
export function olderNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((node) => existsSync(node) && isOlder(node));
}

function isOlder(node: string): boolean {
  try {
    const major = Number(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]);
    return major >= 20 && major < 24;
  } catch {
    return false;
  }
}
