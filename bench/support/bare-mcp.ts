/**
 * The least that an MCP server of the same library does with a call: Fastify parses the body, the SDK's handler builds
 * a server with one tool that does nothing. No authentication, no job, no log. Prints its address and serves until it
 * is ended.
 */
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { z } from 'zod';

/** `tool`: one tool as the SDK registers tools. `method`: not even that, a bare handler of `tools/call`. */
const [kind = 'tool'] = process.argv.slice(2);
const about = { name: 'bare', version: '1' };
const input = z.object({ jobId: z.uuid() });

const handler = createMcpHandler(() => {
  if (kind === 'method') {
    const server = new Server(about, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', () => ({ content: [] }));
    return server;
  }
  const server = new McpServer(about);
  server.registerTool('get_job', { inputSchema: input }, () => ({ content: [] }));
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
