import type { MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';

/** The kind of file at a path in a media root. */
export type PathStat =
  | { readonly kind: 'missing' }
  /** All names of one file have the same `fileId`. With it, the fingerprint changes with the content. Use both only for comparison. */
  | { readonly kind: 'file'; readonly fileId: string; readonly fingerprint: string }
  | { readonly kind: 'directory' }
  /** A symlink in the path leaves the media root, or the path is reserved. */
  | { readonly kind: 'outside' }
  /** The URL of a file, about which nothing is known before it is fetched. */
  | { readonly kind: 'url' }
  /** A device, pipe or socket, or a loop of symlinks. */
  | { readonly kind: 'special' };

export interface PathStats {
  /**
   * Stats paths and returns the results in the order of `paths`. Must be fast, as every submission calls it. Never
   * throws.
   */
  statPaths(root: MediaRoot, paths: readonly MediaPath[]): readonly PathStat[] | Promise<readonly PathStat[]>;
}
