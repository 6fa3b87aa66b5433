import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { AuditAction } from '@telecine/contract/domain/audit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { z } from 'zod';
import type { McpDeps } from './deps.ts';
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
  /** Images. If there are several, a text precedes each. */
  readonly pictures?: readonly ContentBlock[];
  /** The id of the created job. A client with tasks support gets the task of this job instead of the output. */
  readonly task?: string;
  /** The warnings about new jobs in the output. */
  readonly shown?: { readonly jobIds: readonly string[]; readonly warnings: readonly Warning[] };
}

/** A tool. `run` throws `Problem` for errors that the caller can fix. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: ToolName;
  readonly title: string;
  /** Says when to use the tool, what it returns, and what to do next. A function names only tools of its reader. */
  readonly description: string | ((has: HasTool) => string);
  /** The action in the audit log if the caller may not use the tool. Absent if the tool changes nothing. */
  readonly audit?: AuditAction;
  readonly annotations: ToolAnnotations;
  /** The tool does not wait, report progress or create a job. Usual calls bypass the SDK. */
  readonly answersAtOnce?: true;
  readonly input: Input;
  /** Shorter descriptions of arguments, by name, than in the schema for REST. */
  readonly argumentTexts?: Readonly<Record<string, string>>;
  /** The properties of results that clients need. Results may have more. */
  readonly output: z.ZodType;
  /** Corrects arguments with a certain meaning before they are validated. */
  prepare?(args: unknown): unknown;
  /**
   * Plans the arguments without effects. Throws INVALID_REQUEST with errors that the schema cannot find. Undefined: only `run` checks these
   * arguments. `onlyPlans`: does not read files.
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
