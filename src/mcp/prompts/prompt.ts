import type { McpDeps, McpRequest } from '../deps.ts';

/** Offers what begins as `value` does, for who types an argument. */
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

/** A task that people give to their model in a few words. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is told. Arguments that were left out are ''. */
  text(args: Readonly<Record<string, string>>): string;
}

export const completeChoice =
  (...words: readonly string[]): Complete =>
  (value) =>
    words.filter((word) => word.startsWith(value.toLowerCase()));
