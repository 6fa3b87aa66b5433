import type { Watch, WatchDryRun, WatchedFile } from '@telecine/client/api.ts';
import { minuteOf } from '@telecine/contract/domain/quantity.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import {
  aboutTime,
  dryRunText,
  type FailureGroup,
  filesText,
  rejectedText,
  watchActivity,
} from '@telecine/contract/domain/watch-text.ts';
import { fixWords } from '../../output/fix-words.ts';
import { bytes, table } from '../../output/format.ts';

/** How many files a group of failures lists. */
const MOST = 5;

/** How a command can name a watch: by its name, else its id. */
const wordOf = ({ name, watchId }: Watch): string => (name === undefined ? watchId : shellWord(name));

export function showWatches(watches: readonly Watch[]): readonly string[] {
  if (watches.length === 0) return ['There are no watches. "telecine watch add in/ --to out/ -f mp4" makes one.'];
  const isOfMany = new Set(watches.map(({ client }) => client)).size > 1;
  return table([
    ['NAME', 'FOLDER', ...(isOfMany ? ['CLIENT'] : []), 'STATE', 'READY', 'RUNNING', 'CONVERTED', 'ATTENTION', 'ID'],
    ...watches.map((watch) => {
      const { ready, failed, submitted, converted, needsAttention } = watch.counts;
      const counts = [ready + failed, submitted, converted, needsAttention].map(String);
      const client = isOfMany ? [watch.client] : [];
      return [watch.name ?? '', watch.folder, ...client, watchActivity(watch), ...counts, watch.watchId];
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
  return [
    `${title}: ${code}`,
    ...errors.flatMap(({ message, fix }) => [`    ${message}`, ...(fix === undefined ? [] : [`    ${fixWords(fix)}`])]),
  ];
}

export const showAdded = (watch: Watch): readonly string[] => [
  `watch  ${watch.watchId}`,
  `Files in ${watch.folder} are converted to ${outputsOf(watch).join(', ')}.`,
  `"telecine watch show ${wordOf(watch)}" shows its state.`,
];

const outputsOf = ({ request: { output, outputs = [] } }: Watch): readonly string[] =>
  [output, ...outputs.map((one) => one.output)].filter((path) => path !== undefined);

/** A watch, and its failures by reason. */
export interface ShownWatch extends Watch {
  readonly failures: readonly FailureGroup[];
}

export function showWatch(watch: ShownWatch): readonly string[] {
  const { name, watchId, folder, patterns = ['all media'], exclude = [], request, source, counts, failures } = watch;
  const state = watchActivity(watch);
  const read = failures.reduce((sum, { paths }) => sum + paths.length, 0);
  return [
    ...table([
      ['watch', [name, watchId].filter((text) => text !== undefined).join('  ')],
      ['folder', [folder, ...patterns, ...exclude.map((one) => `not ${one}`)].join('  ')],
      ['outputs', outputsOf(watch).join('  ')],
      ...(request.preset === undefined ? [] : [['recipe', request.preset.name]]),
      ['source', source === 'keep' || source === 'delete' ? source : `moved to ${source.moveTo}`],
      ['state', state === 'folder unreachable' ? `${state} since ${minuteOf(watch.unreachableSince ?? '')}` : state],
      ['files', countsText(counts)],
      ['last scan', scanText(watch, !['paused', 'stopped', 'folder unreachable'].includes(state))],
    ]),
    ...failureLines('It stopped', watch.stopped),
    ...failures.flatMap(groupLines),
    ...(read > 0 && read < counts.needsAttention
      ? ['', `These are the first ${read} of the ${filesText(counts.needsAttention)} that need attention.`]
      : []),
    ...(failures.length === 0 ? [] : ['', `To convert them again: telecine watch retry ${wordOf(watch)}`]),
  ];
}

/** The last scan, and how often the folder is scanned, if it is at present. */
function scanText({ lastScan }: Watch, isOn: boolean): string {
  if (lastScan === undefined) return 'none yet';
  const { at, files, seconds, pauseSeconds } = lastScan;
  const every = pauseSeconds !== undefined && isOn ? `, again every ${aboutTime(pauseSeconds)}` : '';
  return `${minuteOf(at)}, ${filesText(files)}, ${seconds.toFixed(1)} s${every}`;
}

const countsText = ({ ready, submitted, converted, failed, needsAttention, skipped }: Watch['counts']): string => {
  const others = [`${failed} tried again later`, `${needsAttention} need attention`, `${skipped} skipped`];
  const some = others.filter((text) => !text.startsWith('0 '));
  return [`${ready} ready`, `${submitted} running`, `${converted} converted`, ...some].join(', ');
};

const groupLines = ({ code, paths, messages, fixes }: FailureGroup): readonly string[] => [
  '',
  `${code}  ${filesText(paths.length)}`,
  ...messages.slice(0, 1).map((message) => `  ${message}`),
  ...fixes.map((fix) => `  ${fixWords(fix)}`),
  ...paths.slice(0, MOST).map((path) => `    ${path}`),
  ...moreLines(paths.length - MOST, '    '),
];

export function showFiles(files: readonly WatchedFile[], hasMore = false): readonly string[] {
  if (files.length === 0) return ['There are no such files.'];
  const rows = files.map((file) => [file.state, bytes(file.sizeBytes), file.path, noteOf(file)]);
  return [
    ...table([['STATE', 'SIZE', 'FILE', 'NOTE'], ...rows]),
    ...(hasMore ? ['There are more: choose some with "--state", or a larger "--limit".'] : []),
  ];
}

/** What else a list says about a file: why it failed, else its job. */
const noteOf = ({ failure, dueAt, skipped, jobId }: WatchedFile): string =>
  failure === undefined
    ? (skipped ?? jobId ?? '')
    : `${failure.code}${dueAt === undefined ? '' : `, again at ${minuteOf(dueAt)}`}`;

/** Says how many files are converted again. `chosen`: how many were named. */
export function retryText(files: number, name: string, chosen: number): string {
  if (files > 0) return `${filesText(files)} ${files === 1 ? 'is' : 'are'} converted again.`;
  if (chosen === 0) return 'No file needs attention. To convert a file again that is converted, add its path.';
  return `No file is converted again: their jobs are unfinished, or "telecine watch files ${shellWord(name)}" does not list them.`;
}
