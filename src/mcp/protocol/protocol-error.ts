import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Problem } from '../../domain/problem.ts';
import type { McpDeps } from '../deps.ts';
import { internalProblem, toolError } from '../results/tool-error.ts';

/** The JSON-RPC error code for a token without a required scope, from the range for servers. */
const FORBIDDEN = -32001;

/** Turns an error that is not the result of a tool into a protocol error. Logs internal errors. */
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
