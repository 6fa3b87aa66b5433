import type { MediaRoot } from '../../src/domain/media-root.ts';

/** A media root of no engine, for tests that touch no file. */
export const mediaRoot = (pathPrefix: string): MediaRoot => ({ pathPrefix }) as MediaRoot;
