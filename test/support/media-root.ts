import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';

/** A media root without an engine, for tests that use no files. */
export const mediaRoot = (pathPrefix: string, grants: MediaRoot['grants'] = []): MediaRoot =>
  ({ pathPrefix, grants }) as unknown as MediaRoot;
