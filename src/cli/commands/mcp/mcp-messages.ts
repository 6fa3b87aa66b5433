import type { RpcMessage } from '../../../client/mcp.ts';
import { isJsonRpc } from '../../../wire/mcp-message.ts';
import { EXIT } from '../../exit-codes.ts';
import { exitStatusOf } from '../../exit-status.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** The error code for a valid request without a reply from the service, from the range for servers. */
const NO_ANSWER = -32000;

interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RpcMessage['id'];
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

const failed = (id: RpcMessage['id'], error: RpcFailure['error']): RpcFailure => ({ jsonrpc: '2.0', id, error });

/** Reads a message from a line, or returns the error to reply with. */
export function readMessage(line: string): RpcMessage | RpcFailure {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failed(null, { code: PARSE_ERROR, message: 'Invalid JSON. Send one JSON-RPC message per line.' });
  }
  if (Array.isArray(message) || !isJsonRpc(message))
    return failed(null, {
      code: INVALID_REQUEST,
      message: 'Not a JSON-RPC message. Send one message per line; batches are not supported.',
    });
  return message as RpcMessage;
}

/** Whether the message is a request, not a notification or a response. */
export const isRequest = ({ id, method }: RpcMessage): boolean =>
  id !== undefined && id !== null && typeof method === 'string';

/** The error for a request to which the service did not reply. */
export function rpcFailure(id: RpcMessage['id'], error: unknown): RpcFailure {
  const status = exitStatusOf(error);
  if (status === undefined) return failed(id, { code: NO_ANSWER, message: `The bridge failed: ${String(error)}` });
  const { code, message, fix, exitCode } = status;
  const retryable = exitCode === EXIT.unreachable;
  return failed(id, {
    code: NO_ANSWER,
    message: fix === undefined ? message : `${message} ${fix}`,
    data: { code, message, ...(fix !== undefined && { fix }), retryable },
  });
}
