import type { Config } from '../../config/config.ts';
import type { McpEndpoint } from '../../http/deps.ts';
import type { McpDeps } from '../../mcp/deps.ts';

/** MCP, loaded at its first request: its library takes some megabytes that most services never need. */
export function mcpEndpoint(deps: McpDeps): McpEndpoint {
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
 * Names under which browsers may address `/mcp`; undefined: any, where the service listens for other machines and was
 * told no name. A page of another site that has its own name resolved to this address is refused by them.
 */
export function mcpHosts(config: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>): readonly string[] | undefined {
  const { host, publicUrl, allowedHosts } = config;
  const own = host.includes(':') ? `[${host}]` : host;
  const local = LOOPBACK.some((name) => name === own);
  if (!local && publicUrl === undefined && allowedHosts === undefined) return undefined;
  return [...LOOPBACK, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...(allowedHosts ?? [])];
}
