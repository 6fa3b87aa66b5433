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
  name: 'incoming',
  folder: 'in/',
  patterns: ['*.mov', '*.mp4'],
  request: { output: 'out/{folder}{name}.mp4', preset: { name: 'web-h264' } },
  source: { moveTo: 'done/' },
};

const WATCH = {
  ...SENT,
  watchId: EXAMPLE_WATCH_ID,
  client: 'shop',
  subfolders: true,
  changed: 'ignore',
  existing: 'convert',
  settleSeconds: 10,
  maxUnfinished: 20,
  state: 'ACTIVE',
  lastScan: { at: '2026-01-31T12:00:05.000Z', seconds: 0.4, pauseSeconds: 5, files: 214 },
  counts: { ready: 190, submitted: 20, converted: 3, failed: 0, needsAttention: 1, skipped: 0 },
  createdAt: '2026-01-31T12:00:00.000Z',
  changedAt: '2026-01-31T12:00:00.000Z',
  links: {
    self: `/api/watches/${EXAMPLE_WATCH_ID}`,
    files: `/api/watches/${EXAMPLE_WATCH_ID}/files`,
    jobs: `/api/conversion?watch=${EXAMPLE_WATCH_ID}`,
  },
};

const params = z.object({ watchId });

export const WATCH_OPERATIONS = {
  createWatch: {
    ...WRITE,
    summary: 'Watch a folder',
    description:
      'Converts the files of a folder, and each that lands there later, once, by the request. With `existing: "ignore"`, the files that are ' +
      'there now are left out. A file counts when it is whole. Outputs of a watch are not converted by it again, also not by way of other watches. `source` other than `keep` also needs `files:write`. The watch ' +
      'acts with the rights and limits that the client has then.',
    audit: { action: 'watch.create', target: 'handler', isExempt: ({ query }) => isDryRun(query) },
    query: z.strictObject({
      dryRun: flag('`true`: only check the watch, and say what it would convert now. Nothing is stored.'),
    }),
    body: jsonBody(newWatchBody, SENT),
    replies: {
      200: jsonReply('With `dryRun=true`: what it would do.', watchDryRunSchema, {
        files: 214,
        sizeBytes: 96_636_764_160,
        examples: [{ path: 'in/take 1.mov', sizeBytes: 10_485_760, outputs: ['out/take 1.mp4'] }],
        examined: 5,
        rejected: 0,
        estimate: { seconds: 10_800, sizeBytes: 12_884_901_888 },
        warnings: [],
      }),
      201: jsonReply('The watch.', watchSchema, WATCH, {
        Location: text('The path of the watch.', `/api/watches/${EXAMPLE_WATCH_ID}`),
      }),
    },
    problems: ['TOO_MANY_WATCHES', 'FOLDER_UNREACHABLE', 'STORAGE_FAULT'],
  },
  listWatches: {
    ...READ,
    summary: 'List watches',
    description:
      'Lists your watches, or with `admin` those of all clients, with the number of their files in each state.',
    query: watchListQuery,
    replies: { 200: jsonReply('The watches.', watchListSchema, { watches: [WATCH] }) },
  },
  getWatch: {
    ...READ,
    summary: 'Get a watch',
    description: 'Returns its state, the number of its files in each state, and what it waits for.',
    params,
    replies: { 200: jsonReply('The watch.', watchSchema, WATCH) },
    problems: ['WATCH_NOT_FOUND'],
  },
  changeWatch: {
    ...WRITE,
    summary: 'Change, pause or resume a watch',
    description:
      'Changes apply to files that have no job yet. `state` pauses it (`PAUSED`) or resumes it (`ACTIVE`), which also lists its folder at once. Its ' +
      'folder cannot be changed: make another watch.',
    audit: { action: 'watch.change', target: 'watchId' },
    params,
    body: jsonBody(watchChangeBody, { state: 'PAUSED' }),
    replies: { 200: jsonReply('The watch.', watchSchema, { ...WATCH, state: 'PAUSED' }) },
    problems: ['WATCH_NOT_FOUND', 'CLIENT_REVOKED', 'CLIENT_LACKS_SCOPE'],
  },
  deleteWatch: {
    ...WRITE,
    summary: 'Delete a watch',
    description: 'Deletes it with what it knows about files. Its jobs, its outputs and the files stay.',
    audit: { action: 'watch.delete', target: 'watchId' },
    params,
    replies: { 204: { description: 'The watch is deleted.' } },
    problems: ['WATCH_NOT_FOUND'],
  },
  listWatchedFiles: {
    ...READ,
    summary: 'List the files of a watch',
    description: 'Lists what the watch knows about each file, by path: its state, its newest job, and why it failed.',
    params,
    query: watchedFilesQuery,
    replies: { 200: jsonReply('One page.', watchedFileListSchema, { files: [EXAMPLE_WATCHED_FILE] }) },
    problems: ['WATCH_NOT_FOUND'],
  },
  retryWatchedFiles: {
    ...WRITE,
    summary: 'Retry failed files of a watch',
    description:
      'Converts files again that need attention, by the request that the watch has now. With `paths`, also files that failed and would be ' +
      'tried later, files that were skipped, and converted files, whose outputs are then replaced.',
    audit: { action: 'watch.retry', target: 'watchId' },
    params,
    body: jsonBody(watchRetryBody, {}),
    replies: { 202: jsonReply('How many files are converted again.', watchRetrySchema, { files: 1 }) },
    problems: ['WATCH_NOT_FOUND', 'CLIENT_REVOKED', 'CLIENT_LACKS_SCOPE'],
  },
} satisfies Operations;
