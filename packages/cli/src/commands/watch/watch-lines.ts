import type { Watch, WatchDryRun, WatchedFile } from '@telecine/client/api.ts';
import { minuteOf } from '@telecine/contract/domain/quantity.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import {
  ACTIVITY_TEXTS,
  dryRunText,
  type FailureGroup,
  filesText,
  nextScanOf,
  rejectedText,
  watchActivity,
} from '@telecine/contract/domain/watch-text.ts';
import { fixWords } from '../../output/fix-words.ts';
import { bytes, table } from '../../output/format.ts';

/** How many files a group of failures lists. */
const MOST = 5;

/** How a command can name a watch: by its name, else its id. */
const wordOf = ({ name, watchId }: Watch): string => (name === undefined ? watchId : shellWord(name));

const activityText = (watch: Watch): string => ACTIVITY_TEXTS[watchActivity(watch)];

export const showWatches = (watches: readonly Watch[]): readonly string[] =>
  watches.length === 0
    ? ['There are no watches. "telecine watch add in/ --to out/ -f mp4" makes one.']
    : watchTable(watches);

function watchTable(watches: readonly Watch[]): readonly string[] {
  const isOfMany = new Set(watches.map(({ client }) => client)).size > 1;
  return table([
    ['NAME', 'FOLDER', ...(isOfMany ? ['CLIENT'] : []), 'STATE', 'READY', 'RUNNING', 'CONVERTED', 'ATTENTION', 'ID'],
    ...watches.map((watch) => {
      const { ready, failed, submitted, converted, needsAttention } = watch.counts;
      const counts = [ready + failed, submitted, converted, needsAttention].map(String);
      const client = isOfMany ? [watch.client] : [];
      return [watch.name ?? '', watch.folder, ...client, activityText(watch), ...counts, watch.watchId];
    }),
  ]);
}

/** What the files of a dry run would become, and what would be rejected. */
export function showDryRun(run: WatchDryRun): readonly string[] {
  const made = run.examples.filter(({ outputs }) => outputs !== undefined);
  const rejected = run.examples.filter(({ failure }) => failure !== undefined);
  const rest = run.files - run.examples.length;
  return [
    dryRunText(run),
    ...table(made.map(({ path, outputs = [] }) => [`  ${path}`, '→', outputs.join(', ')])),
    ...(made.length > 0 && rest > 0 ? [`  and ${rest} more`] : []),
    ...[rejectedText(run)].filter((text) => text !== undefined),
    ...rejected.flatMap(({ path, failure }) => failureLines(`  ${path}`, failure)),
    ...run.warnings.map((warning) => `warning: ${fixWords(warning)}`),
  ];
}

function failureLines(path: string, failure: WatchedFile['failure']): readonly string[] {
  if (failure === undefined) return [path];
  const errors = failure.errors ?? [];
  const texts = errors.length === 0 ? [failure] : errors;
  return [
    `${path}: ${failure.code}`,
    ...texts.flatMap(({ message, fix }) => [`    ${message}`, ...(fix === undefined ? [] : [`    ${fixWords(fix)}`])]),
  ];
}

export const showAdded = (watch: Watch): readonly string[] => [
  `watch  ${watch.watchId}`,
  `Files in ${watch.folder} are converted to ${outputsOf(watch).join(', ')}.`,
  `"telecine watch show ${wordOf(watch)}" shows its state.`,
];

const outputsOf = ({ request: { output, outputs = [] } }: Watch): readonly string[] => [
  ...(output === undefined ? [] : [output]),
  ...outputs.map((one) => one.output),
];

/** A watch, and its failures by reason. */
export interface ShownWatch extends Watch {
  readonly failures: readonly FailureGroup[];
}

export function showWatch(watch: ShownWatch): readonly string[] {
  const { name, watchId, folder, patterns, exclude = [], request, lastScan, counts, failures } = watch;
  const next = nextScanOf(watch);
  const rows = [
    ['watch', [name, watchId].filter((text) => text !== undefined).join('  ')],
    ['folder', [folder, ...(patterns ?? ['all media']), ...exclude.map((one) => `not ${one}`)].join('  ')],
    ['outputs', outputsOf(watch).join('  ')],
    ...(request.preset === undefined ? [] : [['recipe', request.preset.name]]),
    ['source', sourceText(watch.source)],
    ['state', stateText(watch)],
    ['files', countsText(counts)],
    ...(lastScan === undefined
      ? [['last scan', 'none yet']]
      : [['last scan', `${minuteOf(lastScan.at)}, ${filesText(lastScan.files)}, ${lastScan.seconds.toFixed(1)} s`]]),
    ...(next === undefined ? [] : [['next scan', 'every' in next ? next.every : minuteOf(next.at)]]),
  ];
  return [
    ...table(rows),
    ...(watch.stopped === undefined ? [] : ['', ...failureLines('It stopped', watch.stopped)]),
    ...failures.flatMap(groupLines),
    ...restLines(watch),
    ...(failures.length === 0 ? [] : ['', `To convert them again: telecine watch retry ${wordOf(watch)}`]),
  ];
}

const sourceText = (source: Watch['source']): string =>
  source === 'keep' ? 'kept' : source === 'delete' ? 'deleted after the conversion' : `moved to ${source.moveTo}`;

function stateText(watch: Watch): string {
  const since = watch.unreachableSince === undefined ? '' : ` since ${minuteOf(watch.unreachableSince)}`;
  return `${activityText(watch)}${watchActivity(watch) === 'unreachable' ? since : ''}`;
}

const countsText = ({ ready, submitted, converted, failed, needsAttention, skipped }: Watch['counts']): string =>
  [
    `${ready} ready`,
    `${submitted} running`,
    `${converted} converted`,
    ...(failed > 0 ? [`${failed} tried again later`] : []),
    ...(needsAttention > 0 ? [`${needsAttention} need attention`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');

const groupLines = ({ code, files, messages, fixes }: FailureGroup): readonly string[] => [
  '',
  `${code}  ${filesText(files.length)}`,
  ...messages.slice(0, 1).map((message) => `  ${message}`),
  ...fixes.map((fix) => `  ${fixWords(fix)}`),
  ...files.slice(0, MOST).map(({ path }) => `    ${path}`),
  ...(files.length > MOST ? [`    and ${files.length - MOST} more`] : []),
];

/** Says that the failures are those of the first files only, if there are more. */
function restLines({ failures, counts }: ShownWatch): readonly string[] {
  const shown = failures.reduce((sum, { files }) => sum + files.length, 0);
  if (shown >= counts.needsAttention || shown === 0) return [];
  const all = counts.needsAttention.toLocaleString('en');
  return ['', `These are the first ${shown} of the ${all} files that need attention.`];
}

export const showFiles = (files: readonly WatchedFile[], hasMore = false): readonly string[] =>
  files.length === 0
    ? ['There are no such files.']
    : [
        ...table([
          ['STATE', 'SIZE', 'FILE', 'NOTE'],
          ...files.map((file) => [file.state, bytes(file.sizeBytes), file.path, noteOf(file)]),
        ]),
        ...(hasMore ? [`There are more: "--limit ${files.length * 10}" shows them.`] : []),
      ];

/** What else a list says about a file: why it failed, else its job. */
const noteOf = ({ failure, dueAt, skipped, jobId }: WatchedFile): string =>
  failure === undefined
    ? (skipped ?? jobId ?? '')
    : `${failure.code}${dueAt === undefined ? '' : `, again at ${minuteOf(dueAt)}`}`;

/** Says how many files are converted again. `chosen`: how many were named. */
export function retryText(files: number, name: string, chosen: number): string {
  if (files === 1) return '1 file is converted again.';
  if (files > 0) return `${filesText(files)} are converted again.`;
  return chosen === 0
    ? 'No file needs attention. To convert a file again that is converted, add its path.'
    : `None is converted again: the watch does not know ${chosen === 1 ? 'it' : 'them'}, or a job is unfinished. "telecine watch files ${shellWord(name)}" shows all.`;
}
