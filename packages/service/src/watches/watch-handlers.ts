import { defined } from '@telecine/contract/domain/defined.ts';
import type { WatchRequest } from '@telecine/contract/domain/watch.ts';
import { isDryRun } from '@telecine/contract/wire/dry-run.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import { parseWatchId } from '@telecine/contract/wire/job-id.ts';
import type { PlainCall, PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import type { WATCH_OPERATIONS } from '@telecine/contract/wire/operations/watches.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { watchDryRunView, watchedFileView, watchView } from '@telecine/contract/wire/watch.ts';
import type { CountedWatch, WatchOperations } from './watch-operations.ts';

const viewOf = ({ watch, counts }: CountedWatch, { words }: Pick<PlainCall<unknown>, 'words'>) =>
  watchView(watch, counts, words);

const withModel = <R extends WatchRequest | undefined>(request: R, llmId: string | undefined): R =>
  request && llmId !== undefined ? { llmId, ...request } : request;

/** The operations on watches, for HTTP and MCP. */
export const watchHandlers = (watches: WatchOperations): PlainHandlers<typeof WATCH_OPERATIONS> => ({
  createWatch: async (call) => {
    const { caller, query, signal, words, llmId } = call;
    const body = { ...call.body, request: withModel(call.body.request, llmId) };
    if (isDryRun(query))
      return { status: 200, body: watchDryRunView(await watches.dryRun(caller, body, signal), words) };
    const created = await watches.create(caller, body, signal);
    const { watchId, folder } = created.watch;
    const { warnings } = created;
    return {
      status: 201,
      body: { ...viewOf(created, call), ...(warnings.length > 0 && { warnings }) },
      location: pathOf('getWatch', { watchId }),
      facts: { target: watchId, details: { folder } },
    };
  },

  listWatches: async (call) => {
    const found = await watches.list(call.caller, call.query.client);
    return { status: 200, body: { watches: found.map((one) => viewOf(one, call)) } };
  },

  getWatch: async (call) => ({
    status: 200,
    body: viewOf(await watches.get(call.caller, parseWatchId(call.params.watchId)), call),
  }),

  changeWatch: async (call) => {
    const { caller, params, body, signal, llmId } = call;
    const sent = { ...body, ...(body.request && { request: withModel(body.request, llmId) }) };
    const changed = await watches.change(caller, parseWatchId(params.watchId), sent, signal);
    const facts = { details: { changed: Object.keys(body), state: changed.watch.state } };
    return { status: 200, body: viewOf(changed, call), facts };
  },

  deleteWatch: async ({ caller, params }) => {
    const { folder } = await watches.remove(caller, parseWatchId(params.watchId));
    return { status: 204, facts: { details: { folder } } };
  },

  listWatchedFiles: async ({ caller, params, query: { cursor, state, limit }, words }) => {
    const after = cursor === undefined ? undefined : readNameCursor(cursor);
    const page = await watches.files(caller, parseWatchId(params.watchId), { limit, ...defined({ state, after }) });
    return {
      status: 200,
      body: {
        files: page.files.map((file) => watchedFileView(file, words)),
        nextCursor: page.nextAfter === undefined ? undefined : writeCursor(page.nextAfter),
      },
    };
  },

  retryWatchedFiles: async ({ caller, params, body }) => {
    const files = await watches.retry(caller, parseWatchId(params.watchId), body.paths);
    return { status: 202, body: { files }, facts: { details: { files } } };
  },
});
