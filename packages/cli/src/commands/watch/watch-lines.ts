import type { Watch, WatchDryRun, WatchedFile } from '@telecine/client/api.ts';
import {
  dryRunText,
  type FailureGroup,
  filesText,
  groupedText,
  rejectedText,
  watchActivity,
} from '@telecine/contract/domain/watch-text.ts';
import { fixWords } from '../../output/fix-words.ts';
import { bytes, table } from '../../output/format.ts';
import { listLines, recordLines } from '../../output/result-lines.ts';

/** How many files a group of failures lists. */
const MOST = 5;

export const showWatches = (watches: readonly Watch[]): readonly string[] =>
  listLines(
    watches,
    [
      ...(['name', 'folder', 'client'] as const),
      ['STATE', watchActivity],
      ['READY', ({ counts }) => counts.ready + counts.failed],
      ['RUNNING', ({ counts }) => counts.submitted],
      ['CONVERTED', ({ counts }) => counts.converted],
      ['ATTENTION', ({ counts }) => counts.needsAttention],
      ['ID', ({ watchId }) => watchId],
    ],
    'There are no watches. "telecine watch add in/ --to out/ -f mp4" makes one.',
  );

/** What the files of a dry run would become, and what would be rejected. */
export function showDryRun(run: WatchDryRun): readonly string[] {
  const made = run.examples.flatMap(({ path, outputs }) => (outputs ? [[`  ${path}`, '→', outputs.join(', ')]] : []));
  return [
    dryRunText(run),
    ...table(made),
    ...moreLines(made.length === 0 ? 0 : run.files - run.examples.length, '  '),
    ...[rejectedText(run)].filter((text) => text !== undefined),
    ...run.examples.flatMap(({ path, failure }) => failureLines(`  ${path}`, failure)),
    ...run.warnings.map((warning) => `warning: ${fixWords(warning)}`),
  ];
}

const moreLines = (count: number, indent: string): readonly string[] =>
  count > 0 ? [`${indent}and ${count} more`] : [];

function failureLines(title: string, failure: WatchedFile['failure']): readonly string[] {
  if (failure === undefined) return [];
  const { code, errors = [failure] } = failure;
  const texts = errors.flatMap(({ message, fix }) => [message, fix === undefined ? [] : fixWords(fix)]).flat();
  return [`${title}: ${code}`, ...texts.map((text) => `    ${text}`)];
}

/** A watch, and its failures by reason. */
export interface ShownWatch extends Watch {
  readonly failures?: readonly FailureGroup[];
}

export function showWatch({ failures = [], warnings = [], ...watch }: ShownWatch): readonly string[] {
  const grouped = failures.length === 0 ? undefined : groupedText(failures, watch.counts);
  return [
    ...recordLines({ ...watch, now: watchActivity(watch) }),
    ...warnings.map((warning) => `warning: ${fixWords(warning)}`),
    ...(grouped === undefined ? [] : ['', grouped]),
    ...failures.flatMap(({ code, paths, messages, fixes }) => [
      ...['', `${code}  ${filesText(paths.length)}`],
      ...[...messages.slice(0, 1), ...fixes.map(fixWords)].map((text) => `  ${text}`),
      ...paths.slice(0, MOST).map((path) => `    ${path}`),
      ...moreLines(paths.length - MOST, '    '),
    ]),
    ...(failures.length === 0 ? [] : ['', `To convert them again: telecine watch retry ${watch.watchId}`]),
  ];
}

export const showFiles = (files: readonly WatchedFile[]): readonly string[] =>
  listLines(
    files,
    [
      'state',
      ['SIZE', ({ sizeBytes }) => bytes(sizeBytes)],
      ['FILE', ({ path }) => path],
      ['NOTE', ({ failure, skipped, jobId }) => failure?.code ?? skipped ?? jobId],
    ],
    'There are no such files.',
  );
