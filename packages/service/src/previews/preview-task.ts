import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { PartChoice } from '@telecine/contract/domain/converted-part.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';

/** A file that a preview shows. */
export interface PreviewSource {
  readonly path: MediaPath;
  /** For a manifest: the files to join, in order. */
  readonly parts?: readonly MediaPath[];
  /** What chose the part of the file that was converted. Requested times count from its start. */
  readonly part?: Pick<PartChoice, 'input' | 'output'>;
}

export interface PreviewTask {
  /** The client that waits for a turn. */
  readonly callerId: string;
  /** true: the call uses a signed link of the client. */
  readonly isByLink: boolean;
  /** The client that owns the files, whose media root and limits apply. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  readonly spec: PreviewSpec;
  /** One source, or two sources to compare, the original first. */
  readonly sources: readonly PreviewSource[];
}

/** Makes a preview. Throws `Problem`, and the reason of an abort. */
export type PreviewMaker = (task: PreviewTask, signal: AbortSignal) => Promise<PreviewImage>;

/** Waits for the turn of the caller, and then reads a manifest and its files. Throws RATE_LIMITED and UNAVAILABLE. */
export type ReadInTurn = <T>(
  callerId: string,
  isByLink: boolean,
  signal: AbortSignal,
  read: () => Promise<T>,
) => Promise<T>;
