import type { estimateSchema } from '../wire/dry-run.ts';
import type { Shape } from '../wire/shape.ts';
import { sizeText } from './quantity.ts';

/**
 * How the size of an output was estimated. `bitRate`: from bit rates in options or defaults of encoders. `copy`: from the streams of the
 * input. `format`: the format has a fixed size per sample. `jobs`: from earlier jobs. `defaults`: from usual videos. `limit`: an option
 * ends the file at this size, or the recipe fits it to this size.
 */
export const SIZE_BASES = ['bitRate', 'copy', 'format', 'jobs', 'defaults', 'limit'] as const;
export type SizeBasis = (typeof SIZE_BASES)[number];

/** What a conversion probably writes, and how long it probably runs. The time in the queue is not included. */
export type ConversionEstimate = Shape<typeof estimateSchema>;

/** The estimate for one output. If there is no size, `unknown` gives the reason as a sentence. */
export type OutputEstimate = ConversionEstimate['outputs'][number];

/** A stream in an output. The size of a video is the size that its encoder receives. */
export type EstimatedStream = NonNullable<OutputEstimate['streams']>[number];

export type TimeEstimate = ConversionEstimate['time'];

/** A range for a number. About nine of ten real values are in it. */
export type EstimatedRange = NonNullable<OutputEstimate['sizeBytes']>;

/** An estimate of a size has no more than two exact digits: `1.3 MB`. */
const aboutSize = (bytes: number): string => sizeText(bytes, 2);

const secondsText = (seconds: number): string =>
  seconds < 90 ? `${Number(seconds.toPrecision(2))} s` : `${Math.round(seconds / 60)} min`;

const between = ({ low, likely, high }: EstimatedRange, text: (value: number) => string): string => {
  const [least, most] = [text(low), text(high)];
  return least === most ? text(likely) : `${text(likely)} (${least} to ${most})`;
};

const CHANNELS: readonly string[] = ['', 'mono', 'stereo'];

/** A stream as text: `video h264 (copied) 1280x720 25 fps`, `audio aac stereo`. */
function streamText({ type, codec, isCopied, width, height, frameRate, channels }: EstimatedStream): string {
  const words = [
    type,
    codec,
    ...(isCopied ? ['(copied)'] : []),
    ...(width === undefined ? [] : [`${width}x${height}`]),
    ...(frameRate === undefined ? [] : [`${frameRate} fps`]),
    ...(channels === undefined ? [] : [CHANNELS[channels] ?? `${channels} channels`]),
  ];
  return words.join(' ');
}

/** The expected properties of an output as texts: `30.02 s long`, `video h264 (copied) 1280x720 25 fps`. Empty if nothing is known. */
const outputParts = ({ durationSeconds, streams = [] }: OutputEstimate): readonly string[] => [
  ...(durationSeconds === undefined ? [] : [`${Number(durationSeconds.toFixed(2))} s long`]),
  ...streams.map(streamText),
];

/** Lines about the outputs, each with the number of its output if there are several. Leaves out empty ones. */
const linesOf = (outputs: readonly OutputEstimate[], textOf: (output: OutputEstimate) => string): readonly string[] =>
  outputs.flatMap((output, index) => {
    const text = textOf(output);
    return text === '' ? [] : [outputs.length > 1 ? `output ${index + 1}: ${text}` : text];
  });

/** The expected outputs as one line. '' if nothing is known. */
export const expectedText = ({ outputs }: Pick<ConversionEstimate, 'outputs'>): string =>
  linesOf(outputs, (output) => outputParts(output).join(', ')).join('; ');

/** An estimate as short lines: one line for each output, then one line for the time. */
export function estimateLines({ outputs, time }: ConversionEstimate): readonly string[] {
  const lines = linesOf(outputs, (output) => {
    const { sizeBytes, unknown = '' } = output;
    const parts = outputParts(output);
    // `unknown` is a sentence, so it comes last.
    return (sizeBytes ? [between(sizeBytes, aboutSize), ...parts] : [...parts, `size unknown: ${unknown}`]).join(', ');
  });
  // If the same reason explains the unknown size and the unknown time, say it once.
  const isSaid = outputs.some(({ unknown }) => unknown !== undefined && unknown === time.unknown);
  return isSaid ? lines : [...lines, timeLine(time)];
}

function timeLine({ seconds, jobsBefore, unknown = '' }: TimeEstimate): string {
  const queued =
    jobsBefore === undefined
      ? ''
      : jobsBefore === 0
        ? ' once it starts'
        : ` after ${jobsBefore} queued ${jobsBefore === 1 ? 'job' : 'jobs'}`;
  return seconds === undefined ? `time unknown: ${unknown}` : `takes ${between(seconds, secondsText)}${queued}`;
}
