import type { FileStore } from '../../../files/ports.ts';
import { rootLocation } from '../location.ts';
import { listFolder } from './list-folder.ts';
import { openObject } from './open-object.ts';
import { removeFile } from './remove-file.ts';
import { removeFolder } from './remove-folder.ts';
import type { S3FilesOptions } from './s3-files-options.ts';
import { beginUpload } from './upload-session.ts';

/** Creates the file store for a bucket of S3 or a compatible server. */
export function s3Files(options: S3FilesOptions): FileStore {
  return {
    open: (root, path) => openObject({ ...options, location: rootLocation(root) }, path),
    beginUpload: (root, path, upload) => beginUpload({ ...options, location: rootLocation(root) }, path, upload),
    remove: (root, path, check) => removeFile({ ...options, location: rootLocation(root) }, path, check),
    removeFolder: (root, path) => removeFolder({ ...options, location: rootLocation(root) }, path),
    list: (root, query) => listFolder({ ...options, location: rootLocation(root) }, query),
  };
}
