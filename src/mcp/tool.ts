import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { AuditAction } from '../domain/audit.ts';
import type { Warning } from '../domain/plan.ts';
import type { McpDeps, McpRequest } from './deps.ts';
import type { HasTool, ToolName } from './tool-names.ts';

/** The context in which a tool runs. */
export interface ToolContext {
  readonly deps: McpDeps;
  readonly call: McpRequest;
  /** Aborted if the client cancels the call. The job continues. */
  readonly signal: AbortSignal;
  /** Reports progress to the client. Absent if the client did not request it. */
  readonly progress?: (percent: number, message: string) => Promise<void>;
}

export interface ToolOutput {
  /** Matches the `output` schema of the tool. */
  readonly structured: object;
  /** Pictures, with a text before each. */
  readonly pictures?: readonly ContentBlock[];
  /** The id of the created job. A client with tasks support gets the task of this job instead of the output. */
  readonly task?: string;
  /** The warnings that the output tells of new jobs. */
  readonly told?: { readonly jobIds: readonly string[]; readonly warnings: readonly Warning[] };
}

/** One tool. `run` throws `Problem` for errors that the caller can fix. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: ToolName;
  readonly title: string;
  /** Tells a model when to use the tool, what it returns, and what to do next. A function names only tools of its reader. */
  readonly description: string | ((has: HasTool) => string);
  /** The action that the audit log has of a caller who may not use the tool. Absent if the tool changes nothing. */
  readonly audit?: AuditAction;
  readonly annotations: ToolAnnotations;
  /** The tool neither waits nor reports progress, nor creates a job. Usual calls do without the SDK. */
  readonly answersAtOnce?: true;
  readonly input: Input;
  /** Shorter descriptions of arguments, by name, than those that the schema has for REST. */
  readonly argumentTexts?: Readonly<Record<string, string>>;
  /** What clients need to know of the result. Results may have more properties. */
  readonly output: z.ZodType;
  /** Corrects arguments whose meaning is certain, before they are validated. */
  prepare?(args: unknown): unknown;
  /**
   * Plans the arguments without effects. Throws INVALID_REQUEST with errors that the schema cannot find. Undefined: these arguments
   * are only checked when the tool runs. With `onlyPlans`, there are no warnings of what the files show.
   */
  check?(
    args: z.infer<Input>,
    context: ToolContext,
    options?: { readonly onlyPlans?: boolean },
  ): Promise<{ readonly warnings: readonly Warning[] } | undefined>;
  run(args: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Defines a tool. The schema `input` determines the type of the arguments of `run`. */
export const defineTool = <Input extends z.ZodType>(definition: Tool<Input>): Tool => definition as unknown as Tool;
