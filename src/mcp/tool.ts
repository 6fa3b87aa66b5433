import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Scope } from '../domain/client.ts';
import type { McpDeps, McpRequest } from './deps.ts';

/** What a tool is given beside its arguments. */
export interface ToolContext {
  readonly deps: McpDeps;
  readonly call: McpRequest;
  /** Aborted when the client gave the call up. A job goes on all the same. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is; absent where it did not ask to be told. */
  readonly progress?: (percent: number, message: string) => Promise<void>;
}

export interface ToolOutput {
  /** Of the form of the tool's `output`. */
  readonly structured: object;
  /** Beside the JSON: links to what was made. */
  readonly links?: readonly ContentBlock[];
  /** The job that now runs: what a client that knows tasks is given in place of the answer. */
  readonly task?: string;
}

/** One tool. `run` throws `Problem` for what the caller can mend. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what it gives, what to do next. */
  readonly description: string;
  readonly scopes: readonly Scope[];
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  readonly output: z.ZodType;
  run(args: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Keeps the type of the arguments between the schema and `run`, and forgets it outside. */
export const defineTool = <Input extends z.ZodType>(definition: Tool<Input>): Tool => definition as unknown as Tool;
