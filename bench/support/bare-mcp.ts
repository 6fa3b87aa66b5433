/**
 * A minimal MCP server with the same library: Fastify parses the body, and the SDK's handler builds a server with one
 * tool that does nothing. It has no authentication, no jobs and no log. It prints its URL and serves until it is
 * killed.
 */
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { z } from 'zod';

/** `tool`: a tool that the SDK registers. `method`: only a handler of `tools/call`, without a tool. */
const [kind = 'tool'] = process.argv.slice(2);
const about = { name: 'bare', version: '1' };
const input = z.object({ jobId: z.uuid(), timeoutSeconds: z.int() });

const handler = createMcpHandler(() => {
  if (kind === 'method') {
    const server = new Server(about, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', () => ({ content: [] }));
    return server;
  }
  const server = new McpServer(about);
  server.registerTool('wait_for_job', { inputSchema: input }, () => ({ content: [] }));
  return server;
});
const app = Fastify({ logger: false });
app.post('/mcp', async (request, reply) => {
  const response = await handler.fetch(
    await toWebRequest(request.raw as Parameters<typeof toWebRequest>[0], request.body),
    { parsedBody: request.body },
  );
  return reply.send(response);
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
