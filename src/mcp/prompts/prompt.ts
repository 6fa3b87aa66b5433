import type { McpDeps, McpRequest } from '../deps.ts';
import type { HasTool } from '../tool-names.ts';

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
  /** Reads what people write, such as `10 MB`. Returns undefined for a text that the prompt cannot use. */
  readonly read?: (value: string) => number | string | undefined;
  /** What `read` accepts. Default: a number. */
  readonly wanted?: string;
}

/** A prompt: a task for a model, which a user starts with a few arguments. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Returns the text for the model, which names only tools of the caller. Missing arguments are ''. */
  text(args: Readonly<Record<string, string>>, has: HasTool): string;
}

/** Numbers the steps of a prompt. */
export const numbered = (...steps: readonly string[]): string =>
  steps
    .filter((step) => step !== '')
    .map((step, i) => `${i + 1}. ${step}`)
    .join('\n');

/** Completes an argument to one of `words`. */
export const completeChoice =
  (...words: readonly string[]): Complete =>
  (value) =>
    words.filter((word) => word.startsWith(value.toLowerCase()));

/** Reads the path of an output with one of these extensions, or without any. */
export const pathEnding =
  (...ends: readonly string[]) =>
  (path: string): string | undefined => {
    const end = /\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase();
    return end === undefined || ends.includes(end) ? path : undefined;
  };

/** The step that converts by a recipe. */
export const convertBy = (name: string, own?: Readonly<Record<string, number>>): string =>
  `Call convert_media with "preset": ${JSON.stringify({ name, ...(own && { arguments: own }) })}.`;

/** The last step: what to tell the user. A caller who may not read jobs knows only the id. */
export const tellResult = (facts: string, has: HasTool): string =>
  has('wait_for_job')
    ? `Call wait_for_job until it is COMPLETED, and tell me ${facts} and the link.`
    : 'Tell me the jobId. You may not read jobs, so you cannot wait for the end.';
