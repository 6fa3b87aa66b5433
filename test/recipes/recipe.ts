import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { JobView } from '../../src/wire/job.ts';

/** What became of a request. */
export interface RecipeResult {
  /** The named output: its path on the host. */
  readonly file: string;
  readonly job: JobView;
  /** The host path of any file of the media root, inputs and siblings of the output among them. */
  at(path: string): string;
}

/** Throws, by an expectation, where the result is not what was asked for. */
export type Check = (made: RecipeResult) => Promise<void> | void;

/** Something that people do with ffmpeg, as a request. */
export interface Recipe {
  readonly title: string;
  /** Where people are told to do it: the kind of source, and its subject. */
  readonly source: string;
  readonly request: ConversionRequest;
  /** All of them hold. */
  readonly checks: readonly [Check, ...Check[]];
  /** The codes of the warnings that its job shows, each reviewed. Default: none. */
  readonly warnings?: readonly string[];
  /** The first release of ffmpeg that no longer does it. */
  readonly goneSince?: number;
}
