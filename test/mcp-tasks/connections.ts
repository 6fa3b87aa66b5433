import { type CallToolResult, Client, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from 'mcp-sdk-v1/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from 'mcp-sdk-v1/client/streamableHttp.js';
import { inject, onTestFinished } from 'vitest';
import { type ClientCredentials, login } from '../support/api-client.ts';
import { mcpClient } from '../support/mcp-client.ts';

/** A connected client of any SDK. It validates structured content by the output schemas that it listed. */
export interface ToolConnection {
  listTools(): Promise<readonly Tool[]>;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
}

type Connect = (url: string, credentials: ClientCredentials) => Promise<ToolConnection>;

const sdkV1: Connect = async (url, credentials) => {
  const { token } = await login(url, credentials);
  const client = new ClientV1({ name: 'a client of SDK v1', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new TransportV1(new URL('/mcp', url), { requestInit });
  // The optional properties of the SDK's own transport do not fit `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  onTestFinished(() => client.close());
  return {
    listTools: async () => (await client.listTools()).tools as Tool[],
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<CallToolResult>,
  };
};

const connectionOf = (client: Client): ToolConnection => ({
  listTools: async () => (await client.listTools()).tools,
  call: (name, args) => client.callTool({ name, arguments: args }),
});

const sdkV2: Connect = async (url, credentials) =>
  connectionOf(await mcpClient(url, (await login(url, credentials)).token));

const bridge: Connect = async (url, { clientId, clientSecret }) => {
  const client = new Client({ name: 'a client of the bridge', version: '1.0.0' });
  onTestFinished(() => client.close());
  const { entry, compileCache } = inject('program');
  const settings = { TELECINE_URL: url, TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
  const env = { ...settings, NODE_COMPILE_CACHE: compileCache };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp'], env, stderr: 'ignore' }),
  );
  return connectionOf(client);
};

/** The ways in which clients connect, by name. */
export const CONNECTIONS = { 'SDK v1': sdkV1, 'SDK v2': sdkV2, 'telecine mcp': bridge } as const;

export type ConnectionName = keyof typeof CONNECTIONS;
