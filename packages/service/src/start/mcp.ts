import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { McpEndpoint } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { Config } from '../config/config.ts';
import type { McpHandlerDeps } from '../mcp/deps.ts';

/** The MCP endpoint. Its code has some megabytes, so it is loaded at the first request. */
export function mcpEndpoint(deps: McpHandlerDeps): McpEndpoint {
  const open = rememberSuccess(async () => (await import('../mcp/handler.ts')).mcpHandler(deps));
  return {
    fetch: async (...message) => (await open()).fetch(...message),
    close: async () => (await open.started())?.close(),
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const;

/**
 * The host names under which browsers may call `/mcp`. This prevents DNS rebinding. undefined: any name is allowed, because the service
 * does not listen on loopback and no name is configured.
 */
export function mcpHosts(config: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>): readonly string[] | undefined {
  const { host, publicUrl, allowedHosts } = config;
  const own = host.includes(':') ? `[${host}]` : host;
  const local = LOOPBACK.some((name) => name === own);
  if (!local && publicUrl === undefined && allowedHosts === undefined) return undefined;
  return [...LOOPBACK, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...(allowedHosts ?? [])];
}
