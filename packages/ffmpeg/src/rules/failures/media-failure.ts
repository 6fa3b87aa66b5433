import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

export type MediaFailure = Failure & { readonly fix: Hint };

export const failed = (code: Failure['code'], message: string, fix: Hint): MediaFailure => ({ code, message, fix });
