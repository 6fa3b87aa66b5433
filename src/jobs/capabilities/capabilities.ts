import { codecs } from './codecs.ts';
import { filters } from './filters.ts';
import { formats } from './formats.ts';
import type { AskTool } from './known-tool.ts';
import type { CapabilityOperations } from './operations.ts';
import { options } from './options.ts';

/** The questions of this folder behind the one interface that the doors use. */
export const capabilityOperations = (ask: AskTool): CapabilityOperations => ({
  ...formats(ask),
  ...codecs(ask),
  ...filters(ask),
  ...options(ask),
});
