import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import type { FailureCode } from '../../../packages/contract/src/domain/failure.ts';

/** A request that is accepted and whose job fails in ffmpeg. */
export interface BrokenRequest {
  readonly request: ConversionRequest;
  readonly code: FailureCode;
  /** The cause, as the message names it. */
  readonly cause: string;
  /** The members of the request that follow the fix: its job completes. */
  readonly right: Partial<ConversionRequest>;
  /** The first release of ffmpeg that no longer has what the request names. */
  readonly removedIn?: number;
}
