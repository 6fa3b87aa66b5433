import type { Failure } from '../../../domain/failure.ts';
import type { Hint } from '../../../domain/hint.ts';

export type MediaFailure = Failure & { readonly fix: Hint };

export const failed = (code: Failure['code'], message: string, fix: Hint): MediaFailure => ({ code, message, fix });
