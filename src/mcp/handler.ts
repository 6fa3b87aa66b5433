import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';

import type { McpDeps, McpRequest } from './deps.ts';
import { buildServer } from './protocol/server.ts';

/** Streams that wait for changes of lists. Nothing changes here, so few have a use for one. */
const MOST_SUBSCRIPTIONS = 100;

/** MCP over HTTP, both eras. Whoever calls has checked the token; Host and Origin are checked here. */
export interface McpHandler {
  /** `body`: parsed; of `request` only the headers and the signal are read. */
  fetch(request: Request, body: unknown, call: McpRequest): Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export function mcpHandler(deps: McpDeps): McpHandler {
  const handler = createMcpHandler(
    ({ authInfo, era }) => buildServer(deps, authInfo?.extra?.['call'] as McpRequest, era),
    { maxSubscriptions: MOST_SUBSCRIPTIONS },
  );
  return {
    fetch: async (request, body, call) => {
      const refused = foreign(request, deps.hosts ?? [new URL(call.origin).hostname, hostOf(request)]);
      if (refused !== undefined) return refused;
      const { clientId, scopes } = call.caller;
      const authInfo = { token: '', clientId, scopes: [...scopes], extra: { call } };
      return handler.fetch(request, { authInfo, parsedBody: body });
    },
    close: () => handler.close(),
  };
}

const hostOf = (request: Request): string => {
  const address = `http://${request.headers.get('host') ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
};

/** The 403 for who reached the service by a name that is not its own: a page whose name was pointed at it. */
const foreign = (request: Request, hosts: readonly string[]): Response | undefined =>
  hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts]);
