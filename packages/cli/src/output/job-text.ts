import { styleText } from 'node:util';
import { estimateLines } from '@telecine/contract/domain/estimate.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import { samplesText } from '@telecine/contract/domain/samples-text.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { DryRunView } from '@telecine/contract/wire/dry-run.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import type { WarningView } from '@telecine/contract/wire/warning.ts';
import { fixWords } from './fix-words.ts';
import { between, bytes, clock } from './format.ts';

/** Returns the note next to the percentage of a job: its speed, its phase or its result. */
export function jobNote(job: JobView): string {
  switch (job.status) {
    case 'PENDING':
      return styleText('dim', 'queued');
    case 'COMPLETED':
      return styleText('green', `done in ${between(job.startedAt, job.completedAt)}`);
    case 'FAILED':
    case 'CANCELLED':
      return styleText('red', job.error?.code ?? job.status);
    case 'PROCESSING': {
      if (job.samples !== undefined) return styleText('dim', samplesText(job.samples).toLowerCase());
      const speed = job.speed === undefined ? '' : `${job.speed.toFixed(1)}×`.padStart(6);
      const left = job.etaSeconds === undefined ? '' : `${clock(job.etaSeconds)} left`;
      const pace = `${speed}  ${left}`;
      return pace.trim() === '' ? styleText('dim', (job.phase ?? 'starting').toLowerCase()) : pace;
    }
  }
}

export const percentOf = (job: JobView): number => (job.status === 'COMPLETED' ? 100 : (job.progress ?? 0));

type Output = NonNullable<JobView['outputs']>[number];
type Stream = NonNullable<Output['streams']>[number];

/** How many files a list shows at most. Further files are only counted. */
const MOST = 10;

/** Lists the outputs of a job, one line per file. `names`: the names to show. Default: the paths of the outputs. */
export function showOutputs(
  { outputs = [], outputCount = outputs.length }: Pick<JobView, 'outputs' | 'outputCount'>,
  names = outputs.map(({ path }) => path),
): readonly string[] {
  const lines = outputs.slice(0, MOST).map(({ sizeBytes, durationSeconds, streams = [], quality, ladder }, i) => {
    const facts = [
      bytes(sizeBytes),
      ...(durationSeconds === undefined ? [] : [`${durationSeconds.toFixed(2)} s`]),
      ...(streams.length === 0 || ladder !== undefined ? [] : [streams.map(streamFacts).join(' + ')]),
      ...(quality?.reached === undefined ? [] : [qualityFacts(quality, quality.reached)]),
      ...(ladder === undefined ? [] : [ladderFacts(ladder)]),
    ];
    return plainText(`${names[i] ?? ''}  ${facts.join('  ')}`);
  });
  return outputCount > MOST ? [...lines, `and ${outputCount - MOST} more files`] : lines;
}

const streamFacts = ({ codec, width, height }: Stream): string =>
  width === undefined ? codec : `${codec} ${width}×${height}`;

const qualityFacts = ({ metric, option, value }: NonNullable<Output['quality']>, reached: number): string =>
  `${METRIC_NAMES[metric]} ${reached} (${option} ${value})`;

const ladderFacts = ({ rungs }: NonNullable<Output['ladder']>): string =>
  rungs
    .map(({ width, height, averageBandwidth }) => `${width}×${height} ${Math.round(averageBandwidth / 1000)} kb/s`)
    .join(', ');

export const warningText = ({ message, fix }: WarningView): string =>
  plainText(`warning: ${message}${fix === undefined ? '' : ` ${fixWords(fix)}`}`);

/** The ffmpeg commands of a plan, one line each. */
export const argvLines = ({ argv }: { readonly argv: readonly (readonly string[])[] }): readonly string[] =>
  argv.map((words) => plainText(words.map(shellWord).join(' ')));

/** Formats the estimate of a plan: one line for each output, and one for the time. Empty if no size is known. */
export const planEstimateLines = ({ estimate }: Pick<DryRunView, 'estimate'>): readonly string[] =>
  estimate === undefined || estimate.outputs.every(({ sizeBytes }) => sizeBytes === undefined)
    ? []
    : estimateLines(estimate).map((line) => plainText(`estimate: ${line}`));

export const failureLines = ({ error, message }: Pick<JobView, 'error' | 'message'>): readonly string[] => {
  const { message: reason, fix } = error ?? { message };
  return [`error: ${reason}`, ...(fix === undefined ? [] : [fixWords(fix)])].map(plainText);
};
