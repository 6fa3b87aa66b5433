import { type MediaPath, parseMediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { invalidRequest } from '../domain/problem.ts';

/** A client's path to one file. Throws INVALID_REQUEST that names `field`. */
export function filePath(text: string, root: MediaRoot, field = '/path'): MediaPath {
  const path = parseMediaPath(text, root.pathPrefix);
  if (typeof path === 'string') return path;
  throw invalidRequest([{ field, ...path }]);
}

/**
 * Reads a prefix as the folder to look in and how names begin there. Only the folder is a path: `..` and a leading
 * slash mean in it what they mean in any.
 */
export function readPrefix(prefix: string, root: MediaRoot): { readonly folder: string; readonly nameStart: string } {
  const cut = prefix.lastIndexOf('/') + 1;
  const nameStart = prefix.slice(cut);
  if (cut === 0) return { folder: '', nameStart };
  // A name makes of the folder a path that is read by the rules of all others.
  const inside = filePath(`${prefix.slice(0, cut)}${NAME}`, root, '/prefix');
  return { folder: inside.slice(0, -NAME.length), nameStart };
}

const NAME = 'x';
