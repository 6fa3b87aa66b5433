import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

export type MediaFailure = Failure & { readonly fix: Hint };

const failureWith =
  (code: Failure['code']) =>
  (message: string, fix: Hint): MediaFailure => ({ code, message, fix });

export const ffmpegFailure = failureWith('FFMPEG_FAILED');
export const invalidInput = failureWith('INPUT_INVALID');
export const unsupportedRequest = failureWith('UNSUPPORTED');
