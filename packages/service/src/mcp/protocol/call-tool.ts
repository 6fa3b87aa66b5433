import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { allErrors } from '@telecine/contract/wire/all-errors.ts';
import { applyPatches } from '@telecine/contract/wire/apply-patch.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import { fixPatch } from '@telecine/contract/wire/fix-patch.ts';
import { valueAt } from '@telecine/contract/wire/json-pointer.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { requireScope } from '../../auth/scopes.ts';
import { isCertainFailure } from '../../jobs/submit/dry-run.ts';
import { coerceArguments } from '../coerce-arguments.ts';
import type { McpDeps } from '../deps.ts';
import { structuredPart } from '../results/structured-part.ts';
import { internalProblem, toolError } from '../results/tool-error.ts';
import type { Tool, ToolContext, ToolOutput, ToolPermission } from '../tool.ts';
import { TOOL_SCOPES, toolsOf } from '../tool-names.ts';
import { findMcpTool } from '../tools/all-tools.ts';
import { unknownTool } from './unknown-tool.ts';

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** A call with an error that the caller can fix. `corrected`: the arguments with all fixes, which have no error. */
interface FailedCall {
  readonly error: Problem;
  readonly corrected?: object;
}

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
    meant = coerceArguments(found.input, args);
    for (const scope of [...TOOL_SCOPES[found.name], ...permissionOf(found, meant).scopes])
      requireScope(call.caller, scope);
    return await found.run(await parseArguments(found, meant, toolContext), toolContext);
  } catch (error) {
    const { audit } = permissionOf(found, meant);
    if (error instanceof Problem && error.code === 'INSUFFICIENT_SCOPE' && audit !== undefined)
      await call.audit(audit, { refused: error.code });
    if (error instanceof Problem && error.code !== 'INTERNAL') {
      const corrected = await correctedArguments(found, meant, error, toolContext);
      return { error, ...(corrected && { corrected }) };
    }
    deps.onInternalError(error);
    return { error: internalProblem(error) };
  }
}

const permissionOf = (tool: Tool, args: unknown): ToolPermission =>
  tool.permissionOf?.(args) ?? { scopes: [], ...defined({ audit: tool.audit }) };

/**
 * Builds the protocol result of a tool call: the result as text, which is all that many hosts show a model, the images,
 * and for programs the ids, states and numbers.
 */
export function toolResult(answer: ToolOutput | FailedCall, caller: Caller): CallToolResult {
  if ('error' in answer) {
    return errorResult(toolError(answer.error, toolsOf(caller), answer.corrected));
  }
  const { structured, pictures = [] } = answer;
  return { content: [asText(structured), ...pictures], structuredContent: structuredPart(structured) };
}

/** Builds an error result with its JSON only as text. */
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

/** The time limit for the check of corrected arguments, in ms. */
const MAX_CHECK_MS = 5000;

/**
 * Applies the fixes of all errors in the arguments of a tool. Counts as a submission. undefined: a fix leaves a choice,
 * or the result has an error too.
 */
async function correctedArguments(
  { input, check }: Tool,
  sent: unknown,
  { errors }: Problem,
  context: ToolContext,
): Promise<object | undefined> {
  const found = errors.map((error) => ({ error, patch: fixPatch(sent, error) }));
  const corrected = applyPatches(
    sent,
    found.flatMap(({ patch }) => (patch === undefined ? [] : [patch])),
  ) as object;
  // The patch of another error may send what is missing: an argument that stands beside its recipe.
  const isOpen = found.some(
    ({ error: { code, field }, patch }) =>
      patch === undefined && (code !== 'MISSING' || valueAt(corrected, field) === undefined),
  );
  if (errors.length === 0 || isOpen) return undefined;
  const parsed = input.safeParse(corrected);
  // A tool without `check` finds some errors only in `run`, which must not run here.
  if (!parsed.success || (check === undefined && input.safeParse(sent).success)) return undefined;
  if (check === undefined) return corrected;
  try {
    await context.call.countSubmission();
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(MAX_CHECK_MS)]);
    const checked = await check(parsed.data, { ...context, signal });
    return checked?.warnings.some(isCertainFailure) === false ? corrected : undefined;
  } catch (error) {
    // The error is complete without the corrected arguments.
    if (!(error instanceof Problem) && !context.signal.aborted) context.deps.onInternalError(error);
    return undefined;
  }
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
