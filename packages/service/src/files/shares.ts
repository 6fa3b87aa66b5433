import type { AuditRecord } from '@telecine/contract/domain/audit.ts';
import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { SHARE_LIMITS, SHARE_SECRET, type Share, shareStateOf } from '@telecine/contract/domain/share.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { v7 } from 'uuid';
import { isMissingFile, parseFilePath, withoutFinalSlashes } from './file-path.ts';
import type { NamedOutputs, OutputsToOpen } from './job-outputs.ts';
import { type NamedFile, type NamedFiles, titleOf } from './named-files.ts';
import type { FileStore, OpenFile, SharedBy, ShareStore } from './ports.ts';

/** What a client wants to share: a file, the outputs of a job, or a folder for uploads. */
export interface NewShare {
  readonly path?: string;
  readonly jobId?: string;
  readonly seconds: number;
  readonly note?: string;
  /** How many files the link takes into the folder `path`. Absent: it is for downloads. */
  readonly files?: number;
  /** With `files`: the maximum size of a file in bytes. */
  readonly maxBytes?: number;
}

/** What of the shares a client wants to list. */
export interface ListedShares {
  /** Only those of this client. */
  readonly client?: string;
  /** Only those of this file of the client, or of the caller. */
  readonly path?: string;
  /** Only those of this job, and of its outputs. */
  readonly jobId?: string;
  /** Also those that have ended. */
  readonly hasEnded?: boolean;
  /** The last id of the previous page. */
  readonly before?: string;
  readonly limit: number;
}

export interface ShareDeps {
  readonly shares: ShareStore;
  readonly store: FileStore;
  /** Throws JOB_NOT_FOUND, JOB_NOT_FINISHED, FILE_NOT_FOUND. */
  readonly outputs: (caller: Caller, jobId: string) => Promise<OutputsToOpen>;
  readonly newSecret: () => string;
  readonly hash: (secret: string) => string;
  readonly now: () => Date;
}

export type ShareOperations = ReturnType<typeof shareOperations>;

/** Creates the operations on shares: what anyone with a link can read, or upload, until its end. */
export function shareOperations(deps: ShareDeps) {
  const { shares, store, outputs, newSecret, hash, now } = deps;
  const inTurn = fairSlots({ slots: 4, perClient: 1 });
  return {
    /**
     * Shares what the caller can read, one request of a client after the other, because the outputs of a job can be thousands. Throws
     * INVALID_REQUEST, TOO_MANY_SHARES, and what opening the files throws.
     */
    create: (caller: Caller, sent: NewShare): Promise<{ readonly share: Share; readonly secret: string }> =>
      inTurn(caller.clientId, caller.hangUp ?? NEVER, async () => {
        const most = caller.policy.shares ?? Number.POSITIVE_INFINITY;
        // Count before the outputs are read: a client at its limit must not make the service read them.
        if (sent.jobId !== undefined && (await shares.count(caller.clientId)) >= most) throw tooMany(caller);
        const what = await sharedOf(deps, caller, sent);
        const secret = newSecret();
        const at = now();
        const share: Share = {
          shareId: v7(),
          clientId: caller.clientId,
          ...what,
          ...defined({ note: sent.note }),
          createdAt: at.toISOString(),
          expiresAt: new Date(at.getTime() + sent.seconds * 1000).toISOString(),
          uses: 0,
        };
        if (await shares.add(share, hash(secret), most)) return { share, secret };
        throw tooMany(caller);
      }),

    /**
     * Lists one page of shares, newest first. Throws INSUFFICIENT_SCOPE for those of another client, and INVALID_REQUEST for a file and a
     * job together.
     */
    async list(
      caller: Caller,
      { client, path, jobId, hasEnded = false, ...page }: ListedShares,
    ): Promise<readonly Share[]> {
      const isAdmin = allows(caller, 'admin');
      if (client !== undefined && client !== caller.clientId && !isAdmin)
        throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the shared links of other clients.', {
          scopes: ['admin'],
        });
      if (path !== undefined && jobId !== undefined)
        throw invalidRequest([
          {
            field: '/jobId',
            code: 'CONFLICT',
            message: 'The list has the links of either a file or a job, and the request names both.',
          },
        ]);
      const clientId = client ?? (isAdmin && path === undefined ? undefined : caller.clientId);
      const ofFile = path !== undefined && {
        files: { clientId: clientId ?? caller.clientId, paths: [parseFilePath(path, caller.root)] },
      };
      const of = jobId === undefined ? ofFile : await jobShares(outputs, caller, jobId);
      return shares.list({ ...page, ...defined({ clientId }), ...(of && { of }), hasEnded });
    },

    /** Revokes a share, unless it was revoked before. `recordOf`: see `ShareStore`. Throws SHARE_NOT_FOUND. */
    async revoke(caller: Caller, shareId: string, recordOf: (share: Share) => AuditRecord): Promise<void> {
      const { clientId } = caller;
      const revoked = await shares.revoke(shareId, clientId, allows(caller, 'admin') ? undefined : clientId, recordOf);
      if (revoked === undefined)
        throw new Problem('SHARE_NOT_FOUND', `Shared link ${shareId} does not exist, or it belongs to another client.`);
    },

    /**
     * Finds the share of a link. Throws INVALID_LINK for a text that no link has, and LINK_REVOKED or LINK_EXPIRED for a link that has ended,
     * also after its record was removed.
     */
    async find(secret: string): Promise<Share> {
      if (!SHARE_SECRET.test(secret))
        throw new Problem(
          'INVALID_LINK',
          'This is not a link of this service, or not the whole link. Use it exactly as received.',
        );
      const share = await shares.find(hash(secret));
      if (share === undefined)
        throw new Problem('LINK_EXPIRED', 'The link has ended, or is not from this service. Ask for a new one.');
      switch (shareStateOf(share, now().getTime())) {
        case 'REVOKED':
          throw new Problem('LINK_REVOKED', 'The link was revoked. Ask for a new one.');
        case 'EXPIRED':
          throw new Problem('LINK_EXPIRED', 'The link has expired. Ask for a new one.');
        default:
          return share;
      }
    },

    /**
     * What a share opens. `reader`: the client of the share. Throws OUTPUT_GONE if the files were deleted or replaced.
     * Each file is checked again when it is opened.
     */
    open(reader: Caller, share: Share): Promise<SharedFiles> {
      const { jobId, maxFiles } = share;
      if (maxFiles !== undefined) notShared();
      return jobId === undefined ? sharedFile(store, reader, share) : sharedOutputs(outputs, reader, jobId, share);
    },
  };
}

/** Selects the shares of a job and of its outputs. The shares of a job stay when it is deleted. */
async function jobShares(outputs: ShareDeps['outputs'], caller: Caller, jobId: string): Promise<SharedBy> {
  try {
    const { clientId, first } = await outputs(caller, jobId);
    const paths = (await first('', SHARE_LIMITS.jobPaths)).map(({ name }) => name);
    return { jobId, files: { clientId, paths } };
  } catch (error) {
    if (isGone(error)) return { jobId };
    throw error;
  }
}

/** The files that a link opens. A job can have thousands, so only `all` reads all of their records. */
export interface SharedFiles {
  /** See `NamedFiles.title`. */
  readonly title: string;
  readonly count: number;
  /** The size of all files together. */
  readonly sizeBytes: number;
  /** The first files, at most `most`. */
  first(most: number): Promise<readonly NamedFile[]>;
  /** Finds a file by its name. Throws FILE_NOT_FOUND. */
  named(name: string): Promise<NamedFile>;
  all(): Promise<NamedFiles>;
}

/** The shared outputs of a job. */
async function sharedOutputs(
  outputs: ShareDeps['outputs'],
  reader: Caller,
  jobId: string,
  share: Pick<Share, 'folder' | 'sizeBytes'>,
): Promise<SharedFiles> {
  const found = await outputs(reader, jobId).catch((error: unknown) => {
    throw isGone(error) ? gone('The job of this link was deleted, or has no outputs any more.') : error;
  });
  const { title, count } = found;
  const { folder = '', sizeBytes = 0 } = share;
  return {
    ...{ title, count, sizeBytes },
    first: async (most) => (await found.first(folder, most)).map(withoutPath),
    named: async (name) => withoutPath((await found.named(folder, name)) ?? notShared()),
    all: async () => {
      const { files, ...all } = await found.all(folder);
      return { ...all, files: files.map(withoutPath) };
    },
  };
}

/** Replaces the problems of opening a file by those that strangers may read. */
const withoutPath = (file: NamedFile): NamedFile => ({ ...file, open: () => file.open().catch(throwWithoutPath) });

/** Problems about the path of a file. `INVALID_REQUEST`: the path leads out of the media root now, such as by a symlink. */
const LOST: ReadonlySet<string> = new Set(['OUTPUT_GONE', 'INVALID_REQUEST']);

/** Throws a problem without its texts: they can have the path, which strangers must not read. The log gets the cause. */
function throwWithoutPath(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  if (isMissingFile(error) || LOST.has(error.code)) throw gone(undefined, error);
  const { code, retryAfterSeconds } = error;
  throw new Problem(code, 'The shared file cannot be read now. Try again later.', {
    cause: error,
    ...defined({ retryAfterSeconds }),
  });
}

/** A shared file. */
async function sharedFile(
  store: FileStore,
  reader: Caller,
  { path = '' as MediaPath, fingerprint, ...share }: Pick<Share, 'path' | 'fingerprint' | 'sizeBytes'>,
): Promise<SharedFiles> {
  const open = () => openShared(store, reader, path, fingerprint);
  const { sizeBytes = 0 } = share;
  const file: NamedFile = { name: baseName(path), sizeBytes, open };
  const title = titleOf(path);
  return {
    ...{ title, count: 1, sizeBytes },
    first: async () => [file],
    named: async (name) => (name === file.name ? file : notShared()),
    all: async () => ({ title, files: [file] }),
  };
}

const commonOf = ({ folder, files }: NamedOutputs): Required<Pick<Share, 'folder' | 'sizeBytes'>> => ({
  folder,
  sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

function notShared(): never {
  throw new Problem('FILE_NOT_FOUND', 'The link shares no file of this name.');
}

/** What the caller shares, after a check that it can be read now. Throws INVALID_REQUEST. */
async function sharedOf(
  { store, outputs }: ShareDeps,
  caller: Caller,
  { path, jobId, files, maxBytes }: NewShare,
): Promise<Pick<Share, 'path' | 'fingerprint' | 'jobId' | 'folder' | 'sizeBytes' | 'maxFiles'>> {
  if ((path === undefined) === (jobId === undefined))
    throw invalidRequest([
      path === undefined
        ? {
            field: '/path',
            code: 'MISSING',
            message: 'The request names nothing to share: a file as "path", or a job as "jobId".',
          }
        : {
            field: '/jobId',
            code: 'CONFLICT',
            message: 'A link shares either a file or the outputs of a job, and the request names both.',
          },
    ]);
  const wrong = files === undefined ? maxBytes !== undefined && 'maxBytes' : jobId !== undefined && 'files';
  if (wrong)
    throw invalidRequest([
      { field: `/${wrong}`, code: 'CONFLICT', message: 'A link for uploads has "files" and the "path" of a folder.' },
    ]);
  if (files !== undefined) {
    const folder = parseFilePath(withoutFinalSlashes(path ?? ''), caller.root);
    return { path: `${folder}/` as MediaPath, maxFiles: files, ...defined({ sizeBytes: maxBytes }) };
  }
  if (jobId !== undefined) {
    const { clientId, all } = await outputs(caller, jobId);
    // Read the outputs once, so that a job with too many of them is rejected now and not when somebody opens the link.
    const found = await all();
    const [only, ...others] = found.files;
    // Paths of another client, whose job an administrator shares, mean other files for the administrator.
    const hasPath = only !== undefined && others.length === 0 && clientId === caller.clientId;
    return { jobId, ...commonOf(found), ...(hasPath && { path: `${found.folder}${only.name}` as MediaPath }) };
  }
  const parsed = parseFilePath(path ?? '', caller.root);
  const file = await store.open(caller.root, parsed);
  const { fingerprint, sizeBytes } = file;
  await file.close();
  return { path: parsed, fingerprint, sizeBytes };
}

/** Opens a shared file. Throws OUTPUT_GONE if another file is at its path, or none. */
async function openShared(
  store: FileStore,
  { root }: Caller,
  path: MediaPath,
  fingerprint: string | undefined,
): Promise<OpenFile> {
  const file = await store.open(root, path).catch(throwWithoutPath);
  if (file.fingerprint === fingerprint) return file;
  await file.close();
  throw gone();
}

const GONE: ReadonlySet<string> = new Set(['JOB_NOT_FOUND', 'JOB_NOT_FINISHED', 'FILE_NOT_FOUND']);

const isGone = (error: unknown): boolean => error instanceof Problem && GONE.has(error.code);

const gone = (why = 'The shared file was deleted or replaced.', cause?: unknown): Problem =>
  new Problem('OUTPUT_GONE', `${why} Ask for a new link.`, { cause });

function tooMany({ clientId, policy: { shares } }: Caller): Problem {
  const what =
    shares === 0
      ? 'You may not share files.'
      : `You have ${shares} shared links, the most that are allowed. Revoke one first, or wait until one has expired.`;
  return new Problem('TOO_MANY_SHARES', `${what} ${operatorHint(clientId, 'shares')}`);
}
