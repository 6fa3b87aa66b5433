import { z } from 'zod';

const version = z.literal('2.0');
const id = z.union([z.string(), z.number()]);

/** A message of an MCP client. The protocol defines its content. */
export const rpcMessage = z
  .looseObject({
    jsonrpc: version,
    id: id.optional(),
    method: z
      .string()
      .optional()
      .meta({ examples: ['tools/call'] }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol (JSON-RPC 2.0).' });

export const rpcReply = z
  .looseObject({
    jsonrpc: version,
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({
    id: 'McpReply',
    description: 'The reply to a message of the Model Context Protocol: a result or an error.',
  });
