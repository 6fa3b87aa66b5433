import { z } from 'zod';
import { text } from '../described-schemas.ts';
import { isDryRun } from '../dry-run.ts';
import { watchId } from '../job-id.ts';
import { flag } from '../paging.ts';
import {
  newWatchBody,
  watchChangeBody,
  watchDryRunSchema,
  watchedFileListSchema,
  watchedFilesQuery,
  watchListQuery,
  watchListSchema,
  watchRetryBody,
  watchRetrySchema,
  watchSchema,
} from '../watch.ts';
import { EXAMPLE_WATCH_ID, EXAMPLE_WATCHED_FILE } from './examples.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';

const READ = { tag: 'Watches', access: token('jobs:read') } as const;

/** A watch lists the files of its folder, so making one needs `files:read` too. */
const WRITE = { tag: 'Watches', access: token('jobs:write', 'files:read') } as const;

const SENT = {
  ...{ name: 'incoming', folder: 'in/', patterns: ['*.mov', '*.mp4'], source: { moveTo: 'done/' } },
  request: { output: 'out/{folder}{name}.mp4', preset: { name: 'web-h264' } },
};

const at = '2026-01-31T12:00:00.000Z';
const self = `/api/watches/${EXAMPLE_WATCH_ID}`;

const WATCH = {
  ...SENT,
  ...{ watchId: EXAMPLE_WATCH_ID, client: 'shop', state: 'ACTIVE', createdAt: at, changedAt: at },
  ...{ subfolders: true, changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  lastScan: { at, seconds: 0.4, pauseSeconds: 5, files: 214 },
  counts: { ready: 190, submitted: 20, converted: 3, failed: 0, needsAttention: 1, skipped: 0 },
  links: { self, files: `${self}/files`, jobs: `/api/conversion?watch=${EXAMPLE_WATCH_ID}` },
};

const params = z.object({ watchId });

export const WATCH_OPERATIONS = {
  createWatch: {
    ...WRITE,
    summary: 'Watch a folder',
    verb: 'watch add',
    description:
      'Converts the files of a folder, and each that lands there later, once, with the rights that you have then.',
    audit: { action: 'watch.create', target: 'handler', isExempt: ({ query }) => isDryRun(query) },
    query: z.strictObject({
      dryRun: flag('`true`: only check the watch, and say what it would convert now. Nothing is stored.'),
    }),
    body: jsonBody(newWatchBody, SENT),
    replies: {
      200: jsonReply('With `dryRun=true`: what it would do.', watchDryRunSchema, {
        ...{ files: 214, sizeBytes: 96_636_764_160, examined: 3, rejected: 0, warnings: [] },
        examples: [{ path: 'in/take 1.mov', sizeBytes: 10_485_760, outputs: ['out/take 1.mp4'] }],
        estimate: { seconds: 10_800, sizeBytes: 12_884_901_888 },
      }),
      201: jsonReply('The watch.', watchSchema, WATCH, { Location: text('The path of the watch.', self) }),
    },
    problems: ['TOO_MANY_WATCHES', 'FOLDER_UNREACHABLE', 'STORAGE_FAULT'],
  },
  listWatches: {
    ...READ,
    summary: 'List watches',
    verb: 'watch list',
    description: 'Lists your watches, or with `admin` those of all clients.',
    query: watchListQuery,
    replies: { 200: jsonReply('The watches.', watchListSchema, { watches: [WATCH] }) },
  },
  getWatch: {
    ...READ,
    summary: 'Get a watch',
    verb: 'watch show',
    description: 'Returns its state, the number of its files, and what it waits for.',
    params,
    replies: { 200: jsonReply('The watch.', watchSchema, WATCH) },
    problems: ['WATCH_NOT_FOUND'],
  },
  changeWatch: {
    ...WRITE,
    summary: 'Change, pause or resume a watch',
    verb: { 'watch change': {}, 'watch pause': { state: 'PAUSED' }, 'watch resume': { state: 'ACTIVE' } },
    description: 'Changes are for files that have no job yet. `state` pauses or resumes it.',
    audit: { action: 'watch.change', target: 'watchId' },
    params,
    body: jsonBody(watchChangeBody, { state: 'PAUSED' }),
    replies: { 200: jsonReply('The watch.', watchSchema, { ...WATCH, state: 'PAUSED' }) },
    problems: ['WATCH_NOT_FOUND', 'CLIENT_REVOKED', 'CLIENT_LACKS_SCOPE'],
  },
  deleteWatch: {
    ...WRITE,
    summary: 'Delete a watch',
    verb: 'watch delete',
    description: 'Deletes it with what it knows about files. Its jobs, its outputs and the files stay.',
    audit: { action: 'watch.delete', target: 'watchId' },
    params,
    replies: { 204: { description: 'The watch is deleted.' } },
    problems: ['WATCH_NOT_FOUND'],
  },
  listWatchedFiles: {
    ...READ,
    summary: 'List the files of a watch',
    verb: 'watch files',
    description: 'Lists what the watch knows about each file, by path: its state, its newest job, and why it failed.',
    params,
    query: watchedFilesQuery,
    replies: { 200: jsonReply('One page.', watchedFileListSchema, { files: [EXAMPLE_WATCHED_FILE] }) },
    problems: ['WATCH_NOT_FOUND'],
  },
  retryWatchedFiles: {
    ...WRITE,
    summary: 'Retry failed files of a watch',
    verb: 'watch retry',
    description: 'Converts files that need attention again. With `paths`, also others, whose outputs are replaced.',
    audit: { action: 'watch.retry', target: 'watchId' },
    params,
    body: jsonBody(watchRetryBody, {}),
    replies: { 202: jsonReply('How many files are converted again.', watchRetrySchema, { files: 1 }) },
    problems: ['WATCH_NOT_FOUND', 'CLIENT_REVOKED', 'CLIENT_LACKS_SCOPE'],
  },
} satisfies Operations;
