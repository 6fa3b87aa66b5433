import type { Failure } from '../../../domain/failure.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { MediaFacts } from '../media-facts.ts';

/** A failure whose fix is plain text. */
export type MediaFailure = Failure & { readonly fix: Hint };

export const failed = (code: Failure['code'], message: string, fix: Hint): MediaFailure => ({ code, message, fix });

/** An input with parameters, as a client sends it. */
export const inputFix = ({ plan }: MediaFacts, input: number, parameters: Readonly<Record<string, string>>): string =>
  `"inputs": [${plan.inputs
    .map(({ path }, index) => (index === input ? JSON.stringify({ input: path, parameters }) : JSON.stringify(path)))
    .join(', ')}]`;
