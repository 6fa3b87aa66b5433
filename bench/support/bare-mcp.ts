/**
 * The least that an MCP server of the same library does with a call: Fastify parses the body, the SDK's handler builds a
 * server with one tool that does nothing. No authentication, no job, no log. Prints its address and serves until it is
 * ended.
 */
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', () => ({ content: [] }));
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
