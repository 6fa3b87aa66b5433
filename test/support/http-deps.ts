import type { HttpDeps } from '../../packages/service/src/http/deps.ts';
import { toHistory } from '../../packages/service/src/jobs/job-history.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { recipeOperations } from '../../packages/service/src/recipes/operations.ts';
import { mcpEndpoint } from '../../packages/service/src/start/mcp.ts';
import {
  fakeAudit,
  fakeClients,
  fakeFiles,
  fakeLinks,
  fakePreviews,
  fakeSessions,
  fakeShares,
  fakeTokens,
  fakeUploads,
  fakeWatches,
  fakeWebhooks,
  fakeWorkers,
} from './http-fakes.ts';

/** The probes of a file without streams. */
export const EMPTY_PROBES: HttpDeps['probes'] = {
  probe: async () => ({ format: { names: ['mp4'], tags: {} }, streams: [], chapters: [] }),
};

/** What the HTTP app needs, on fakes: nothing is stored and no file exists. */
export function fakeHttpDeps({
  jobs,
  capabilities,
  onInternalError,
}: Pick<HttpDeps, 'jobs' | 'capabilities'> & { readonly onInternalError: (error: unknown) => void }): Omit<
  HttpDeps,
  'logger' | 'logRequest'
> {
  const shared = {
    ...{ jobs, capabilities, probes: EMPTY_PROBES, previews: fakePreviews() },
    ...{ files: fakeFiles(), links: fakeLinks(), shares: fakeShares(), linkSeconds: 900 },
    watches: fakeWatches(),
    recipes: recipeOperations({
      recipesOf: async () => BUILT_IN,
      own: { put: async () => 'created', remove: async () => false },
      sharedNames: new Set(BUILT_IN.map(({ name }) => name)),
    }),
  };
  return {
    ...shared,
    ...{ tokens: fakeTokens(), sessions: fakeSessions(), uploads: fakeUploads() },
    history: async (span) => toHistory(span, '2026-01-31T12:00:00.000Z', []),
    mcp: mcpEndpoint({ ...shared, version: '0.1.0', hosts: ['localhost'], onInternalError }),
    ...{ webhooks: fakeWebhooks(), workers: fakeWorkers(), audit: fakeAudit().audit, clients: fakeClients() },
    doctor: async () => [{ name: 'node', state: 'ok', says: '24.0.0' }],
    health: { version: '0.1.0', uptimeSeconds: () => 1.5, ready: async () => ({ store: { ok: true } }) },
    metrics: {
      countRequest: () => undefined,
      countRefusal: () => undefined,
      text: async () => ({ contentType: 'text/plain', body: '' }),
    },
  };
}
