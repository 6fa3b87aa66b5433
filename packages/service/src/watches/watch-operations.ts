import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import { changeSettings, NO_WATCHED_FILES, type Watch, type WatchRequest } from '@telecine/contract/domain/watch.ts';
import { isDryRun } from '@telecine/contract/wire/dry-run.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import { parseWatchId } from '@telecine/contract/wire/job-id.ts';
import type { PlainCall, PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import type { WATCH_OPERATIONS } from '@telecine/contract/wire/operations/watches.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { type WatchView, watchedFileView, watchView } from '@telecine/contract/wire/watch.ts';
import { v7 as uuid } from 'uuid';
import { changedWatch, checkSettings, type Owner, requireScopes } from './check-watch.ts';
import { checkRequestOf, type DryRunJobs, dryRunWatch } from './dry-run-watch.ts';
import type { WatchDeps } from './watch-deps.ts';

/** Each dry run reads a folder. */
const DRY_RUNS = { perClient: 2, total: 8 };

export type WatchOperations = PlainHandlers<typeof WATCH_OPERATIONS>;

/** What all calls for one watch have. */
type NamedCall = Pick<PlainCall<unknown>, 'caller'> & { readonly params: { readonly watchId: string } };

/** The request of a watch for the call that has sent it. `before`: the stored one, whose callback URL the view shows without its secrets. */
function sentRequest(request: WatchRequest, llmId: string | undefined, before?: WatchRequest): WatchRequest {
  const { callbackUrl } = before ?? {};
  const isShown = callbackUrl !== undefined && request.callbackUrl === redactUrl(callbackUrl);
  return { ...(llmId !== undefined && { llmId }), ...request, ...(isShown && { callbackUrl }) };
}

/** The operations on watches, for HTTP and MCP. Each throws WATCH_NOT_FOUND for a watch of another client, except to an administrator. */
export function watchOperations(deps: WatchDeps, jobs: DryRunJobs): WatchOperations {
  const { watches, ledger, now } = deps;
  const dryRunQuota = callQuota('dry runs of watches', DRY_RUNS);

  async function find({ caller, params }: NamedCall): Promise<Watch> {
    const watchId = parseWatchId(params.watchId);
    const watch = await watches.get(watchId);
    if (watch !== undefined && (watch.clientId === caller.clientId || allows(caller, 'admin'))) return watch;
    throw new Problem('WATCH_NOT_FOUND', `Watch ${watchId} does not exist, or it belongs to another client.`);
  }

  /** The client for which a watch acts, with its present rights: those of an administrator do not count. Throws CLIENT_REVOKED. */
  async function ownerOf(caller: Caller, { clientId }: Watch): Promise<Owner> {
    if (clientId === caller.clientId) return { client: caller };
    const client = await deps.callerOf(clientId);
    if (client !== undefined) return { client, isOther: true };
    throw new Problem(
      'CLIENT_REVOKED',
      `The client ${JSON.stringify(clientId)} of this watch was revoked. The watch can only be paused or deleted.`,
    );
  }

  const viewOf = async (watch: Watch, { words }: Pick<PlainCall<unknown>, 'words'>) =>
    watchView(watch, await watches.counts(watch.watchId), words);

  /** Lets the service that works for the watch, and those who follow it, know that it has changed. */
  const tell = ({ watchId, clientId }: Watch): void => deps.onChange?.({ watchId, clientId, isByClient: true });

  return {
    createWatch: async ({ caller, query, body, signal, words, llmId }) => {
      const settings = checkSettings({ client: caller }, { ...body, request: sentRequest(body.request, llmId) });
      if (isDryRun(query)) {
        const run = () => dryRunWatch(deps, jobs, caller, settings, signal, words);
        return { status: 200, body: await dryRunQuota(caller.clientId, run) };
      }
      const warnings = await checkRequestOf(deps, jobs, caller, settings, signal);
      const [watchId, at, { clientId, policy }] = [uuid(), now().toISOString(), caller];
      const watch: Watch = { ...settings, watchId, clientId, state: 'ACTIVE', createdAt: at, changedAt: at };
      const max = policy.watches ?? Number.POSITIVE_INFINITY;
      if (!(await watches.add(watch, max)))
        throw new Problem(
          'TOO_MANY_WATCHES',
          `You have ${max} watches, the most that are allowed. Delete one that you no longer need. ${operatorHint(clientId, 'watches')}`,
        );
      tell(watch);
      return {
        status: 201,
        body: { ...watchView(watch, NO_WATCHED_FILES, words), ...(warnings.length > 0 && { warnings }) },
        location: pathOf('getWatch', { watchId }),
        facts: { target: watchId, details: { folder: watch.folder } },
      };
    },

    listWatches: async (call) => {
      const { caller, query } = call;
      const isAdmin = allows(caller, 'admin');
      const clientId = query.client ?? (isAdmin ? undefined : caller.clientId);
      if (clientId !== caller.clientId && !isAdmin)
        throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the watches of other clients.', {
          scopes: ['admin'],
        });
      const views: WatchView[] = [];
      for (const watch of await watches.list(defined({ clientId }))) views.push(await viewOf(watch, call));
      return { status: 200, body: { watches: views } };
    },

    getWatch: async (call) => ({ status: 200, body: await viewOf(await find(call), call) }),

    changeWatch: async (call) => {
      const { caller, body, signal, llmId } = call;
      const watch = await find(call);
      const request = body.request && sentRequest(body.request, llmId, watch.request);
      const { state, ...sent } = { ...body, ...(request && { request }) };
      const settings = changeSettings(watch, sent);
      // Anyone who sees a watch may pause it.
      const isPause = state === 'PAUSED' && Object.keys(sent).length === 0;
      const owner = isPause ? undefined : await ownerOf(caller, watch);
      const { source } = owner === undefined ? settings : checkSettings(owner, settings);
      if (owner && request) await checkRequestOf(deps, jobs, owner.client, settings, signal);
      const change = { ...sent, ...(state && { state }), ...(sent.source && { source }) };
      const stored = await watches.update(watch.watchId, (one) => changedWatch(one, change, now().toISOString()));
      if (stored === undefined) throw new Problem('WATCH_NOT_FOUND', `Watch ${watch.watchId} was deleted.`);
      tell(stored);
      const details = { changed: Object.keys(body), state: stored.state };
      return { status: 200, body: await viewOf(stored, call), facts: { details } };
    },

    deleteWatch: async (call) => {
      const watch = await find(call);
      await watches.remove(watch.watchId);
      tell(watch);
      return { status: 204, facts: { details: { folder: watch.folder } } };
    },

    listWatchedFiles: async (call) => {
      const { state, cursor, limit } = call.query;
      const { watchId } = await find(call);
      const after = cursor === undefined ? undefined : readNameCursor(cursor);
      // Read one more, to know whether there is a next page.
      const found = await ledger.list(watchId, { limit: limit + 1, ...defined({ state, after }) });
      const files = found.slice(0, limit);
      const nextCursor = found.length > limit ? writeCursor(files.at(-1)?.path ?? '') : undefined;
      return { status: 200, body: { files: files.map((file) => watchedFileView(file, call.words)), nextCursor } };
    },

    retryWatchedFiles: async (call) => {
      const watch = await find(call);
      requireScopes(await ownerOf(call.caller, watch), watch);
      const files = await ledger.retry(watch.watchId, call.body.paths, now().toISOString());
      tell(watch);
      return { status: 202, body: { files }, facts: { details: { files } } };
    },
  };
}
