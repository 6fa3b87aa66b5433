import type { RpcMessage } from '../../../client/mcp.ts';
import { isJsonRpc } from '../../../wire/mcp-message.ts';
import { EXIT } from '../../exit-codes.ts';
import { exitStatusOf } from '../../exit-status.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** Of the range that is left to servers: the request is sound, but what stands behind does not answer it. */
const NO_ANSWER = -32000;

interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RpcMessage['id'];
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

const failed = (id: RpcMessage['id'], error: RpcFailure['error']): RpcFailure => ({ jsonrpc: '2.0', id, error });

/** A line as a message, or the error to answer with. */
export function readMessage(line: string): RpcMessage | RpcFailure {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failed(null, { code: PARSE_ERROR, message: 'Each line is one JSON-RPC message; this one is no JSON.' });
  }
  if (Array.isArray(message) || !isJsonRpc(message))
    return failed(null, {
      code: INVALID_REQUEST,
      message: 'Each line is one JSON-RPC message; batches are not taken.',
    });
  return message as RpcMessage;
}

/** Neither a notification, nor an answer to what nobody asked. */
export const isRequest = ({ id, method }: RpcMessage): boolean =>
  id !== undefined && id !== null && typeof method === 'string';

/** What a client is told of a request that the service did not answer. */
export function rpcFailure(id: RpcMessage['id'], error: unknown): RpcFailure {
  const ending = exitStatusOf(error);
  if (ending === undefined) return failed(id, { code: NO_ANSWER, message: `The bridge failed: ${String(error)}` });
  const { code, message, fix, exitCode } = ending;
  const retryable = exitCode === EXIT.unreachable;
  return failed(id, {
    code: NO_ANSWER,
    message: fix === undefined ? message : `${message} ${fix}`,
    data: { code, message, ...(fix !== undefined && { fix }), retryable },
  });
}
