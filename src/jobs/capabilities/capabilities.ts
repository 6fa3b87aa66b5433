import { codecs } from './codecs.ts';
import { filters } from './filters.ts';
import { formats } from './formats.ts';
import type { FindFfmpeg } from './installed-ffmpeg.ts';
import type { CapabilityOperations } from './operations.ts';
import { options } from './options.ts';

/** Composes the searches of this folder for HTTP and MCP. */
export const capabilityOperations = (findFfmpeg: FindFfmpeg): CapabilityOperations => ({
  ...formats(findFfmpeg),
  ...codecs(findFfmpeg),
  ...filters(findFfmpeg),
  ...options(findFfmpeg),
});
