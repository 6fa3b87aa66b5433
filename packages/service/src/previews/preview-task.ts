import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';

/** A file that a preview shows. */
export interface PreviewSource {
  readonly path: MediaPath;
  /** For a manifest: the files whose concatenation is shown. */
  readonly parts?: readonly MediaPath[];
  /** Added to each time, in seconds. */
  readonly offset?: number;
}

export interface PreviewTask {
  /** The client whose turn is used. */
  readonly callerId: string;
  /** Whether the caller uses a signed link of the client. */
  readonly isByLink: boolean;
  /** The client whose media root has the files, with its limits. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  readonly spec: PreviewSpec;
  /** One, or two to compare: the original first. */
  readonly sources: readonly PreviewSource[];
}

/** Makes a preview. Throws `Problem`, and the reason of an abort. */
export type PreviewMaker = (task: PreviewTask, signal: AbortSignal) => Promise<PreviewImage>;

/** Reads a manifest and its files when the caller has a turn. Throws RATE_LIMITED and UNAVAILABLE. */
export type ReadInTurn = <T>(
  callerId: string,
  isByLink: boolean,
  signal: AbortSignal,
  read: () => Promise<T>,
) => Promise<T>;
