import { posix } from 'node:path';
import type { Scope } from '@telecine/contract/domain/client.ts';
import type { ClientLimitChanges, ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { type FieldError, invalidRequest, type Problem, pointerToken } from '@telecine/contract/domain/problem.ts';
import { type Clients, type ClientView, checkClientName, type NewSecret } from './clients.ts';

/** Resolves the media roots of clients. `dir`: the value of `--root`, or the result of `ownFolder`. */
export interface ClientRoots {
  /** The media root of the service, which is the default for clients. */
  readonly ofService: string;
  /** Returns the folder for a client that is added without `--root`. Throws INVALID_REQUEST. */
  ownFolder(name: string): string;
  /**
   * Returns the media root to store with a client. It equals `ofService` if the client gets the whole media root.
   * Throws INVALID_REQUEST.
   */
  resolve(dir: string): Promise<string>;
  /** Returns whether the folder exists and is not empty. */
  hasEntries(dir: string): Promise<boolean>;
  /** Returns the absolute path of a folder, or its address in the bucket (`s3://…`), as people read it. */
  shown(dir: string): string;
}

/** The limits of a client. A value is a text (`2h`, `8G`, `none`, `default`) or a number of seconds or bytes. */
type LimitTexts = Readonly<Record<string, string | number | null>>;

/** The fields of a client that an administrator can set. */
interface Settings {
  /** A folder in the media root of the service. `.`: the client gets the whole media root. */
  readonly root?: string;
  readonly scopes?: readonly Scope[];
  readonly limits?: LimitTexts;
}

interface AdminOptions {
  /** true: the change is allowed even if no client has the scope `admin` afterwards. */
  readonly lastAdmin: boolean;
}

export type ClientAdministration = ReturnType<typeof clientAdministration>;

/** Manages clients for administrators. Each operation throws a `Problem`: INVALID_REQUEST, NOT_FOUND or LAST_ADMIN. */
export function clientAdministration({
  clients,
  roots,
  readLimits,
  defaultLimits,
  isLocal = false,
}: {
  readonly clients: Clients;
  readonly roots: ClientRoots;
  /** Reads limits from `key=value` texts. Throws an `Error` that says which values are allowed. */
  readonly readLimits: (texts: readonly string[]) => ClientLimitChanges;
  /** The limits that apply where a client has none of its own. */
  readonly defaultLimits: ClientLimits;
  /** Whether the administrator has a shell on the machine of the service, and may name folders outside the media root. */
  readonly isLocal?: boolean;
}) {
  /**
   * Returns the media root to store with a client. undefined: the client uses the media root of the service, wherever
   * the operator may move it later.
   */
  async function rootOf(dir: string): Promise<string | undefined> {
    if (!isLocal && (posix.isAbsolute(dir) || dir.split('/').includes('..'))) throw foreignRoot(dir);
    const root = await roots.resolve(dir);
    if (root === roots.ofService) return undefined;
    // A symlink in the media root can lead outside of it.
    if (!isLocal && posix.isAbsolute(root) && !isInside(root, roots.ofService)) throw foreignRoot(dir);
    return root;
  }

  function limitsOf(texts: LimitTexts): ClientLimitChanges {
    const errors: FieldError[] = [];
    // Read the limits one by one, so that each error has the field of its limit.
    const limits = Object.entries(texts).map(([key, value]) => {
      try {
        return readLimits([`${key}=${value ?? 'none'}`]);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const field = `/limits/${pointerToken(key)}`;
        errors.push({ field, code: 'BAD_LIMIT', message: `Invalid limit: ${reason}.` });
        return {};
      }
    });
    if (errors.length > 0) throw invalidRequest(errors);
    return Object.assign({}, ...limits);
  }

  const rule = (lastAdmin: boolean, how: string): { readonly lastAdminFix?: string } => {
    if (lastAdmin) return {};
    const cost = 'Then only the command line of the service can add an administrator.';
    return { lastAdminFix: `Give another client the scope admin first, or ${how}. ${cost}` };
  };

  return {
    /** `usesFiles`: the default folder is allowed even if it contains files. */
    async add(
      name: string,
      {
        root,
        scopes = [],
        limits,
        externalSubject,
        usesFiles = false,
      }: Settings & { readonly externalSubject?: string; readonly usesFiles?: boolean },
    ): Promise<Pick<NewSecret, 'client'> & Partial<NewSecret>> {
      checkClientName(name);
      const dir = root ?? roots.ownFolder(name);
      const isTaken = (await clients.list()).some(({ clientId }) => clientId === name);
      if (root === undefined && !usesFiles && !isTaken && (await roots.hasEntries(dir)))
        throw folderNotEmpty(isLocal ? roots.shown(dir) : dir);
      const resolved = await rootOf(dir);
      const options = { scopes, ...defined({ root: resolved, limits: limits && limitsOf(limits) }) };
      if (externalSubject === undefined) return clients.add(name, options);
      return { client: await clients.addExternal(name, externalSubject, options) };
    },
    get: clients.get,
    list: clients.list,
    async change(name: string, { root, scopes, limits }: Settings, { lastAdmin }: AdminOptions): Promise<ClientView> {
      await clients.get(name);
      const changes = defined({
        scopes,
        limits: limits && limitsOf(limits),
        root: root === undefined ? undefined : ((await rootOf(root)) ?? roots.ofService),
      });
      return clients.change(name, changes, rule(lastAdmin, 'send "lastAdmin": true'));
    },
    defaultLimits,
    rotate: clients.rotate,
    /** Idempotent. */
    revoke: (name: string, { lastAdmin }: AdminOptions) => clients.revoke(name, rule(lastAdmin, 'add ?lastAdmin=true')),
    /**
     * Returns the media root of a client in the form of `Settings.root`, or its absolute path if it is outside the
     * media root of the service, or for a local administrator.
     */
    shownRoot: ({ root = roots.ofService }: ClientView): string => {
      if (isLocal) return root;
      if (root === roots.ofService) return '.';
      return posix.isAbsolute(root) && isInside(root, roots.ofService) ? posix.relative(roots.ofService, root) : root;
    },
  };
}

const isInside = (folder: string, root: string): boolean => folder.startsWith(root.endsWith('/') ? root : `${root}/`);

const foreignRoot = (dir: string): Problem =>
  invalidRequest([
    {
      field: '/root',
      code: 'OUTSIDE_MEDIA_ROOT',
      message: `"${dir.slice(0, 200)}" is not a folder in the media root of the service. A folder outside needs the command line: telecine client set --root.`,
    },
  ]);

const folderNotEmpty = (dir: string): Problem =>
  invalidRequest([
    {
      field: '/root',
      code: 'NOT_CONFIRMED',
      message: `The folder "${dir}" is not empty. The client could read, replace and delete its files.`,
      fix: 'Name another folder, or send "usesFiles": true to give the client the files in this folder.',
    },
  ]);
