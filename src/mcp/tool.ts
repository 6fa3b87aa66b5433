import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Scope } from '../domain/client.ts';
import type { McpDeps, McpRequest } from './deps.ts';

/** What a tool gets besides its arguments. */
export interface ToolContext {
  readonly deps: McpDeps;
  readonly call: McpRequest;
  /** Aborted when the client gives up the call. The job continues. */
  readonly signal: AbortSignal;
  /** Reports progress to the client; missing if the client does not want it. */
  readonly progress?: (percent: number, message: string) => Promise<void>;
}

export interface ToolOutput {
  /** Matches the `output` schema of the tool. */
  readonly structured: object;
  /** Links to output files. */
  readonly links?: readonly ContentBlock[];
  /** Id of the created job, which a client with tasks support gets instead of the output. */
  readonly task?: string;
}

/** One tool. `run` throws `Problem` for errors that the caller can fix. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what it returns, what to do next. */
  readonly description: string;
  readonly scopes: readonly Scope[];
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  readonly output: z.ZodType;
  run(args: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Defines a tool. Ties the type of the arguments of `run` to the schema. */
export const defineTool = <Input extends z.ZodType>(definition: Tool<Input>): Tool => definition as unknown as Tool;
