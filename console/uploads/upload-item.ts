import type { Problem } from '@telecine/client';

/**
 * Where an upload is. `missing`: the page was reloaded, and the browser could not keep the content of the file. The upload continues when
 * the same file is chosen again.
 */
export type UploadState = 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'missing';

/** One file that is uploaded. */
export interface UploadItem {
  readonly id: string;
  /** Where it is stored, relative to the client's media root. */
  readonly path: string;
  readonly state: UploadState;
  readonly sizeBytes: number;
  readonly sentBytes: number;
  /** Why it failed, in the words of the service where it has answered; or why it is tried again. */
  readonly message?: string;
  /** The code of the problem: PRECONDITION_FAILED if a file exists at this path. NOT_LOADED: the page has to be reloaded. */
  readonly code?: string;
}

/** What Uppy sends with a file and keeps over a reload. */
export interface UploadMeta extends Record<string, unknown> {
  readonly path: string;
  /** Whether an existing file at the path is replaced. */
  readonly replaces?: boolean;
  readonly problem?: Pick<Problem, 'code' | 'detail'>;
  /** Why the last request failed, while the next one waits. */
  readonly retryReason?: string | undefined;
}

/** The members of a file of Uppy that an item needs. */
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

/** A file of Uppy as the pages show it. */
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
    ...(state === 'failed' && meta.problem !== undefined && { code: meta.problem.code }),
  };
}

/** A file that was chosen before Uppy is there to upload it. */
export const startingItem = (path: string, sizeBytes: number): UploadItem => ({
  id: `starting ${path}`,
  path,
  state: 'waiting',
  sizeBytes,
  sentBytes: 0,
});

/** The files of Uppy, and those that are about to be added to it. */
export const withStarting = (items: readonly UploadItem[], starting: readonly UploadItem[]): readonly UploadItem[] => [
  ...items.filter(({ path, state }) => state !== 'done' || !starting.some((one) => one.path === path)),
  ...starting.filter(({ path }) => !items.some((one) => one.path === path && one.state !== 'done')),
];

function stateOf({ error, progress, isGhost, isPaused }: UppyFileState): UploadState {
  if (progress.uploadComplete) return 'done';
  if (isGhost) return 'missing';
  if (error !== undefined && error !== null) return 'failed';
  if (isPaused) return 'paused';
  return progress.uploadStarted === null ? 'waiting' : 'running';
}

/** The same path with the next number before its extension: `in.mp4`, `in-2.mp4`, `in-3.mp4`. `in-480.mp4` has a size, not a number. */
export function nextPath(path: string): string {
  const [, stem = path, number, extension = ''] = /^(.*?)(?:-(\d{1,2}))?(\.[^./]*)?$/s.exec(path) ?? [];
  return `${stem}-${Number(number ?? 1) + 1}${extension}`;
}

/** Why an upload has to be tried again, for people. `reply`: the text of the answer, or undefined if there was none. */
export function retryReason(reply: string | undefined): string {
  if (reply === undefined) return 'The service cannot be reached.';
  const problem = problemIn(reply);
  if (problem?.code === 'NO_SPACE') return 'The disk of the service is nearly full.';
  return problem?.detail ?? 'The service cannot take the upload now.';
}

/** The problem in a reply of the service, or undefined if it is no problem document. */
export function problemIn(text: string): UploadMeta['problem'] {
  try {
    const { code, detail } = JSON.parse(text) as Partial<Problem>;
    return code === undefined || detail === undefined ? undefined : { code, detail };
  } catch {
    return undefined;
  }
}
