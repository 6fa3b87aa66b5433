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

export function showWatch(watch: ShownWatch): readonly string[] {
  const { watchId, folder, patterns = [], request, source, lastScan, unreachableSince, counts, failures } = watch;
  const outputs = [request, ...(request.outputs ?? [])].flatMap(({ output }) => output ?? []);
  const away = unreachableSince === undefined ? [] : [['away since', minuteOf(unreachableSince)]];
  const pause = lastScan?.pauseSeconds === undefined ? '' : `, again every ${aboutTime(lastScan.pauseSeconds)}`;
  const { ready, submitted, converted, failed, needsAttention, skipped } = counts;
  return [
    ...table([
      ['watch', `${watch.name ?? ''}  ${watchId}`.trim()],
      ['folder', [folder, ...patterns].join('  ')],
      ['outputs', outputs.join('  ')],
      ['source', typeof source === 'string' ? source : `moved to ${source.moveTo}`],
      ['state', watchActivity(watch)],
      ...away,
      ['files', `${ready} ready, ${submitted} running, ${converted} converted, ${needsAttention} need attention`],
      ['others', `${failed} tried again later, ${skipped} skipped`],
      ['last scan', lastScan === undefined ? 'none yet' : `${minuteOf(lastScan.at)}, ${lastScan.files} files${pause}`],
    ]),
    ...failureLines('It stopped', watch.stopped),
    ...(watch.warnings ?? []).map((warning) => `warning: ${fixWords(warning)}`),
    ...failures.flatMap(({ code, paths, messages, fixes }) => [
      ...['', `${code}  ${filesText(paths.length)}`],
      ...[...messages.slice(0, 1), ...fixes.map(fixWords)].map((text) => `  ${text}`),
      ...paths.slice(0, MOST).map((path) => `    ${path}`),
      ...moreLines(paths.length - MOST, '    '),
    ]),
    ...(failures.length === 0 ? [] : ['', `To convert them again: telecine watch retry ${wordOf(watch)}`]),
  ];
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
