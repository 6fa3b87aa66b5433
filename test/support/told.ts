import { fixText, type Hint } from '../../packages/contract/src/domain/hint.ts';

/** Findings as clients read them: with fixes that are data as sentences. */
export const told = <T extends { readonly fix?: Hint | undefined }>(found: readonly T[]): readonly T[] =>
  found.map((one) => (one.fix === undefined ? one : { ...one, fix: fixText(one.fix) ?? one.fix }));
