import type { McpDeps, McpRequest } from '../deps.ts';

/** Completes an argument that begins with `value`. */
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

/** A task for a model that people can start with a few arguments. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The text for the model. Missing arguments are ''. */
  text(args: Readonly<Record<string, string>>): string;
}

/** Completes one of the listed words. */
export const completeChoice =
  (...words: readonly string[]): Complete =>
  (value) =>
    words.filter((word) => word.startsWith(value.toLowerCase()));
