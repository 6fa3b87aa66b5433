import { plainText } from '../../domain/text-validation.ts';
import type { JobView } from '../../wire/job.ts';
import { bytes } from './quantities.ts';

type Output = NonNullable<JobView['outputs']>[number];
type Stream = NonNullable<Output['streams']>[number];

/** The maximum number of files to list. Further files are only counted. */
const MOST = 10;

/** The outputs of a job, one line per file. `names` are the names to show; the default is their paths. */
export function showOutputs(
  { outputs = [], outputCount = outputs.length }: Pick<JobView, 'outputs' | 'outputCount'>,
  names = outputs.map(({ path }) => path),
): readonly string[] {
  const lines = outputs.slice(0, MOST).map(({ sizeBytes, durationSeconds, streams = [] }, i) => {
    const facts = [
      bytes(sizeBytes),
      ...(durationSeconds === undefined ? [] : [`${durationSeconds.toFixed(2)} s`]),
      ...(streams.length === 0 ? [] : [streams.map(streamFacts).join(' + ')]),
    ];
    return plainText(`${names[i] ?? ''}  ${facts.join('  ')}`);
  });
  return outputCount > MOST ? [...lines, `and ${outputCount - MOST} more files`] : lines;
}

const streamFacts = ({ codec, width, height }: Stream): string =>
  width === undefined ? codec : `${codec} ${width}×${height}`;
