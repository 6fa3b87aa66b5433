import type { PathError } from './media-path.ts';

declare const engineValue: unique symbol;

/** What a client may do in a bucket, or in the part of it whose keys begin with `prefix` ('' or ending with a slash). */
export interface BucketGrant {
  readonly bucket: string;
  readonly prefix: string;
  readonly access: 'none' | 'read' | 'readWrite';
}

/** The URLs that a request may name as inputs. */
export interface UrlInputs {
  /** What is wrong with an http(s) URL. undefined: it is fetched when the job runs, unless its host turns out not to be allowed. */
  check(url: string): PathError | undefined;
}

/** What the paths in the requests of a client mean. */
export interface PathScope {
  /** An absolute path that begins with this prefix means the path below it. So clients can send host paths. `/` sets no prefix. */
  readonly pathPrefix: string;
  /** The buckets that the operator has named, with what the client may do in each. */
  readonly grants: readonly BucketGrant[];
  /** Absent if inputs cannot be URLs. */
  readonly urls?: UrlInputs | undefined;
}

/** The media root of a client. Opaque: only the media engine that created it can use its content. */
export interface MediaRoot extends PathScope {
  readonly [engineValue]: true;
}

/** The path of an open file or folder of this process on Linux. It stays valid after a rename. */
export const descriptorPath = (fd: number): string => `/proc/self/fd/${fd}`;
