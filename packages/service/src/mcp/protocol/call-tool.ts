import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { allErrors } from '@telecine/contract/wire/all-errors.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { requireScope } from '../../auth/scopes.ts';
import { coerceForTool } from '../coerce-arguments.ts';
import type { McpDeps } from '../deps.ts';
import { followFixes } from '../follow-fixes.ts';
import { withAudioOfLanguage, withOtherId, withVideoOfEach } from '../results/explain-errors.ts';
import { type FollowedFixes, internalProblem, toolError } from '../results/tool-error.ts';
import type { Tool, ToolContext, ToolOutput, ToolPermission } from '../tool.ts';
import { TOOL_SCOPES, toolsOf } from '../tool-names.ts';
import { findMcpTool } from '../tools/all-tools.ts';
import { unknownTool } from './unknown-tool.ts';

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** A call with an error that the caller can fix. `followed`: what happens if the fixes are applied. */
interface FailedCall {
  readonly error: Problem;
  readonly followed?: FollowedFixes;
}

/**
 * Functions that improve the fix of one kind of error by looking at jobs, files or recipes. Each returns other errors
 * unchanged.
 */
const EXPLANATIONS = [withOtherId, withAudioOfLanguage, withVideoOfEach] as const;

/** Runs one tool. An error that the model can fix becomes a result, and an unknown tool a protocol error. */
export async function answerToolCall(
  deps: McpDeps,
  call: McpRequest,
  { name, arguments: args = {} }: CallParams,
  context: Pick<ToolContext, 'signal' | 'progress'>,
): Promise<ToolOutput | FailedCall> {
  const found = findMcpTool(name);
  if (found === undefined) throw unknownTool(name, call.caller);
  const toolContext = { deps, call, ...context };
  let meant: unknown = args;
  try {
    meant = coerceForTool(found, args);
    for (const scope of [...TOOL_SCOPES[found.name], ...permissionOf(found, meant).scopes])
      requireScope(call.caller, scope);
    return await found.run(await parseArguments(found, meant, toolContext), toolContext);
  } catch (caught) {
    let error = caught;
    for (const explain of EXPLANATIONS) error = await explain(error, meant, toolContext);
    const { audit } = permissionOf(found, meant);
    if (error instanceof Problem && error.code === 'INSUFFICIENT_SCOPE' && audit !== undefined)
      await call.audit(audit, { refused: error.code });
    if (error instanceof Problem && error.code !== 'INTERNAL') {
      const followed = await followFixes(found, meant, error.errors, toolContext).catch((fault: unknown) => {
        // The answer is complete without the followed fixes.
        if (!(fault instanceof Problem)) deps.onInternalError(fault);
        return undefined;
      });
      return { error, ...(followed && { followed }) };
    }
    deps.onInternalError(error);
    return { error: internalProblem(error) };
  }
}

const permissionOf = (tool: Tool, args: unknown): ToolPermission =>
  tool.permissionOf?.(args) ?? { scopes: [], ...defined({ audit: tool.audit }) };

/** Builds the protocol result of a tool call: structured JSON, the same JSON as text, then the images. */
export function toolResult(answer: ToolOutput | FailedCall, caller: Caller): CallToolResult {
  if ('error' in answer) {
    return errorResult(toolError(answer.error, toolsOf(caller), answer.followed));
  }
  const { structured, pictures = [] } = answer;
  return { content: [asText(structured), ...pictures], structuredContent: { ...structured } };
}

/**
 * Builds an error result with its JSON only as text. Clients check structured content against the output schema of the
 * tool, even in an error, and would report −32602 instead of the error.
 */
export const errorResult = (structured: object): CallToolResult => ({ isError: true, content: [asText(structured)] });

const asText = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) });

/** Validates the arguments of a tool. Throws INVALID_REQUEST with all errors and their fixes. */
async function parseArguments(tool: Tool, value: unknown, context: ToolContext): Promise<unknown> {
  const { input } = tool;
  const result = input.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(input, result.error.issues, value);
  throw invalidRequest(
    tool.check === undefined
      ? errors
      : await allErrors(input, value, errors, async (corrected) =>
          tool.check?.(corrected, context, { onlyPlans: true }),
        ),
  );
}

/** The JSON-RPC error code for a token that lacks a scope, in the range that is reserved for servers. */
const FORBIDDEN = -32001;

/** Turns an error that cannot be a tool result into a protocol error. Logs internal errors. */
export function protocolError(error: unknown, { onInternalError }: Pick<McpDeps, 'onInternalError'>): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof Problem && error.code !== 'INTERNAL') {
    const code = error.code === 'INSUFFICIENT_SCOPE' ? FORBIDDEN : ProtocolErrorCode.InvalidParams;
    const details = toolError(error);
    return new ProtocolError(code, details.message, details);
  }
  onInternalError(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, internalProblem(error).message);
}
