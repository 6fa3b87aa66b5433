import type { Caller } from '../domain/client.ts';
import { parsePrefix } from './file-path.ts';
import type { FileOperations } from './operations.ts';
import type { FileStore } from './ports.ts';

/** Lists one page of a folder, sorted by name. See `FileOperations.list`. */
export async function listFiles(
  store: FileStore,
  caller: Caller,
  { prefix, limit, after }: Parameters<FileOperations['list']>[1],
): ReturnType<FileOperations['list']> {
  const { folder, nameStart } = parsePrefix(prefix, caller.root);
  const page = await store.list(caller.root, { folder, nameStart, limit, ...(after !== undefined && { after }) });
  const last = page.entries.at(-1);
  if (!page.more || last === undefined) return { entries: page.entries };
  return { entries: page.entries, nextAfter: last.path.slice(folder.length) };
}
