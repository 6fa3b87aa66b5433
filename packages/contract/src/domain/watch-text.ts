import type { WatchDryRunView, WatchedFileView, WatchView } from '../wire/watch.ts';
import { sizeText } from './quantity.ts';

/** How long something takes, with one or two exact digits: `40 s`, `12 min`, `3 h`. */
const aboutTime = (seconds: number): string => {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3600).toPrecision(2))} h`;
};

/** The number of files in words: `1 file`, `10,000 files`. */
export const filesText = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** What a dry run of a watch found, as one sentence: `214 files would be converted, about 3 h, 12 GB.` */
export function dryRunText({
  files,
  ignored = 0,
  estimate: { seconds, sizeBytes } = {},
}: Pick<WatchDryRunView, 'files' | 'ignored' | 'estimate'>): string {
  const time = seconds === undefined ? '' : aboutTime(seconds);
  const about = [time, sizeBytes === undefined ? '' : sizeText(sizeBytes, 2)].filter(Boolean).join(', ');
  if (files > 0) return `${filesText(files)} would be converted${about && `, about ${about}`}.`;
  const now = ignored > 0 ? `The ${filesText(ignored)} there now would not` : 'No files would now';
  return `${now} be converted. Each file that lands in the folder later is converted.`;
}

/** The examined files of a dry run whose request is rejected, as one sentence. undefined: none are. */
export function rejectedText({
  rejected,
  examined,
}: Pick<WatchDryRunView, 'rejected' | 'examined'>): string | undefined {
  if (rejected === 0) return undefined;
  return `${rejected === examined ? 'All' : rejected} of the ${examined} examined files would be rejected.`;
}

/**
 * What a watch does at present, in a few words. `stopped`: its client may not do what it does. `waiting for a quota`: files are ready.
 * `watching`: there is nothing to convert.
 */
export type WatchActivity = ReturnType<typeof watchActivity>;

export function watchActivity({
  state,
  stopped,
  unreachableSince,
  waitingFor,
  counts,
}: Pick<WatchView, 'state' | 'stopped' | 'unreachableSince' | 'waitingFor' | 'counts'>) {
  if (state === 'PAUSED') return 'paused';
  if (stopped !== undefined) return 'stopped';
  if (unreachableSince !== undefined) return 'folder unreachable';
  if (waitingFor === 'quota') return 'waiting for a quota';
  // Failed files are tried again minutes later.
  return counts.submitted + counts.ready > 0 ? 'converting' : 'watching';
}

/** Files of a watch that failed for the same reason. */
export type FailureGroup = ReturnType<typeof failureGroups>[number];

const MAX_TEXTS = 3;

/**
 * Groups failed files by the code of their failure, the largest group first. Of the messages and fixes, which can name files, at most three
 * are kept.
 */
export function failureGroups(files: readonly WatchedFileView[]) {
  const failures = files.flatMap(({ path, failure }) => (failure === undefined ? [] : [{ path, ...failure }]));
  return [...Map.groupBy(failures, ({ code }) => code)]
    .map(([code, all]) => ({
      code,
      paths: all.map(({ path }) => path),
      messages: distinct(all.map(({ message }) => message)),
      // A rejected request has its fixes in its errors.
      fixes: distinct(all.flatMap(({ fix, errors = [] }) => [fix, ...errors.map((error) => error.fix)])),
    }))
    .sort((a, b) => b.paths.length - a.paths.length);
}

/** Says how many files the groups of failures have, if some files are in no group. */
export function groupedText(
  groups: readonly FailureGroup[],
  { needsAttention }: WatchView['counts'],
): string | undefined {
  const grouped = groups.reduce((all, { paths }) => all + paths.length, 0);
  if (grouped >= needsAttention) return undefined;
  return `These are the first ${grouped.toLocaleString('en')} of ${filesText(needsAttention)} that need attention.`;
}

const distinct = (texts: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(texts.filter((text) => text !== undefined))].slice(0, MAX_TEXTS);
