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
import { changedWatch, checkSettings, requireRights } from './check-watch.ts';
import { checkRequestOf, type DryRunJobs, dryRunWatch, type WatchCheck } from './dry-run-watch.ts';
import type { WatchDeps } from './watch-deps.ts';

/** Each dry run reads a folder. */
const DRY_RUNS = { perClient: 2, total: 8 };

/** How many paths are named that a retry does not convert again. */
const SHOWN_PATHS = 3;

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

  /** The client for which a watch acts: the rights of an administrator do not count. Throws the errors of `requireRights`. */
  const ownerOf = async (caller: Caller, watch: Watch): Promise<Caller> =>
    requireRights(caller, watch, watch.clientId === caller.clientId ? caller : await deps.callerOf(watch.clientId));

  const viewOf = async (watch: Watch, { words }: Pick<PlainCall<unknown>, 'words'>) =>
    watchView(watch, await watches.counts(watch.watchId), words);

  async function whyNotRetried({ watchId }: Watch, paths: readonly string[] | undefined): Promise<string> {
    if (paths === undefined) return 'No file needs attention. Send "paths" to convert others again.';
    const known = await ledger.find(watchId, paths);
    const states = paths.slice(0, SHOWN_PATHS).map((path) => {
      const { skipReason, state } = known.get(path) ?? { state: 'unknown to the watch' };
      return `${JSON.stringify(path)} is ${skipReason ?? state}`;
    });
    const more = paths.length > states.length ? ' The other paths are not either.' : '';
    return `${states.join(', ')}: only files that are CONVERTED, FAILED, NEEDS_ATTENTION or SKIPPED by EXISTED or GONE are converted again.${more}`;
  }

  /** Lets the service that works for the watch, and those who follow it, know that it has changed. */
  const tell = ({ watchId, clientId }: Watch): void => deps.onChange?.({ watchId, clientId, isByClient: true });

  return {
    createWatch: async ({ caller, query, body, signal, words, llmId }) => {
      const settings = checkSettings(caller, { ...body, request: sentRequest(body.request, llmId) });
      requireRights(caller, { ...settings, clientId: caller.clientId }, caller);
      const check: WatchCheck = { ...deps, jobs, caller, settings, signal };
      if (isDryRun(query))
        return { status: 200, body: await dryRunQuota(caller.clientId, () => dryRunWatch(check, words)) };
      const warnings = await checkRequestOf(check);
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
      const change = { ...body, ...sent };
      // Anyone who sees a watch may pause it.
      if (state !== 'PAUSED' || Object.keys(sent).length > 0) {
        const changed = changeSettings(watch, sent);
        const client = await ownerOf(caller, changed);
        const settings = checkSettings(client, changed, sent);
        if (request) await checkRequestOf({ ...deps, jobs, caller: client, settings, signal });
        if (sent.source) Object.assign(change, { source: settings.source });
      }
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
      await ownerOf(call.caller, watch);
      const { paths } = call.body;
      const files = await ledger.retry(watch.watchId, paths, now().toISOString());
      tell(watch);
      const reason = files > 0 ? undefined : await whyNotRetried(watch, paths);
      return { status: 202, body: { files, ...(reason && { reason }) }, facts: { details: { files } } };
    },
  };
}
