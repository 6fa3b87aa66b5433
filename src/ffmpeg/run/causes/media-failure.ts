import type { Failure } from '../../../domain/failure.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { MediaFacts } from '../media-facts.ts';

/** A failure with a fix. */
export type MediaFailure = Failure & { readonly fix: Hint };

export const failed = (code: Failure['code'], message: string, fix: Hint): MediaFailure => ({ code, message, fix });

/** The inputs of the request as a client sends them, one of them with parameters. */
export const inputsWith = (
  { plan }: Pick<MediaFacts, 'plan'>,
  input: number,
  parameters: Readonly<Record<string, string>>,
): readonly unknown[] => plan.inputs.map(({ path }, index) => (index === input ? { input: path, parameters } : path));
