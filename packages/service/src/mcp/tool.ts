import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { AuditAction } from '@telecine/contract/domain/audit.ts';
import type { Scope } from '@telecine/contract/domain/client.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { z } from 'zod';
import type { McpDeps } from './deps.ts';
import type { HasTool, ToolName } from './tool-names.ts';

export interface ToolContext {
  readonly deps: McpDeps;
  readonly call: McpRequest;
  /** Aborted when the client cancels the call. A job that the call created goes on. */
  readonly signal: AbortSignal;
  /** Reports progress to the client. Absent if the client has not requested progress. */
  readonly progress?: (percent: number, message: string) => Promise<void>;
}

export interface ToolOutput {
  /** The result as JSON. Its text is shown whole; see `structuredPart`. */
  readonly structured: object;
  /** The images of the result. If there are several, each follows its own text. */
  readonly pictures?: readonly ContentBlock[];
  /**
   * The id of a job that the call created. A client that supports tasks gets the task of this job instead of the
   * output.
   */
  readonly task?: string;
  /** The warnings about new jobs that this output shows, so that later results do not repeat them. */
  readonly shown?: { readonly jobIds: readonly string[]; readonly warnings: readonly Warning[] };
}

export interface ToolPermission {
  readonly scopes: readonly Scope[];
  readonly audit?: AuditAction;
}

/** A tool. `run` throws `Problem` for errors that the caller can fix. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: ToolName;
  readonly title: string;
  /**
   * When to use the tool, what it returns and what to do next. As a function: it names only tools that the reader may
   * call.
   */
  readonly description: string | ((has: HasTool) => string);
  /** The audit action that is recorded if a caller lacks the permission. Absent if the tool changes nothing. */
  readonly audit?: AuditAction;
  /**
   * For a tool with several actions: what a call needs besides `TOOL_SCOPES`, and its audit action instead of `audit`. The
   * arguments are not validated yet.
   */
  permissionOf?(args: unknown): ToolPermission;
  readonly annotations: ToolAnnotations;
  /**
   * Whether a call does not wait, report progress or create a job. Simple calls of this kind bypass the MCP SDK; see
   * `plain-call.ts`.
   */
  answersAtOnce?(args: Readonly<Record<string, unknown>>): boolean;
  readonly input: Input;
  /** Descriptions of arguments, by name, that are shorter than those of the REST schema. */
  readonly argumentTexts?: Readonly<Record<string, string>>;
  /**
   * Plans the arguments without side effects. Throws INVALID_REQUEST for errors that the schema cannot find. Resolves
   * to undefined if only `run` can check these arguments. `onlyPlans`: reads no files.
   */
  check?(
    args: z.infer<Input>,
    context: ToolContext,
    options?: { readonly onlyPlans?: boolean },
  ): Promise<{ readonly warnings: readonly Warning[] } | undefined>;
  run(args: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Defines a tool. The `input` schema determines the argument type of `run`. */
export const defineTool = <Input extends z.ZodType>(definition: Tool<Input>): Tool => definition as unknown as Tool;
