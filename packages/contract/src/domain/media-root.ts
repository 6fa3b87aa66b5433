import type { PathError } from './media-path.ts';

declare const engineValue: unique symbol;

/** What a client may do in a bucket, or only with keys that begin with `prefix` ('' or ending with a slash). */
export interface BucketGrant {
  readonly bucket: string;
  readonly prefix: string;
  readonly access: 'none' | 'read' | 'readWrite';
}

/** The URLs that a request may name as inputs. */
export interface UrlInputs {
  /** Returns the error in an http(s) URL. undefined: the URL is fetched when the job runs. Its host may still be rejected then. */
  check(url: string): PathError | undefined;
}

/** How the service reads the paths in the requests of a client. */
export interface PathScope {
  /**
   * If an absolute path begins with this prefix, the rest is the path in the media root, so clients can send host paths. `/`: no prefix.
   */
  readonly pathPrefix: string;
  /** The buckets that the operator has configured, with what the client may do in each. */
  readonly grants: readonly BucketGrant[];
  /** Absent if inputs cannot be URLs. */
  readonly urls?: UrlInputs | undefined;
}

/** The media root of a client. Opaque: only the media engine that created it can read the files. */
export interface MediaRoot extends PathScope {
  readonly [engineValue]: true;
}

/** The path of an open file or folder of this process on Linux. The path stays valid after a rename. */
export const descriptorPath = (fd: number): string => `/proc/self/fd/${fd}`;
