import type { BucketGrant, MediaRoot, UrlInputs } from '../../domain/media-root.ts';

/** A media root of the local engine: a folder of this machine. */
class LocalRoot {
  /** Absolute. */
  readonly path: string;
  readonly pathPrefix: string;
  readonly grants: readonly BucketGrant[];
  readonly urls: UrlInputs | undefined;

  constructor(path: string, grants: readonly BucketGrant[], urls: UrlInputs | undefined) {
    this.path = path;
    this.pathPrefix = path;
    this.grants = grants;
    this.urls = urls;
  }
}

/**
 * Creates the media root of the folder `path`, an absolute path from the configuration or a client's record. `grants`: the
 * other buckets that the client may use. `urls`: the URLs that it may name as inputs.
 */
export const localRoot = (path: string, grants: readonly BucketGrant[] = [], urls?: UrlInputs): MediaRoot =>
  new LocalRoot(path, grants, urls) as unknown as MediaRoot;

/** Returns the folder of a media root. Throws if another engine created the root. */
export function rootPath(root: MediaRoot): string {
  if (root instanceof LocalRoot) return root.path;
  throw new Error('Not a media root of the local engine.');
}
