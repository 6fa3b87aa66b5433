import { z } from 'zod';
import { pick } from '../domain/defined.ts';
import {
  shownFolder,
  WATCH_LIMITS,
  WATCH_MAKER,
  WATCHED_FILE_STATES,
  type Watch,
  type WatchedCounts,
  type WatchedFailure,
  type WatchedFile,
} from '../domain/watch.ts';
import { requestOfWatch } from './conversion.ts';
import { boolean, choice, count, integerIn, issue, list, moment, number, text, textUpTo } from './described-schemas.ts';
import { httpHint } from './hint-text.ts';
import { jobId, watchId } from './job-id.ts';
import { requestView } from './job-view.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import type { Shape } from './shape.ts';

const { nameLength, patternLength, patterns: most, settleSeconds, maxUnfinished, every } = WATCH_LIMITS;

const namePattern = textUpTo(patternLength, 'A name with `*`, `?` and `[a-z]`.').regex(/^[^/]+$/);

const namesOfFiles = (description: string, ...examples: string[]) =>
  list(namePattern, description, examples).min(1).max(most).exactOptional();

export const watchRequest = requestOfWatch(WATCH_MAKER);

const moveTo = textUpTo(4096, 'A folder. Folders below the watched one are kept in it.', 'done/');

const SOURCE =
  'What happens to a file once its outputs exist. `delete` puts it into the bin. A file that has changed stays. Other than `keep` needs `files:write`.';

/** The settings of a watch. */
const settings = {
  name: textUpTo(nameLength, 'Your own name for the watch.', 'incoming')
    .regex(/^\P{Cc}*$/u)
    .exactOptional(),
  folder: textUpTo(4096, 'A folder in the media root, or `s3://bucket/prefix/`. `/` is the media root.', 'in/'),
  patterns: namesOfFiles('Only files with such names. Absent: all video, audio and images.', '*.mov', '*.mp4'),
  exclude: namesOfFiles('No files with such names.', '*_proxy.mov'),
  subfolders: boolean(
    'Whether files in folders below the folder count too: `true` or `false`. Hidden and temporary files never do.',
    true,
  ).default(true),
  request: watchRequest,
  source: z
    .union([z.enum(['keep', 'delete']), z.strictObject({ moveTo })])
    .meta({ description: SOURCE, examples: ['keep', { moveTo: 'done/' }] })
    .default('keep'),
  changed: choice(
    ['ignore', 'convert'],
    'What happens to files whose content changes later. `convert` replaces their outputs.',
  ).default('ignore'),
  existing: choice(['convert', 'ignore'], 'What happens to files that are there now.').default('convert'),
  settleSeconds: integerIn(
    settleSeconds,
    'How long a file must stay the same, in seconds. Objects are whole at once.',
  ).default(settleSeconds.default),
  maxUnfinished: integerIn(maxUnfinished, 'The most unfinished jobs.').default(maxUnfinished.default),
  every: integerIn(
    every,
    'Seconds between two lists of the folder, or more if a list takes long. Default: 5 on a disk, 60 in a bucket.',
    5,
  ).exactOptional(),
};

export const newWatchBody = z
  .strictObject(settings)
  .meta({ id: 'NewWatch', description: 'A folder whose files are converted as they land.' });

export const watchState = choice(
  ['ACTIVE', 'PAUSED'],
  '`PAUSED`: no new jobs; those that run go on. A change to `ACTIVE` lists the folder at once.',
).meta({
  id: 'WatchState',
});

export const watchChangeBody = z
  .strictObject({
    name: settings.name.nullable(),
    patterns: settings.patterns.nullable(),
    exclude: settings.exclude.nullable(),
    subfolders: settings.subfolders.unwrap().exactOptional(),
    request: watchRequest.exactOptional(),
    source: settings.source.unwrap().exactOptional(),
    changed: settings.changed.unwrap().exactOptional(),
    settleSeconds: settings.settleSeconds.unwrap().exactOptional(),
    maxUnfinished: settings.maxUnfinished.unwrap().exactOptional(),
    every: settings.every.nullable(),
    state: watchState.exactOptional(),
  })
  .superRefine((change, { issues, addIssue }) => {
    if (issues.length > 0 || Object.keys(change).length > 0) return;
    addIssue(issue([], 'MISSING', 'Nothing is to be changed. Send at least one member, such as "patterns".'));
  })
  .meta({ id: 'WatchChange', description: 'What to change. Absent members stay, and null removes one.' });

const counts = z
  .object({
    ready: count('Whole files that wait for their job.'),
    submitted: count('Files whose job is not finished.'),
    converted: count('Converted files.'),
    failed: count('Files that failed and are tried again.'),
    needsAttention: count('Files that failed and wait for you.'),
    skipped: count('Files that are not converted.'),
  })
  .meta({ id: 'WatchedFileCounts', description: 'The number of files in each state.' });

const said = { code: z.string(), message: z.string(), fix: z.string().optional() };

export const watchedFailureSchema = z
  .object({ ...said, errors: z.array(z.object({ field: z.string(), ...said })).optional() })
  .meta({ id: 'WatchedFailure', description: 'Why a file was not converted: the end of its job, or a problem.' });

export const watchSchema = z
  .object({
    watchId,
    client: text('The client whose files are converted.', 'shop'),
    ...settings,
    state: watchState,
    waitingFor: choice(['quota', 'slots'], 'What ready files wait for. `slots`: `maxUnfinished`.').exactOptional(),
    stopped: watchedFailureSchema.optional().meta({ description: 'Which right the client of the watch has lost.' }),
    unreachableSince: moment('Since when the folder cannot be read. Known files stay known.').exactOptional(),
    lastScan: z
      .object({
        at: moment('When it ended.'),
        seconds: number('How long it took.').nonnegative(),
        pauseSeconds: count('How long until the next one.', 5).exactOptional(),
        files: count('Files that match, also those that are not whole yet.'),
      })
      .exactOptional()
      .meta({ description: 'The last complete list of the folder.' }),
    counts,
    warnings: list(z.string(), 'Only in the reply that makes it: what is probably a mistake.').optional(),
    createdAt: moment('When it was made.'),
    changedAt: moment('When it was last changed by a client.'),
    links: z.object({ self: z.string(), files: z.string(), jobs: z.string() }),
  })
  .meta({ id: 'Watch', description: 'A watched folder. Its `request` is shown without keys and passwords.' });

export const watchListSchema = z
  .object({ watches: z.array(watchSchema) })
  .meta({ id: 'WatchList', description: 'Watches, oldest first.' });

export const watchListQuery = z.strictObject({
  client: text('Only those of this client. Another one needs `admin`.').max(100).exactOptional(),
});

export const watchedFileState = z.enum(WATCHED_FILE_STATES).meta({
  id: 'WatchedFileState',
  description: '`FAILED`: it is tried again. `NEEDS_ATTENTION`: it failed three times, or for good, and waits for you.',
});

export const watchedFileSchema = z
  .object({
    path: text('The path of the file.', 'in/take 1.mov'),
    sizeBytes: count('Its size.', 10_485_760),
    state: watchedFileState,
    skipped: choice(
      ['EXISTED', 'OWN_OUTPUT', 'GONE'],
      'Why it is not converted. `EXISTED`: it was there before the watch. `OWN_OUTPUT`: a job of the watch made it. `GONE`: it was removed.',
    ).optional(),
    jobId: jobId.exactOptional().meta({ description: 'The newest job.' }),
    attempts: count('How many jobs it had.'),
    dueAt: moment('When it is converted again.').exactOptional(),
    failure: watchedFailureSchema.optional(),
    source: choice(['DONE', 'KEPT'], '`DONE`: moved or deleted. `KEPT`: not; `failure` says why.').exactOptional(),
    seenAt: moment('When it was last seen. It can be a day behind.'),
    changedAt: moment('When its state last changed.'),
  })
  .meta({ id: 'WatchedFile', description: 'A file of a watch.' });

export const watchedFileListSchema = z
  .object({ files: z.array(watchedFileSchema), nextCursor })
  .meta({ id: 'WatchedFileList', description: 'Files of a watch, by path.' });

export const watchedFilesQuery = z.strictObject({
  state: watchedFileState.exactOptional().meta({ description: 'Only files in this state.' }),
  limit: pageLimit('Files', 500, 100),
  cursor: cursor(8192),
});

export const watchRetryBody = z
  .strictObject({
    paths: list(z.string().min(1).max(4096), 'Only these files. Default: all that need attention.', ['in/take 1.mov'])
      .min(1)
      .max(WATCH_LIMITS.retriedPaths)
      .exactOptional(),
  })
  .meta({ id: 'WatchRetry', description: 'Which files to convert again.' });

export const watchRetrySchema = z
  .object({
    files: count('How many files are converted again.'),
    reason: text('If there are none: why.', 'No file needs attention.').optional(),
  })
  .meta({ id: 'WatchRetried', description: 'What is converted again.' });

const dryRunFile = z.object({
  path: z.string(),
  sizeBytes: z.int().nonnegative(),
  outputs: list(z.string(), 'The paths of its outputs. Absent if the request for it is rejected.').optional(),
  failure: watchedFailureSchema.optional(),
});

export const watchDryRunSchema = z
  .object({
    files: count('How many files would be converted now.', 214),
    sizeBytes: count('Their size together.', 96_636_764_160),
    ignored: count('With `existing: "ignore"`: how many files are there.').optional(),
    examples: list(dryRunFile, 'The first files.'),
    examined: count('How many files were examined for `estimate` and `rejected`.'),
    rejected: count('How many of them would be rejected.'),
    estimate: z
      .object({ seconds: number('Of all files.').optional(), sizeBytes: number('Of all outputs.').optional() })
      .optional()
      .meta({ description: 'By the examined files. Absent if none could be estimated.' }),
    warnings: list(z.string(), 'What is probably a mistake.'),
  })
  .meta({ id: 'WatchDryRun', description: 'What a watch would do now. Nothing is stored.' });

export type NewWatch = Shape<typeof newWatchBody>;
export type WatchChange = Shape<typeof watchChangeBody>;
export type WatchView = Shape<typeof watchSchema>;
export type WatchListView = Shape<typeof watchListSchema>;
export type WatchedFileView = Shape<typeof watchedFileSchema>;
export type WatchedFileListView = Shape<typeof watchedFileListSchema>;
export type WatchDryRunView = Shape<typeof watchDryRunSchema>;

type Words = typeof httpHint;

/** A failure as clients see it. `words`: the text of a fix for the client. */
export const failureView = ({ fix, errors, ...failure }: WatchedFailure, words: Words = httpHint) => ({
  ...failure,
  fix: fix && words(fix),
  errors: errors?.map(({ field, code, message, fix: how }) => ({ field, code, message, fix: how && words(how) })),
});

/** A watch as clients see it. */
export function watchView(watch: Watch, counted: WatchedCounts, words: Words = httpHint): WatchView {
  const { clientId, request, stopped, firstScanAt: _, sourceSince: __, ...shown } = watch;
  const self = `/api/watches/${watch.watchId}`;
  const { READY: ready, SUBMITTED: submitted, CONVERTED: converted, FAILED: failed, SKIPPED: skipped } = counted;
  return {
    ...shown,
    client: clientId,
    folder: shownFolder(watch.folder),
    request: requestView(request),
    stopped: stopped && failureView(stopped, words),
    counts: { ready, submitted, converted, failed, needsAttention: counted.NEEDS_ATTENTION, skipped },
    links: { self, files: `${self}/files`, jobs: `/api/conversion?watch=${watch.watchId}` },
  };
}

/** A file of a watch as clients see it. */
export const watchedFileView = (file: WatchedFile, words: Words = httpHint): WatchedFileView => ({
  ...pick(file, ['path', 'state', 'jobId', 'attempts', 'dueAt', 'source', 'seenAt', 'changedAt']),
  sizeBytes: file.bytes,
  skipped: file.skipReason,
  failure: file.failure && failureView(file.failure, words),
});
