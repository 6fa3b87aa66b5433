import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';

import type { McpHandlerDeps, McpRequest } from './deps.ts';
import { answerPlainCall, plainCallOf } from './protocol/plain-call.ts';
import { buildServer } from './protocol/server.ts';
import { toldWarnings } from './results/told-warnings.ts';

/** The maximum number of subscription streams. The lists never change, so few clients need one. */
const MOST_SUBSCRIPTIONS = 100;

/** MCP over HTTP, for legacy and modern clients. It checks Host and Origin; the caller has verified the token. */
export interface McpHandler {
  /** Handles the parsed message `body`. Uses only the headers and the signal of `request`. A text is the JSON of a 200. */
  fetch(request: Request, body: unknown, call: McpRequest): Promise<Response | string>;
  /** Ends all requests. */
  close(): Promise<void>;
}

export function mcpHandler(deps: McpHandlerDeps): McpHandler {
  const told = toldWarnings();
  const handler = createMcpHandler(
    ({ authInfo, era }) => buildServer({ ...deps, told }, authInfo?.extra?.['call'] as McpRequest, era),
    { maxSubscriptions: MOST_SUBSCRIPTIONS },
  );
  return {
    fetch: async (request, body, call) => {
      const rejection = rejectForeignHost(request, deps.hosts ?? [new URL(call.origin).hostname, hostOf(request)]);
      if (rejection !== undefined) return rejection;
      const plain = plainCallOf(request, body);
      if (plain !== undefined) return answerPlainCall(plain, { ...deps, told }, call);
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

/** Returns a 403 for a Host or Origin that is not allowed. This stops DNS rebinding and requests from other sites. */
const rejectForeignHost = (request: Request, hosts: readonly string[]): Response | undefined =>
  hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts]);
