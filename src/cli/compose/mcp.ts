import type { Config } from '../../config/config.ts';
import type { McpHandlerDeps } from '../../mcp/deps.ts';
import type { McpEndpoint } from '../../wire/mcp-endpoint.ts';

/** The MCP endpoint. Its code is loaded at the first request, because most services never need these megabytes. */
export function mcpEndpoint(deps: McpHandlerDeps): McpEndpoint {
  let opened: Promise<McpEndpoint> | undefined;
  return {
    fetch: async (...message) => {
      opened ??= import('../../mcp/handler.ts').then(({ mcpHandler }) => mcpHandler(deps));
      return (await opened).fetch(...message);
    },
    close: async () => (await opened)?.close(),
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const;

/**
 * The host names under which browsers may call `/mcp`. Returns undefined, which allows any name, if the service listens
 * on an address that is not loopback and no name is configured. The check stops DNS rebinding: a page of another site
 * whose name resolves to this address.
 */
export function mcpHosts(config: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>): readonly string[] | undefined {
  const { host, publicUrl, allowedHosts } = config;
  const own = host.includes(':') ? `[${host}]` : host;
  const local = LOOPBACK.some((name) => name === own);
  if (!local && publicUrl === undefined && allowedHosts === undefined) return undefined;
  return [...LOOPBACK, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...(allowedHosts ?? [])];
}
