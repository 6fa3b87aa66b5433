import { z } from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { llmConversionBody } from '../../wire/conversion.ts';
import { dryRun } from '../../wire/dry-run.ts';
import { rpcMessage, rpcReply } from '../../wire/json-rpc.ts';
import { dryRunExample, submission } from './conversion.ts';
import { conversion } from './examples.ts';
import { challenge, rateLimit } from './headers.ts';
import { problems, reply } from './responses.ts';

const PARSE_ERROR = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body is not valid JSON.' } };

const rpcError = { 'application/json': { schema: rpcReply, example: PARSE_ERROR } };

/** The same response, where an MCP client gets an error of its own protocol. */
const orRpc = (response: ZodOpenApiResponseObject): ZodOpenApiResponseObject => ({
  ...response,
  content: { ...response.content, ...rpcError },
});

const challenged = { 'WWW-Authenticate': challenge['WWW-Authenticate'].optional() };

export const mcpPaths: ZodOpenApiPathsObject = {
  '/mcp': {
    post: {
      ...submission,
      operationId: 'submitForModel',
      tags: ['Language models'],
      summary: 'Submit a conversion for a language model, or speak MCP',
      description:
        'A body as of `POST /api/conversion`, with `llmId` required, is answered in the same way and needs `jobs:write`. ' +
        'A JSON-RPC message is one of the Model Context Protocol (2026-07-28, or 2025-11-25 with `initialize`): each ' +
        'tool says which scope it needs. A notification is answered with 202 and no body. GET and DELETE are 405.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: z.union([llmConversionBody, rpcMessage]),
            examples: {
              conversion: { value: { llmId: 'gpt-5', ...conversion } },
              mcp: { value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
            },
          },
        },
      },
      responses: {
        ...submission.responses,
        200: reply(
          'An answer of MCP, as JSON or as a stream of events; or, with `dryRun=true`, what would run.',
          {
            'application/json': { schema: z.union([dryRun, rpcReply]), example: dryRunExample },
            'text/event-stream': { schema: z.string() },
          },
          rateLimit,
        ),
        400: orRpc(problems(['BAD_REQUEST', 'INVALID_JSON', 'INVALID_REQUEST'])),
        403: orRpc(problems(['INSUFFICIENT_SCOPE', 'NOT_A_CLIENT'], challenged)),
        404: reply('MCP: there is no such method.', rpcError),
        406: reply('MCP: the client accepts no stream of events.', rpcError),
        500: orRpc(problems(['INTERNAL'])),
      },
    },
  },
};
