import { Problem } from '@telecine/contract/domain/problem.ts';
import type { WATCH_OPERATIONS } from '@telecine/contract/wire/operations/watches.ts';
import type { Handlers } from './handler.ts';

const stub = async (): Promise<never> => {
  throw new Problem('NOT_IMPLEMENTED', 'Watches are not implemented yet.');
};

export const watchHandlers = (): Handlers<typeof WATCH_OPERATIONS> => ({
  createWatch: stub,
  listWatches: stub,
  getWatch: stub,
  changeWatch: stub,
  deleteWatch: stub,
  listWatchedFiles: stub,
  retryWatchedFiles: stub,
  lookAtWatch: stub,
});
