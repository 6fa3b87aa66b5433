import { homedir } from 'node:os';
import { resolve } from 'node:path';

const TREE = resolve(import.meta.dirname, '../..');

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Matches a path below a folder of this machine. Does not match the folder alone, because `/root` can be a JSON Pointer, and not the same
 * text inside another path (`/proc/1/root/…`).
 */
const pathBelow = (folder: string): RegExp => new RegExp(`(?<![\\w.})\\]-])${literally(folder)}/[\\w./-]+`);

/**
 * The first text of each kind that tells where a file was built: a path below this checkout or the home folder, or the host of the
 * registry that this machine uses.
 */
export function machineTextsIn(text: string, registry: string): readonly string[] {
  const folders = [TREE, homedir()].filter((folder) => folder.length > 1);
  const patterns = [...folders.map(pathBelow), new RegExp(literally(new URL(registry).host))];
  return patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
}
