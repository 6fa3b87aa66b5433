import type { Failure } from '../../../domain/failure.ts';
import type { Hint } from '../../../domain/hint.ts';

/** A failure with a fix. */
export type MediaFailure = Failure & { readonly fix: Hint };

export const failed = (code: Failure['code'], message: string, fix: Hint): MediaFailure => ({ code, message, fix });
