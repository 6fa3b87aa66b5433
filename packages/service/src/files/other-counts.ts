import { randomUUID } from 'node:crypto';
import type { RecountFiles, StoredFile, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { EntryPath } from './jobs-at-path.ts';

/** The media root of a client as a text that ends with a slash: a folder, or a bucket and a prefix. Those of several clients can overlap. */
export interface ClientFolder {
  readonly clientId: string;
  readonly folder: string;
}

/** A file that counts for another client. `path`: its path for the client that changes it. */
export interface OtherFile extends StoredFile {
  readonly clientId: string;
  /** The version of its count. Absent: it does not count now, because it is in a bin. */
  readonly version?: string;
}

/** A change of files that count for other clients. Await `begin` before the change, and `end` after it in any case. */
interface OtherChange {
  /** Counts the files at their new paths, so that no crash leaves them uncounted. */
  begin(): Promise<void>;
  /** Stores where the files are now. `hasMoved`: false if the change has failed, and may have happened all the same. Never rejects. */
  end(hasMoved: boolean): Promise<void>;
}

/**
 * What other clients count in a media root that they share, or of which theirs is a part. Without it, a file that an administrator deletes or
 * moves would count for its client until it is checked hours later, and in a bin twice.
 */
export interface OtherCounts {
  /**
   * Finds the files that count for other clients at a path of a client, or below it: at most `most`. Default: 100,000. A file that counts
   * for several clients is one for each.
   */
  find(clientId: string, entry: EntryPath, most?: number): Promise<readonly OtherFile[]>;
  /**
   * Returns a change of such files, which then count at other paths.
   *
   * @param to Returns the new path of a file for the client `clientId`. undefined: it no longer counts. So it is with a path that is not in the
   * media root of its client.
   */
  change(clientId: string, files: readonly OtherFile[], to?: (path: string) => string | undefined): OtherChange;
}

interface OtherCountsDeps {
  readonly stored: Pick<StoredFiles, 'findOf' | 'findClientsBelow' | 'below' | 'correct' | 'count'>;
  readonly recount: RecountFiles;
  /** The media roots of all clients that are not revoked. */
  readonly folders: () => Promise<readonly ClientFolder[]>;
}

/** How many files are read or counted in one step. */
const PAGE = 100;

/** The most files of all other clients together that are counted again. The hourly check finds the rest. */
const MOST = 100_000;

/** The path of a folder in a media root that it is in. Empty for one that is in the folder: all of its files are. */
const inside = (at: string, folder: string): string => (at.startsWith(folder) ? at.slice(folder.length) : '');

export function otherCounts({ stored, recount, folders }: OtherCountsDeps): OtherCounts {
  const folderOf = (all: readonly ClientFolder[], clientId: string): string | undefined =>
    all.find((one) => one.clientId === clientId)?.folder;

  async function filesBelow(
    { clientId, folder }: ClientFolder,
    at: string,
    own: string,
    most: number,
  ): Promise<readonly OtherFile[]> {
    const files: OtherFile[] = [];
    for (let after: string | undefined; ; ) {
      const limit = Math.min(PAGE, most - files.length);
      const page = limit > 0 ? await stored.below(clientId, inside(at, folder), limit, after) : [];
      for (const file of page) files.push({ ...file, clientId, path: (folder + file.path).slice(own.length) });
      after = page.at(-1)?.path;
      if (page.length < PAGE) return files;
    }
  }

  return {
    async find(clientId, entry, most = MOST) {
      const all = await folders();
      const own = folderOf(all, clientId);
      if (own === undefined) return [];
      const at = own + entry;
      const others = all.filter((one) => one.clientId !== clientId);
      const found: OtherFile[] = [];
      if (entry.endsWith('/')) {
        const near = others.filter(({ folder }) => at.startsWith(folder) || folder.startsWith(at));
        for (const [folder, clients] of Map.groupBy(near, (one) => one.folder)) {
          const ids = clients.map((one) => one.clientId);
          for (const other of await stored.findClientsBelow(ids, inside(at, folder)))
            for (const file of await filesBelow({ clientId: other, folder }, at, own, most - found.length))
              found.push(file);
        }
        return found;
      }
      const above = others.filter(({ folder }) => at.startsWith(folder));
      for (const [folder, clients] of Map.groupBy(above, (one) => one.folder)) {
        const ids = clients.map((one) => one.clientId);
        for (const file of await stored.findOf(ids, at.slice(folder.length))) found.push({ ...file, path: entry });
      }
      return found;
    },

    change(clientId, files, to = () => undefined) {
      const version = randomUUID();
      const ofClients = async () => {
        const all = await folders();
        const own = folderOf(all, clientId) ?? '';
        return [...Map.groupBy(files, (file) => file.clientId)].flatMap(([other, counted]) => {
          const folder = folderOf(all, other);
          if (folder === undefined) return [];
          const pathOf = (path: string): string | undefined =>
            (own + path).startsWith(folder) ? (own + path).slice(folder.length) : undefined;
          const old = counted.flatMap(({ path, version: counts }) => {
            const known = counts === undefined ? undefined : pathOf(path);
            return known === undefined ? [] : [{ path: known, version: counts, bytes: undefined }];
          });
          const next = counted.flatMap(({ path, bytes }) => {
            const moved = to(path);
            const known = moved === undefined ? undefined : pathOf(moved);
            return known === undefined ? [] : [{ path: known, bytes }];
          });
          return [{ clientId: other, old, next }];
        });
      };
      return {
        async begin() {
          for (const { clientId: other, next } of await ofClients())
            for (let first = 0; first < next.length; first += PAGE)
              await stored.count(other, next.slice(first, first + PAGE), { version });
        },
        async end(hasMoved) {
          for (const { clientId: other, old, next } of await ofClients().catch(() => [])) {
            const paths = (all: readonly { readonly path: string }[]) => all.map(({ path }) => path);
            if (next.length > 0) await recount(other, paths(next), { version, hasAppeared: hasMoved });
            if (old.length === 0) continue;
            // The root of the other client may be gone with the files, so that it cannot be looked at. Look only at what was counted anew meanwhile.
            const changed = hasMoved ? await stored.correct(other, old).catch(() => paths(old)) : paths(old);
            if (changed.length > 0) await recount(other, changed);
          }
        },
      };
    },
  };
}

/** The bytes of files that count for several clients, each once. */
export const distinctBytes = (files: readonly StoredFile[]): number =>
  [...Map.groupBy(files, ({ path }) => path).values()].reduce(
    (sum, same) => sum + Math.max(...same.map(({ bytes }) => bytes)),
    0,
  );
