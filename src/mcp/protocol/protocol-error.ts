import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Problem } from '../../domain/problem.ts';
import type { McpDeps } from '../deps.ts';
import { internalProblem, toolError } from '../results/tool-error.ts';

/** Of the codes that the protocol leaves to servers: the token does not allow it. */
const FORBIDDEN = -32001;

/** Whatever went wrong outside of a tool, as an error of the protocol. Faults of ours go to the log. */
export function protocolError(error: unknown, { onFault }: Pick<McpDeps, 'onFault'>): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof Problem && error.code !== 'INTERNAL') {
    const code = error.code === 'INSUFFICIENT_SCOPE' ? FORBIDDEN : ProtocolErrorCode.InvalidParams;
    const said = toolError(error);
    return new ProtocolError(code, said.message, said);
  }
  onFault(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, internalProblem(error).message);
}
