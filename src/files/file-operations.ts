import type { RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import { listFiles } from './list.ts';
import { filesNear } from './near.ts';
import { newUploadLink } from './new-upload-link.ts';
import type { FileOperations } from './operations.ts';
import { outputsToOpen } from './output.ts';
import type { UsedLinks } from './ports/used-links.ts';
import type { FileStore, JobLookup } from './ports.ts';
import { removePath } from './remove.ts';
import { storeUpload } from './upload.ts';
import { uploadByLink } from './upload-by-link.ts';

/** Builds the file operations. `maxBytes`: the limit for one upload. */
export function fileOperations(deps: {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'reserve' | 'release' | 'count'>;
  readonly recount: RecountFiles;
  readonly jobs: JobLookup;
  readonly used: UsedLinks;
  readonly maxBytes: number;
}): FileOperations {
  const upload: FileOperations['upload'] = (caller, path, request) => storeUpload(deps, caller, path, request);
  return {
    open: async (caller, path) => deps.store.open(caller.root, parseFilePath(path, caller.root)),
    upload,
    newUploadLink: (caller, path, terms) => newUploadLink(deps, caller, path, terms),
    uploadByLink: (caller, link, request) => uploadByLink({ upload, used: deps.used }, caller, link, request),
    remove: async (caller, path, precondition) => removePath(deps, caller, path, precondition),
    list: (caller, query) => listFiles(deps.store, caller, query),
    near: (caller, path) => filesNear(deps.store, caller, path),
    outputs: (caller, jobId) => outputsToOpen(deps, caller, jobId),
  };
}
