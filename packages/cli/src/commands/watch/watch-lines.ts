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

/** How many files a group of failures lists. */
const MOST = 5;

export function showWatches(watches: readonly Watch[]): readonly string[] {
  if (watches.length === 0) return ['There are no watches. "telecine watch add in/ --to out/ -f mp4" makes one.'];
  return table([
    ['NAME', 'FOLDER', 'CLIENT', 'STATE', 'READY', 'RUNNING', 'CONVERTED', 'ATTENTION', 'ID'],
    ...watches.map((watch) => {
      const { ready, failed, submitted, converted, needsAttention } = watch.counts;
      const counts = [ready + failed, submitted, converted, needsAttention].map(String);
      return [watch.name ?? '', watch.folder, watch.client, watchActivity(watch), ...counts, watch.watchId];
    }),
  ]);
}

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
  readonly failures: readonly FailureGroup[];
}

export function showWatch({ failures, warnings = [], links: _, ...watch }: ShownWatch): readonly string[] {
  const rows = Object.entries({ ...watch, now: watchActivity(watch) });
  const grouped = failures.length === 0 ? undefined : groupedText(failures, watch.counts);
  return [
    ...table(rows.map(([name, value]) => [name, textOf(value)])),
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

/** A value of a watch as one line: `ready 190, submitted 20`. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('  ');
  return Object.entries(value)
    .map(([name, one]) => `${name} ${textOf(one)}`)
    .join(', ');
}

export function showFiles(files: readonly WatchedFile[], hasMore = false): readonly string[] {
  if (files.length === 0) return ['There are no such files.'];
  const rows = files.map((file) => {
    const { failure, skipped, jobId = '' } = file;
    return [file.state, bytes(file.sizeBytes), file.path, failure?.code ?? skipped ?? jobId];
  });
  return [
    ...table([['STATE', 'SIZE', 'FILE', 'NOTE'], ...rows]),
    ...(hasMore ? ['There are more: choose some with "--state", or a larger "--limit".'] : []),
  ];
}
