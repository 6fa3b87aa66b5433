import type { Problem } from '@telecine/client';

/**
 * The state of an upload. `missing`: the page was reloaded, and the browser could not store the content of the file. The upload continues
 * when the user chooses the same file again.
 */
export type UploadState = 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'missing';

export interface UploadItem {
  readonly id: string;
  /** The path of the stored file in the client's media root. */
  readonly path: string;
  readonly state: UploadState;
  readonly sizeBytes: number;
  readonly sentBytes: number;
  /** The reason why the upload failed or is retried. If the service has replied, this is its text. */
  readonly message?: string;
  /**
   * The code of the problem. PRECONDITION_FAILED: a file exists at this path. The state is `running` while the contents of both files are
   * compared, and `failed` if they differ. NOT_LOADED: the page must be reloaded.
   */
  readonly code?: string;
  /**
   * Set for a finished upload that was allowed to replace a file. `entryId`: the entry of that file in the bin. Absent: it was not kept, or
   * there was no file any more.
   */
  readonly replaced?: { readonly entryId?: string };
}

/** The metadata of a file, which Uppy keeps when the page is reloaded. */
export interface UploadMeta extends Record<string, unknown> {
  readonly path: string;
  /** Whether an existing file at the path is replaced. */
  readonly replaces?: boolean;
  /** The entry of the replaced file in the bin. */
  readonly replacedEntry?: string;
  readonly problem?: Pick<Problem, 'code' | 'detail'>;
  /** Whether the content is being compared with that of the file at the path. Until then, nobody knows whether there is a problem. */
  readonly isCompared?: boolean;
  /** The reason why the last request failed. Set while the next request waits. */
  readonly retryReason?: string | undefined;
}

/** The members of Uppy's file object that `uploadItem` needs. */
export interface UppyFileState {
  readonly id: string;
  readonly meta: UploadMeta;
  readonly size: number | null;
  readonly isGhost: boolean;
  readonly isPaused?: boolean;
  readonly error?: string | null;
  readonly progress: {
    readonly uploadStarted: number | null;
    readonly uploadComplete?: boolean;
    readonly bytesUploaded: number | false;
  };
}

/** Converts a file of Uppy to the item that pages show. */
export function uploadItem(file: UppyFileState): UploadItem {
  const { id, meta, size, error, progress } = file;
  const state = stateOf(file);
  return {
    id,
    path: meta.path,
    state,
    sizeBytes: size ?? 0,
    sentBytes: progress.uploadComplete ? (size ?? 0) : progress.bytesUploaded || 0,
    ...(state === 'running' && meta.retryReason !== undefined && { message: meta.retryReason }),
    ...(state === 'failed' && { message: meta.problem?.detail ?? error ?? '' }),
    ...((state === 'failed' || meta.isCompared) && meta.problem !== undefined && { code: meta.problem.code }),
    ...(state === 'done' && meta.replaces === true && { replaced: replacedOf(meta) }),
  };
}

const replacedOf = ({ replacedEntry }: UploadMeta): { readonly entryId?: string } =>
  replacedEntry === undefined ? {} : { entryId: replacedEntry };

/** An item for a file that was chosen before Uppy was loaded. */
export const startingItem = (path: string, sizeBytes: number): UploadItem => ({
  id: `starting ${path}`,
  path,
  state: 'waiting',
  sizeBytes,
  sentBytes: 0,
});

/** Combines the files of Uppy and the files that will be added to it. */
export const withStarting = (items: readonly UploadItem[], starting: readonly UploadItem[]): readonly UploadItem[] => [
  ...items.filter(({ path, state }) => state !== 'done' || !starting.some((one) => one.path === path)),
  ...starting.filter(({ path }) => !items.some((one) => one.path === path && one.state !== 'done')),
];

function stateOf({ meta, error, progress, isGhost, isPaused }: UppyFileState): UploadState {
  if (progress.uploadComplete) return 'done';
  if (meta.isCompared === true) return 'running';
  if (isGhost) return 'missing';
  if (error !== undefined && error !== null) return 'failed';
  if (isPaused) return 'paused';
  return progress.uploadStarted === null ? 'waiting' : 'running';
}

/**
 * Adds or increases a number before the extension: `in.mp4`, `in-2.mp4`, `in-3.mp4`. A longer number such as in `in-480.mp4` is a size and
 * is kept.
 */
export function nextPath(path: string): string {
  const [, stem = path, number, extension = ''] = /^(.*?)(?:-(\d{1,2}))?(\.[^./]*)?$/s.exec(path) ?? [];
  return `${stem}-${Number(number ?? 1) + 1}${extension}`;
}

/** A text for users: why an upload is retried. `reply`: the text of the reply. undefined: there was no reply. */
export function retryReason(reply: string | undefined): string {
  if (reply === undefined) return 'The service cannot be reached.';
  const problem = problemIn(reply);
  if (problem?.code === 'NO_SPACE') return 'The disk of the service is nearly full.';
  return problem?.detail ?? 'The service cannot take the upload now.';
}

/** Reads the problem from a reply. undefined: the reply is not a problem document. */
export function problemIn(text: string): UploadMeta['problem'] {
  try {
    const { code, detail } = JSON.parse(text) as Partial<Problem>;
    return code === undefined || detail === undefined ? undefined : { code, detail };
  } catch {
    return undefined;
  }
}
