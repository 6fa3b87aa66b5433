import { type Implementation, Server, type ServerContext } from '@modelcontextprotocol/server';
import { allows } from '../../domain/client.ts';
import type { McpDeps, McpRequest } from '../deps.ts';
import { getPrompt, listPrompts } from '../prompts/all-prompts.ts';
import { complete } from '../resources/completion.ts';
import { listResources, readResource, TEMPLATES } from '../resources/resources.ts';
import type { ToolContext } from '../tool.ts';
import { listTools } from '../tools/all-tools.ts';
import { answerToolCall, toolResult } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { protocolError } from './protocol-error.ts';
import { addTasks, createdTask, supportsTasks, TASKS_EXTENSION } from './tasks.ts';

/** The cache hint of lists that change only if the service is updated, and are the same for every client. */
const ONE_HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const CACHE_HINTS = {
  'server/discover': ONE_HOUR,
  // Each client sees the tools and prompts of its scopes.
  'tools/list': { ...ONE_HOUR, cacheScope: 'private' },
  'prompts/list': { ...ONE_HOUR, cacheScope: 'private' },
  'resources/templates/list': ONE_HOUR,
} as const;

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;

export const serverInfo = ({ version }: Pick<McpDeps, 'version'>): Implementation => ({
  name: 'telecine',
  title: 'Telecine',
  version,
});

/**
 * Builds the server for one request, so that requests share no state but `told`. Expensive parts, such as schemas, are built only
 * once.
 */
export function buildServer(deps: McpDeps, call: McpRequest, era: 'legacy' | 'modern'): Server {
  const modern = era === 'modern';
  const server = new Server(serverInfo(deps), {
    capabilities: modern ? { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } } : CAPABILITIES,
    instructions: instructionsFor(call.caller),
    cacheHints: CACHE_HINTS,
  });
  const withProtocolErrors = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, deps);
    }
  };

  server.setRequestHandler('tools/list', async () => ({
    // Without a build, nothing runs yet, and nothing is known to be missing.
    tools: listTools(call.caller, await deps.capabilities.measurements().catch(() => undefined)),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const progress = progressOf(context);
    const { signal } = context.mcpReq;
    const answer = await answerToolCall(deps, call, params, { signal, ...(progress && { progress }) });
    if ('task' in answer && answer.task !== undefined && supportsTasks(context) && allows(call.caller, 'jobs:read')) {
      const { task } = answer;
      return withProtocolErrors(async () => ({ content: [], ...createdTask(await deps.jobs.get(call.caller, task)) }));
    }
    if ('told' in answer && answer.told !== undefined) deps.told.add(answer.told.jobIds, answer.told.warnings);
    return toolResult(answer, call.caller);
  });
  server.setRequestHandler('resources/list', ({ params }) =>
    withProtocolErrors(() => listResources(deps, call, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', ({ params }) =>
    withProtocolErrors(() => readResource(deps, call, params.uri)),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(call.caller) }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    withProtocolErrors(() => getPrompt(call.caller, params.name, params.arguments)),
  );
  server.setRequestHandler('completion/complete', ({ params }) =>
    withProtocolErrors(() => complete(deps, call, params)),
  );
  if (modern) addTasks(server, deps, call);
  return server;
}

function progressOf({ mcpReq }: ServerContext): ToolContext['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async (percent, message) => {
    const params = { progressToken, progress: percent, total: 100, message };
    // It fails if the client has disconnected, which ends the call by its signal.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
