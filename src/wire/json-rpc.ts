const named = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'jsonrpc');

/** A JSON-RPC message, or a batch of them: what an MCP client sends, as against the plain contract. */
export const isJsonRpc = (body: unknown): boolean => (Array.isArray(body) ? body.some(named) : named(body));
