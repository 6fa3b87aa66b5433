import { z } from 'zod';
import { FILE_SEARCH } from '../../domain/file-search.ts';
import { binEntryId, binSchema, fileDeletionBody, fileDeletionSchema, restoreBody } from '../bin.ts';
import { text } from '../described-schemas.ts';
import { FRAME_TIMES, KEEP_REPLACED, MEDIA_DURATION, MEDIA_SIZE, REPLACED_ENTRY } from '../endpoints.ts';
import {
  fileEntrySchema,
  fileListQuery,
  fileListSchema,
  fileMoveBody,
  filesZipQuery,
  newFolderBody,
} from '../files.ts';
import { previewQuery } from '../preview.ts';
import { TUS_VERSION } from '../tus.ts';
import {
  type Audit,
  jsonBody,
  jsonReply,
  type Operation,
  type Operations,
  PUBLIC,
  type Reply,
  token,
} from './operation.ts';
import { contentRange, etag, fileLocationHeader, lastModified, storageLocation } from './problem-replies.ts';

const STORE = { tag: 'Files', access: token('files:write') } as const;

/** Resumable uploads also take the secret of a link to a folder. */
const RESUME = { tag: 'Files', access: { ...token('files:write'), orShare: true } } as const;

const bytes = { '*/*': { schema: z.any().meta({ description: 'The bytes of the file.' }) } };

const params = z.object({
  path: text("The file, relative to the client's media root. Slashes may be escaped as %2F.", 'movies/in.mov'),
});

const writeConditions = z.object({
  'If-Match': text('Reply with 412 unless the existing file has this ETag.', '"mYt1…"').optional(),
  'If-None-Match': text('`*`: reply with 412 if the file exists.', '*').optional(),
});

const keepReplaced = {
  [KEEP_REPLACED]: text(
    '`true`: keep the file that the upload replaces in the bin of the client for some time.',
    'true',
  ).optional(),
};

const replacedEntry = {
  [REPLACED_ENTRY]: text(
    `With \`${KEEP_REPLACED}\`: the entry of the replaced file in the bin. Absent: nothing was replaced, or the replaced file is ` +
      'gone, because the operator keeps none (`TELECINE_BIN_SECONDS` is 0), or the bin had no room for it or is on another disk.',
    '0199a7c2-5b1e-4c3d-9f21-6a4f0c9b8e10',
  ).optional(),
};

export const readConditions = z.object({
  Range: text('One byte range. If it has several ranges, the reply is the whole file.', 'bytes=0-1023').optional(),
  'If-Range': text('Apply `Range` only if the file has this ETag; else send the whole file.', '"mYt1…"').optional(),
  'If-None-Match': text('Reply with 304 if the file has this ETag.', '"mYt1…"').optional(),
  'If-Match': text('Reply with 412 unless the file has this ETag.', '"mYt1…"').optional(),
});

export const DOWNLOAD = {
  200: { description: 'The file.', content: bytes, headers: { ...etag, ...lastModified } },
  206: {
    description: 'The requested range of the file.',
    content: bytes,
    headers: { ...etag, ...lastModified, ...contentRange },
  },
  302: {
    description:
      'The file is at another address, for a few minutes. Only with an object store that clients can reach. Send the ' +
      'request there without the token, which HTTP clients leave out for another host.',
    headers: { ...storageLocation, ...etag, ...lastModified },
  },
  304: { description: 'The file did not change: the client already has the current version.', headers: etag },
} satisfies Readonly<Record<number, Reply>>;

/** What a preview says about its frames, and about its file, so that a list of files with thumbnails needs no probes. */
const previewFacts = {
  [FRAME_TIMES]: text(
    'With the view `frame` or `sheet` of a video: the times of the frames in seconds, in reading order.',
    '2.5, 7.5',
  ).optional(),
  [MEDIA_DURATION]: text(
    'With `view`: the duration of the file in seconds. Absent for still images.',
    '90.5',
  ).optional(),
  [MEDIA_SIZE]: text(
    'With `view`: the frame size of the video or image as it is stored, after rotation. Absent for audio.',
    '1920x1080',
  ).optional(),
};

/** The replies with a file, or with an image of it. */
export const DOWNLOAD_OR_PREVIEW = {
  ...DOWNLOAD,
  200: { ...DOWNLOAD[200], headers: { ...DOWNLOAD[200].headers, ...previewFacts } },
} satisfies Readonly<Record<number, Reply>>;

/** The reply with several files as one zip. */
export const ZIP = {
  200: {
    description:
      'The zip. The files in it are not compressed. `Content-Length` is exact, so a download that is cut off shows.',
    content: { '*/*': { schema: z.any().meta({ description: 'The bytes of the zip.' }) } },
  },
} satisfies Readonly<Record<number, Reply>>;

/** The parts that preview parameters add to a download: a limit and problems. */
export const PREVIEW = {
  limit: 'previews',
  problems: [
    'INPUT_NOT_FOUND',
    'INPUT_INVALID',
    'INPUT_UNAVAILABLE',
    'UNSUPPORTED',
    'TIMEOUT',
    'NO_SPACE',
    'NOT_IMPLEMENTED',
  ],
} satisfies Partial<Operation>;

/** The parts that all uploads of a whole file share. */
export const WHOLE_UPLOAD = {
  body: { type: '*/*', description: 'The bytes of the file.' },
  limit: 'uploads',
  problems: [
    'QUOTA_EXCEEDED',
    'STORAGE_EXCEEDED',
    'REQUEST_TIMEOUT',
    'NOT_A_FILE',
    'PRECONDITION_FAILED',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'STORAGE_FAULT',
    'NO_SPACE',
  ],
} satisfies Partial<Operation>;

const BIN_ENTRY = {
  entryId: '0199a7c2-5b1e-4c3d-9f21-6a4f0c9b8e10',
  path: 'movies/in.mov',
  sizeBytes: 13_400_512,
  deletedAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-01T12:00:00.000Z',
};

export const FILE_OPERATIONS = {
  listFiles: {
    tag: 'Files',
    summary: 'List files',
    description:
      'Lists the files and folders of one folder of the media root whose paths begin with the prefix. The path of a ' +
      'folder ends with a slash; its contents are not listed. With `q`, searches the folder and all folders in it, except ' +
      `behind symlinks: one request looks at ${FILE_SEARCH.names.toLocaleString('en')} names, and the next page continues after them. On a disk, the ` +
      'folders of these names are read whole, so one with millions of files takes long. Searches of one client run one after the other.',
    access: token('files:read'),
    query: fileListQuery,
    replies: {
      200: jsonReply('One page.', fileListSchema, {
        files: [
          { type: 'folder', path: 'movies/old/' },
          {
            type: 'file',
            path: 'movies/in.mov',
            sizeBytes: 13_400_512,
            modifiedAt: '2026-01-31T12:00:00.000Z',
            etag: '"mYt1x0qGkZb1pY8m5n2c3w"',
          },
        ],
      }),
    },
    problems: ['STORAGE_FAULT'],
  },
  downloadFile: {
    tag: 'Files',
    summary: 'Download a file',
    description:
      'Returns the whole file or one range, or, with `view`, an image of it: always whole, of at most 120 KB for a usual one, ' +
      'with an entity tag of its own. HEAD returns the same header fields without a body.',
    access: token('files:read'),
    params,
    query: previewQuery,
    headers: readConditions,
    replies: DOWNLOAD_OR_PREVIEW,
    limit: PREVIEW.limit,
    problems: [
      ...(['FILE_NOT_FOUND', 'NOT_A_FILE', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE', 'STORAGE_FAULT'] as const),
      ...PREVIEW.problems,
    ],
  },
  downloadFiles: {
    tag: 'Files',
    summary: 'Download files and folders as one zip',
    description:
      'Streams the files, and all files in the folders, up to 10,000 files and folders and 100 GB. Names are those below the one folder, or ' +
      'below the folder that all paths share. Symlinks to folders are left out. If a file is deleted or replaced meanwhile, the ' +
      'download is cut off.',
    access: token('files:read'),
    query: filesZipQuery,
    replies: ZIP,
    limit: 'zips',
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'TOO_MANY_FILES', 'STORAGE_FAULT'],
  },
  uploadFile: {
    ...STORE,
    summary: 'Upload a file',
    description:
      'The body is the content of the file. The file appears, or replaces an existing one, only once all of it is on ' +
      'disk. Missing folders are created. A conversion that already reads the old file continues to read that.',
    params,
    ...WHOLE_UPLOAD,
    audit: { action: 'file.write', target: 'path' },
    headers: writeConditions.extend(keepReplaced),
    replies: {
      201: { description: 'The file was created.', headers: { ...fileLocationHeader, ...etag } },
      204: { description: 'The file replaced another.', headers: { ...fileLocationHeader, ...etag, ...replacedEntry } },
    },
  },
  deleteFile: {
    ...STORE,
    summary: 'Delete a file, or an empty folder',
    description:
      'A path that ends with a slash is a folder, which must be empty. A conversion that already reads the file ' +
      'continues to read it.',
    audit: { action: 'file.delete', target: 'path' },
    params,
    headers: writeConditions,
    body: { type: 'ignored' },
    replies: { 204: { description: 'The file or folder is deleted.' } },
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'FOLDER_NOT_EMPTY', 'PRECONDITION_FAILED', 'STORAGE_FAULT'],
  },
  moveFile: {
    ...STORE,
    summary: 'Move or rename a file or a folder',
    verb: 'files mv',
    description:
      'A path in `from` that ends with a slash is a folder, which moves with all that is in it. Nothing is replaced without ' +
      '`replace`, and never a folder. A file that an unfinished job of the client reads or writes is not moved. On a disk, a ' +
      'file or folder moves at once. In an object store, its objects are copied and then deleted, at most 1000: a crash or failure ' +
      'between can leave files at both paths, never at none, and the same request ends the move. A client moves, restores and ' +
      'deletes at most two folders at once.',
    audit: { action: 'file.move', target: 'handler' },
    body: jsonBody(fileMoveBody, { from: 'movies/in.mov', to: 'movies/old/talk.mov' }),
    replies: {
      200: jsonReply('The file or folder at its new path.', fileEntrySchema, {
        type: 'file',
        path: 'movies/old/talk.mov',
        sizeBytes: 13_400_512,
        modifiedAt: '2026-01-31T12:00:00.000Z',
        etag: '"mYt1x0qGkZb1pY8m5n2c3w"',
      }),
    },
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'FILE_EXISTS', 'FILE_IN_USE', 'STORAGE_FAULT', 'NO_SPACE'],
  },
  createFolder: {
    ...STORE,
    summary: 'Create a folder',
    verb: 'files mkdir',
    description:
      'Creates an empty folder, with up to 63 missing folders above it. Uploads and jobs create up to 64 missing folders themselves.',
    audit: { action: 'folder.create', target: 'handler' },
    body: jsonBody(newFolderBody, { path: 'movies/2026' }),
    replies: { 201: jsonReply('The folder.', fileEntrySchema, { type: 'folder', path: 'movies/2026/' }) },
    problems: ['NOT_A_FILE', 'FILE_EXISTS', 'STORAGE_FAULT', 'NO_SPACE'],
  },
  deleteFiles: {
    ...STORE,
    summary: 'Delete several files and folders',
    description:
      'Deletes each path by itself, and says for each that was not deleted why. A file that an unfinished job of the client reads or ' +
      'writes is not deleted. With `keep`, the files go to the bin of the client: no listing, job or link finds them there, and they are ' +
      'deleted after `keepSeconds`, or earlier if the quota `storage` or the disk needs the room.',
    audit: { action: 'file.delete', target: 'handler' },
    body: jsonBody(fileDeletionBody, { paths: ['movies/in.mov', 'movies/old/'], keep: true }),
    replies: {
      200: jsonReply('The result by path.', fileDeletionSchema, {
        deleted: [{ path: 'movies/in.mov', entry: BIN_ENTRY }],
        failed: [
          {
            path: 'movies/old/',
            code: 'FILE_NOT_FOUND',
            detail: 'Folder "movies/old" does not exist in your media root.',
          },
        ],
      }),
    },
  },
  listBin: {
    tag: 'Files',
    summary: 'List the bin',
    description: 'Lists deleted files and folders that can be restored.',
    access: token('files:read'),
    replies: {
      200: jsonReply('The entries.', binSchema, { entries: [BIN_ENTRY], keepSeconds: 86_400, sizeBytes: 13_400_512 }),
    },
  },
  emptyBin: {
    ...STORE,
    summary: 'Empty the bin',
    description: 'Deletes all entries of the bin permanently.',
    audit: { action: 'bin.empty', target: 'nothing' },
    body: { type: 'ignored' },
    replies: { 204: { description: 'The bin is empty.' } },
    problems: ['STORAGE_FAULT'],
  },
  restoreFile: {
    ...STORE,
    summary: 'Restore a deleted file or folder',
    description: 'Moves an entry of the bin back, or to another path. Nothing is replaced.',
    audit: { action: 'file.restore', target: 'handler' },
    params: binEntryId,
    body: jsonBody(restoreBody, {}),
    replies: { 200: jsonReply('The file or folder.', fileEntrySchema, { type: 'folder', path: 'movies/old/' }) },
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'FILE_EXISTS', 'FILE_IN_USE', 'STORAGE_FAULT', 'NO_SPACE'],
  },
  deleteBinEntry: {
    ...STORE,
    summary: 'Delete an entry of the bin',
    description: 'Deletes a file or folder of the bin permanently.',
    audit: { action: 'bin.delete', target: 'handler' },
    params: binEntryId,
    body: { type: 'ignored' },
    replies: { 204: { description: 'The entry is deleted.' } },
    problems: ['FILE_NOT_FOUND', 'STORAGE_FAULT'],
  },
} satisfies Operations;

const version = { 'Tus-Resumable': text('The version of tus.', TUS_VERSION) };
const uploadOffset = { 'Upload-Offset': text('The number of bytes that the service has stored.', '52428800') };
const expires = {
  'Upload-Expires': text('When the upload is deleted unless it is used.', 'Sun, 01 Feb 2026 12:00:00 GMT').optional(),
};
const metadata = (description: string) => text(description, 'path bW92aWVzL2luLm1vdg==');

const uploadParams = z.object({
  uploadId: text('The id of the upload, the last part of its URL.', '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'),
});
/** The audit log records a file once, when it appears. It does not record each request that brings bytes. */
const AUDIT: Audit = { action: 'file.write', target: 'handler', isDoneByHandler: true };
const requestVersion = z.object(version);
const body = {
  type: '*/*',
  description: 'The next bytes of the file, of the type `application/offset+octet-stream`.',
} as const;

/** The problems of requests that can carry bytes of a file. Such a request can also publish the file. */
const OF_BYTES = [
  'REQUEST_TIMEOUT',
  'NOT_A_FILE',
  'PRECONDITION_FAILED',
  'UNSUPPORTED_TUS_VERSION',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UPLOAD_LOCKED',
  'STORAGE_FAULT',
  'NOT_IMPLEMENTED',
  'NO_SPACE',
] as const;

export const UPLOAD_OPERATIONS = {
  getUploadSupport: {
    tag: 'Files',
    summary: 'Get what resumable uploads support',
    description: 'Returns the version and the extensions of tus, and the size of the largest file.',
    access: PUBLIC,
    body: { type: 'ignored' },
    replies: {
      204: {
        description: 'What is supported.',
        headers: {
          ...version,
          'Tus-Version': text('The versions of tus.', TUS_VERSION),
          'Tus-Extension': text('The extensions of tus.', 'creation,creation-with-upload,termination,expiration'),
          'Tus-Max-Size': text('The largest file in bytes.', '53687091200'),
        },
      },
    },
  },
  createUpload: {
    ...RESUME,
    summary: 'Create a resumable upload',
    description:
      'Begins an upload that survives interruptions, by tus 1.0 (https://tus.io). The file appears, or replaces an ' +
      'existing one, once all of it is on disk. With the content type `application/offset+octet-stream`, the body is ' +
      'the beginning of the file. In place of a token, the secret of a shared link for uploads is accepted: it replaces no file, and sees only ' +
      'the uploads that it has begun. `path` is then relative to the folder.',
    audit: AUDIT,
    headers: z.object({
      ...version,
      'Upload-Length': text('The size of the file in bytes.', '104857600'),
      'Upload-Metadata': metadata(
        'Pairs of a name and a value in Base64, at most 6144 characters. `path`, or else `filename`, is the path of the ' +
          'file in the media root of the client.',
      ),
      'If-Match': text('Reply with 412 unless the existing file has this ETag.', '"mYt1…"').optional(),
      'If-None-Match': text('`*`: reply with 412 if the file exists.', '*').optional(),
      ...keepReplaced,
    }),
    body: { type: 'ignored' },
    limit: 'uploads',
    replies: {
      201: {
        description: 'The upload is created.',
        headers: {
          ...version,
          Location: text('The URL of the upload.', '/api/uploads/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'),
          'Upload-Offset': uploadOffset['Upload-Offset'].optional(),
          ...expires,
          ...replacedEntry,
        },
      },
    },
    problems: ['LINK_USED', ...OF_BYTES, 'QUOTA_EXCEEDED', 'STORAGE_EXCEEDED'],
  },
  getUploadOffset: {
    ...RESUME,
    summary: 'Get the offset of a resumable upload',
    description:
      'Returns the number of bytes that the service has stored. Continue there with PATCH. A finished upload is known for ten ' +
      'minutes.',
    audit: AUDIT,
    params: uploadParams,
    headers: requestVersion,
    body: { type: 'ignored' },
    replies: {
      200: {
        description: 'The state of the upload.',
        headers: {
          ...version,
          ...uploadOffset,
          'Upload-Length': text('The size of the file in bytes.', '104857600'),
          'Upload-Metadata': metadata('As the client sent it.'),
          ...replacedEntry,
        },
      },
    },
    problems: [
      'UPLOAD_NOT_FOUND',
      'NOT_A_FILE',
      'PRECONDITION_FAILED',
      'UNSUPPORTED_TUS_VERSION',
      'UPLOAD_LOCKED',
      'STORAGE_FAULT',
      'NO_SPACE',
    ],
  },
  appendToUpload: {
    ...RESUME,
    summary: 'Append bytes to a resumable upload',
    description:
      'Appends the body at `Upload-Offset`, which must be the offset of the upload. Bytes that arrived before an ' +
      'interruption are kept.',
    audit: AUDIT,
    params: uploadParams,
    headers: z.object({ ...version, ...uploadOffset }),
    body,
    limit: 'uploads',
    replies: {
      204: {
        description: 'The bytes are stored.',
        headers: { ...version, ...uploadOffset, ...expires, ...replacedEntry },
      },
    },
    problems: [...OF_BYTES, 'UPLOAD_NOT_FOUND', 'UPLOAD_CONFLICT'],
  },
  deleteUpload: {
    ...RESUME,
    summary: 'Delete a resumable upload',
    description: 'Removes the bytes of the upload. A file that has appeared stays.',
    audit: AUDIT,
    params: uploadParams,
    headers: requestVersion,
    body: { type: 'ignored' },
    replies: { 204: { description: 'The upload is deleted.', headers: version } },
    problems: ['UPLOAD_NOT_FOUND', 'UNSUPPORTED_TUS_VERSION', 'UPLOAD_LOCKED', 'STORAGE_FAULT'],
  },
} satisfies Operations;
