import { defined } from '@telecine/contract/domain/defined.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import { parseWatchId } from '@telecine/contract/wire/job-id.ts';
import type { WATCH_OPERATIONS } from '@telecine/contract/wire/operations/watches.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { watchDryRunView, watchedFileView, watchView } from '@telecine/contract/wire/watch.ts';
import type { CountedWatch } from '../../watches/watch-operations.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { Handlers } from './handler.ts';

const viewOf = ({ watch, counts }: CountedWatch) => watchView(watch, counts);

export const watchHandlers = ({ watches }: Pick<HttpDeps, 'watches'>): Handlers<typeof WATCH_OPERATIONS> => ({
  createWatch: async (request, reply) => {
    const caller = callerOf(request);
    const signal = hangUpSignal(reply);
    if (request.query.dryRun === 'true') return watchDryRunView(await watches.dryRun(caller, request.body, signal));
    const created = await watches.create(caller, request.body, signal);
    const { watchId, folder } = created.watch;
    request.auditFacts = { target: watchId, details: { folder } };
    reply.code(201).header('location', pathOf('getWatch', { watchId }));
    const { warnings } = created;
    return { ...viewOf(created), ...(warnings.length > 0 && { warnings }) };
  },

  listWatches: async (request) => ({
    watches: (await watches.list(callerOf(request), request.query.client)).map(viewOf),
  }),

  getWatch: async (request) => viewOf(await watches.get(callerOf(request), parseWatchId(request.params.watchId))),

  changeWatch: async (request, reply) => {
    const id = parseWatchId(request.params.watchId);
    const changed = await watches.change(callerOf(request), id, request.body, hangUpSignal(reply));
    request.auditFacts = { details: { changed: Object.keys(request.body), state: changed.watch.state } };
    return viewOf(changed);
  },

  deleteWatch: async (request, reply) => {
    const { folder } = await watches.remove(callerOf(request), parseWatchId(request.params.watchId));
    request.auditFacts = { details: { folder } };
    return reply.code(204).send();
  },

  listWatchedFiles: async (request) => {
    const { cursor, state, limit } = request.query;
    const after = cursor === undefined ? undefined : readNameCursor(cursor);
    const id = parseWatchId(request.params.watchId);
    const page = await watches.files(callerOf(request), id, { limit, ...defined({ state, after }) });
    return {
      files: page.files.map(watchedFileView),
      nextCursor: page.nextAfter === undefined ? undefined : writeCursor(page.nextAfter),
    };
  },

  retryWatchedFiles: async (request, reply) => {
    const id = parseWatchId(request.params.watchId);
    const files = await watches.retry(callerOf(request), id, request.body.paths);
    request.auditFacts = { details: { files } };
    reply.code(202);
    return { files };
  },
});
