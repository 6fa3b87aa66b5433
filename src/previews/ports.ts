import type { ClientLimits } from '../domain/client-limits.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '../domain/preview.ts';

/** A file that a preview shows. */
export interface PreviewSource {
  readonly path: MediaPath;
  /** Of a manifest: the files whose bytes, one after the other, are what is shown. */
  readonly parts?: readonly MediaPath[];
  /** What is added to each time, in seconds. */
  readonly offset?: number;
}

/** A preview to make. */
export interface PreviewTask {
  /** The client that asks, whose turn it is. */
  readonly callerId: string;
  /** Whether someone with a signed link of that client asks, and not the client. */
  readonly isByLink: boolean;
  /** The client in whose media root the files are, with its media root and limits. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  readonly spec: PreviewSpec;
  /** One, or two to compare: the original first. */
  readonly sources: readonly PreviewSource[];
}

/** Makes a preview. Throws `Problem`, and the reason of an abort. */
export type PreviewMaker = (task: PreviewTask, signal: AbortSignal) => Promise<PreviewImage>;

/** Keeps previews for a while. Never throws. */
export interface PreviewCache {
  /** `key`: 64 hexadecimal digits. */
  get(key: string): Promise<PreviewImage | undefined>;
  put(key: string, image: PreviewImage): Promise<void>;
}

/** Reads a manifest and what it names when it is the turn of the caller. Throws RATE_LIMITED and UNAVAILABLE. */
export type ReadInTurn = <T>(
  callerId: string,
  isByLink: boolean,
  signal: AbortSignal,
  read: () => Promise<T>,
) => Promise<T>;
