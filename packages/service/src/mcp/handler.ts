import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { McpEndpoint, McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { McpHandlerDeps } from './deps.ts';
import { answerPlainCall, plainCallOf } from './protocol/plain-call.ts';
import { buildServer } from './protocol/server.ts';
import { shownWarnings } from './results/shown-warnings.ts';

/**
 * The maximum number of subscription streams. Few clients open one, because the lists of tools and prompts never
 * change.
 */
const MOST_SUBSCRIPTIONS = 100;

/** Creates the MCP endpoint, which also checks Host and Origin. */
export function mcpHandler(deps: McpHandlerDeps): McpEndpoint {
  const toolDeps = { ...deps, shownWarnings: shownWarnings() };
  const handler = createMcpHandler(
    ({ authInfo, era }) => buildServer(toolDeps, authInfo?.extra?.['call'] as McpRequest, era),
    { maxSubscriptions: MOST_SUBSCRIPTIONS },
  );
  return {
    fetch: async (request, body, call) => {
      const rejection = rejectForeignHost(request, deps.hosts ?? [new URL(call.origin).hostname, hostOf(request)]);
      if (rejection !== undefined) return rejection;
      const plain = plainCallOf(request, body);
      if (plain !== undefined) return answerPlainCall(plain, toolDeps, call);
      const { clientId, scopes } = call.caller;
      const authInfo = { token: '', clientId, scopes: [...scopes], extra: { call } };
      return handler.fetch(request, { authInfo, parsedBody: body });
    },
    close: () => handler.close(),
  };
}

const hostOf = (request: Request): string => URL.parse(`http://${request.headers.get('host') ?? ''}`)?.hostname ?? '';

/**
 * Returns a 403 if Host or Origin is not allowed. This prevents DNS rebinding and requests from pages of other sites.
 */
const rejectForeignHost = (request: Request, hosts: readonly string[]): Response | undefined =>
  hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts]);
