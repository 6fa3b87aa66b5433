import type { WatchDryRunView, WatchedFileView, WatchView } from '../wire/watch.ts';
import { sizeText } from './quantity.ts';

/** How long something takes, with one or two exact digits: `40 s`, `12 min`, `3 h`, `2.5 days`. */
export function aboutTime(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${halves(seconds / 3600)} h`;
  return `${halves(seconds / 86_400)} days`;
}

/** Rounds to halves below ten, and to whole numbers above. */
const halves = (value: number): number => (value < 10 ? Math.round(2 * value) / 2 : Math.round(value));

/** The number of files in words: `1 file`, `10,000 files`. */
export const filesText = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** What a dry run of a watch found, as one sentence: `214 files would be converted, about 3 h, 12 GB.` */
export function dryRunText({
  files,
  ignored = 0,
  estimate: { seconds, sizeBytes } = {},
}: Pick<WatchDryRunView, 'files' | 'ignored' | 'estimate'>): string {
  const later = 'Each file that lands in the folder later is converted.';
  if (ignored > 0)
    return `The ${filesText(ignored)} that ${ignored === 1 ? 'is' : 'are'} there now would not be converted. ${later}`;
  if (files === 0) return `No files would be converted now. ${later}`;
  const about = [
    ...(seconds === undefined ? [] : [aboutTime(seconds)]),
    ...(sizeBytes === undefined ? [] : [sizeText(sizeBytes, 2)]),
  ];
  return `${filesText(files)} would be converted${about.length === 0 ? '' : `, about ${about.join(', ')}`}.`;
}

/** The examined files of a dry run whose request is rejected, as one sentence. undefined: none are. */
export function rejectedText({
  rejected,
  examined,
}: Pick<WatchDryRunView, 'rejected' | 'examined'>): string | undefined {
  if (rejected === 0) return undefined;
  if (examined === 1) return 'The file that was examined would be rejected.';
  return `${rejected === examined ? 'All' : rejected} of the ${examined} examined files would be rejected.`;
}

/**
 * What a watch does at present. `stopped`: its client may not do what it does. `quota`: files are ready, and wait for it.
 * `watching`: there is nothing to convert.
 */
export type WatchActivity = 'stopped' | 'unreachable' | 'paused' | 'quota' | 'converting' | 'watching';

type WatchCondition = Pick<WatchView, 'state' | 'stopped' | 'unreachableSince' | 'waitingFor' | 'counts'>;

export function watchActivity({ state, stopped, unreachableSince, waitingFor, counts }: WatchCondition): WatchActivity {
  if (state === 'PAUSED') return 'paused';
  if (stopped !== undefined) return 'stopped';
  if (unreachableSince !== undefined) return 'unreachable';
  if (waitingFor === 'quota') return waitingFor;
  // Failed files are tried again minutes later.
  return counts.submitted + counts.ready > 0 ? 'converting' : 'watching';
}

/** The activity of a watch in one or a few words. */
export const ACTIVITY_TEXTS: Readonly<Record<WatchActivity, string>> = {
  stopped: 'stopped',
  unreachable: 'folder unreachable',
  paused: 'paused',
  quota: 'waiting for a quota',
  converting: 'converting',
  watching: 'watching',
};

/** Files of a watch that failed for the same reason. */
export interface FailureGroup {
  readonly code: string;
  readonly files: readonly WatchedFileView[];
  /** The messages that differ, at most three. They name the file that they are about. */
  readonly messages: readonly string[];
  /** The fixes that differ, at most three. */
  readonly fixes: readonly string[];
}

const MAX_TEXTS = 3;

/** Groups failed files by the code of their failure, the largest group first. */
export function failureGroups(files: readonly WatchedFileView[]): readonly FailureGroup[] {
  const byCode = Map.groupBy(
    files.filter(({ failure }) => failure !== undefined),
    ({ failure }) => failure?.code ?? '',
  );
  return [...byCode]
    .map(([code, all]) => ({
      code,
      files: all,
      messages: distinct(all.map(({ failure }) => failure?.message)),
      fixes: distinct(all.flatMap(fixesOf)),
    }))
    .sort((a, b) => b.files.length - a.files.length);
}

/** The fixes of a failure. A rejected request has them in its errors. */
const fixesOf = ({ failure }: WatchedFileView): readonly (string | undefined)[] => [
  failure?.fix,
  ...(failure?.errors ?? []).map(({ fix }) => fix),
];

const distinct = (texts: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(texts.filter((text) => text !== undefined))].slice(0, MAX_TEXTS);

/** From this pause on, the time of the last scan, which is stored once a minute, tells when the next one is. */
const MIN_STORED_PAUSE_SECONDS = 60;

/**
 * When the folder of a watch is scanned next: `every 15 s`, or when. undefined: it is not scanned at present, or there was no scan.
 */
export function nextScanOf({
  state,
  stopped,
  unreachableSince,
  lastScan,
}: Pick<WatchView, 'state' | 'stopped' | 'unreachableSince' | 'lastScan'>):
  | { readonly every: string }
  | { readonly at: string }
  | undefined {
  const pause = lastScan?.pauseSeconds;
  if (state !== 'ACTIVE' || stopped !== undefined || unreachableSince !== undefined) return undefined;
  if (lastScan === undefined || pause === undefined) return undefined;
  if (pause < MIN_STORED_PAUSE_SECONDS) return { every: `every ${Math.max(1, pause)} s` };
  return { at: new Date(Date.parse(lastScan.at) + pause * 1000).toISOString() };
}
