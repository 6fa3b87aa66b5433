import { homedir } from 'node:os';
import { resolve } from 'node:path';

const TREE = resolve(import.meta.dirname, '../..');

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A path below a folder of this machine. Not the folder alone: `/root` is also a pointer into JSON. Not the same text inside another path
 * (`/proc/1/root/…`).
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
