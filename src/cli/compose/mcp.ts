import type { McpDoor } from '../../http/deps.ts';
import type { McpDeps } from '../../mcp/deps.ts';

/** MCP, loaded at its first request: its library takes some megabytes that most services never need. */
export function mcpDoor(deps: McpDeps): McpDoor {
  let opened: Promise<McpDoor> | undefined;
  return {
    fetch: async (...message) => {
      opened ??= import('../../mcp/handler.ts').then(({ mcpHandler }) => mcpHandler(deps));
      return (await opened).fetch(...message);
    },
    close: async () => (await opened)?.close(),
  };
}
