import type { McpDeps, McpRequest } from '../deps.ts';

/** Returns the possible values of an argument that begin with `value`. */
export type Complete = (
  value: string,
  deps: McpDeps,
  call: McpRequest,
) => Promise<readonly string[]> | readonly string[];

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly complete: Complete;
}

/** A prompt: a task for a model, which a user starts with a few arguments. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Returns the text for the model. Missing arguments are ''. */
  text(args: Readonly<Record<string, string>>): string;
}

/** Completes an argument to one of `words`. */
export const completeChoice =
  (...words: readonly string[]): Complete =>
  (value) =>
    words.filter((word) => word.startsWith(value.toLowerCase()));
