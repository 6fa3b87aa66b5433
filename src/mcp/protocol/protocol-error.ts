import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Problem } from '../../domain/problem.ts';
import type { McpDeps } from '../deps.ts';
import { internalProblem, toolError } from '../results/tool-error.ts';

/** A code from the range for servers: the token lacks a scope. */
const FORBIDDEN = -32001;

/** Turns an error outside of a tool into a protocol error. Logs internal errors. */
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
