import { filePath } from './file-path.ts';
import { list } from './list.ts';
import type { FileOperations } from './operations.ts';
import { output, outputs } from './output.ts';
import type { FileStore, JobLookup } from './ports.ts';
import { remove } from './remove.ts';
import { upload } from './upload.ts';

/** The verbs of this folder behind the one interface that the doors use. `maxBytes`: of one upload. */
export const fileOperations = (deps: {
  readonly store: FileStore;
  readonly jobs: JobLookup;
  readonly maxBytes: number;
}): FileOperations => ({
  open: async (caller, path) => deps.store.open(caller.root, filePath(path, caller.root)),
  upload: (caller, path, what) => upload(deps.store, deps.maxBytes, caller, path, what),
  remove: async (caller, path, precondition) => remove(deps.store, caller, path, precondition),
  list: (caller, query) => list(deps.store, caller, query),
  outputs: (caller, jobId, path) => outputs(deps.jobs, caller, jobId, path),
  output: (caller, jobId, path) => output(deps, caller, jobId, path),
});
