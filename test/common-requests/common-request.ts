import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { InputFacts } from '../../packages/service/src/recipes/facts.ts';

/** The result of a common request that was run. */
export interface RequestResult {
  /** The host path of the named output. */
  readonly file: string;
  readonly job: JobView;
  /** The host path of a file of the media root. */
  at(path: string): string;
}

/** Fails an expectation if the result is not what the request asks for. */
export type Check = (result: RequestResult) => Promise<void> | void;

/** One thing that people do with ffmpeg, as a request. */
export interface CommonRequest {
  readonly title: string;
  /** Where it is recommended: the kind of source, and its subject. */
  readonly source: string;
  readonly request: ConversionRequest;
  /** What a probe of the first input tells, if the recipe of the request needs it. */
  readonly facts?: InputFacts;
  readonly checks: readonly [Check, ...Check[]];
  /** The codes of the warnings that its job shows, each reviewed. Default: none. */
  readonly warnings?: readonly string[];
  /** The codes of warnings that its dry run may have, because a release of ffmpeg does worse than others. */
  readonly foreseen?: readonly string[];
  /** The first release of ffmpeg that cannot do it any more. */
  readonly removedIn?: number;
}
