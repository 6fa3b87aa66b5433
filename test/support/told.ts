import { fixText, type Hint } from '../../packages/contract/src/domain/hint.ts';
import { type Nearest, suggest } from '../../packages/contract/src/domain/suggest.ts';

/** Findings as clients read them: with suggestions, and with fixes that are data as sentences. */
export const told = <T extends { readonly fix?: Hint; readonly nearest?: Nearest | undefined }>(
  found: readonly T[],
): readonly T[] =>
  found.map((one) => {
    const error = suggest(one);
    return error.fix === undefined ? error : { ...error, fix: fixText(error.fix) ?? error.fix };
  });
