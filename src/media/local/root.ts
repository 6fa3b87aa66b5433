import type { MediaRoot } from '../../domain/media-root.ts';

/** A media root of the local engine: a folder of this machine. */
class LocalRoot {
  /** Absolute. */
  readonly path: string;
  readonly pathPrefix: string;

  constructor(path: string) {
    this.path = path;
    this.pathPrefix = path;
  }
}

/** The media root in the folder `path`, an absolute path: the text in the configuration and in a client's record. */
export const localRoot = (path: string): MediaRoot => new LocalRoot(path) as unknown as MediaRoot;

/** The folder of a media root. Throws where another engine made the root. */
export function rootPath(root: MediaRoot): string {
  if (root instanceof LocalRoot) return root.path;
  throw new Error('Not a media root of the local engine.');
}
