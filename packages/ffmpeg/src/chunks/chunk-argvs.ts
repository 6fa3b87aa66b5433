import type { Chunk, ChunkedRun, ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import type { WrittenText } from '@telecine/contract/domain/plan.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { svtLevelOf } from '../plan/encoders/thread-count.ts';
import { isShifted, PLACEHOLDERS, SHIFT_SECONDS } from './placeholders.ts';

/** The logical name of a chunk. */
export const chunkFile = ({ extension }: Pick<ChunkTemplates, 'extension'>, index: number): string =>
  `pass/chunk-${String(index).padStart(6, '0')}.${extension}`;

/** The logical name of the file with all streams except the video. */
export const restFile = ({ extension }: Pick<ChunkTemplates, 'extension'>): string => `pass/rest.${extension}`;

const LIST = 'pass/chunks.ffconcat';

/**
 * The argv that encodes a chunk to `chunkFile`. Its frames have the times of the whole conversion.
 *
 * @param threads The number of threads of the encoder. It changes the result slightly, so it must be the same for all chunks of a run.
 */
export function chunkArgv(
  planned: ChunkTemplates,
  chunk: Chunk,
  { threads }: { readonly threads: number },
): readonly string[] {
  const count = Math.max(1, Math.min(threads, planned.maxThreads ?? threads));
  const { startMicros, lengthMicros, offsetMicros, keyFrameMicros = [], index } = chunk;
  const parameters =
    planned.encoder === 'libsvtav1'
      ? `lp=${planned.svtLevels ? svtLevelOf(count) : count}`
      : `pools=${count}:frame-threads=${frameThreads(count)}`;
  const values: Readonly<Record<string, string | undefined>> = {
    [PLACEHOLDERS.start]: index === 0 ? undefined : printMicros(startMicros),
    [PLACEHOLDERS.length]: lengthMicros === undefined ? undefined : printMicros(lengthMicros),
    [PLACEHOLDERS.offset]: offsetMicros === undefined ? undefined : printMicros(offsetMicros),
    [PLACEHOLDERS.threads]: `${count}`,
    [PLACEHOLDERS.parameters]: parameters,
    [PLACEHOLDERS.keyFrames]: keyFrameMicros.length === 0 ? undefined : keyFrameMicros.map(printMicros).join(','),
    [`file:${PLACEHOLDERS.file}`]: `file:${chunkFile(planned, index)}`,
  };
  const argv: string[] = [];
  for (const word of planned.chunk) {
    // The first chunk begins as the whole does, where a constant frame rate repeats the first frame for the time before it.
    if (word === PLACEHOLDERS.keptTimes) argv.push(...(index === 0 ? [] : ['-copyts', '-start_at_zero']));
    else if (word.endsWith(`,${PLACEHOLDERS.trim}`))
      argv.push(word.slice(0, -PLACEHOLDERS.trim.length - 1) + trimOf(chunk));
    else if (word.startsWith(`${PLACEHOLDERS.parameters}:`))
      argv.push(parameters + word.slice(PLACEHOLDERS.parameters.length));
    else if (!Object.hasOwn(values, word)) argv.push(word);
    else {
      const value = values[word];
      // Without a value, the option in front of the placeholder goes too.
      if (value === undefined) argv.pop();
      else argv.push(value);
    }
  }
  return argv;
}

/** The filter that ends a chunk. Its first frame may be the whole's first one, which needs no start. */
function trimOf({ index, startMicros, lengthMicros }: Chunk): string {
  const options = [
    ...(index === 0 ? [] : [`start=${printMicros(startMicros)}`]),
    ...(lengthMicros === undefined ? [] : [`end=${printMicros(startMicros + lengthMicros)}`]),
  ];
  return options.length === 0 ? '' : `,trim=${options.join(':')}`;
}

/** The frames that libx265 encodes at the same time, by its own rule for a processor with this many cores. */
const frameThreads = (threads: number): number => (threads >= 16 ? 5 : threads >= 8 ? 3 : threads >= 4 ? 2 : 1);

/** The argv that encodes all streams except the video to `restFile`. undefined: there are none. */
export function restArgv(
  planned: ChunkTemplates,
  { hasRest, offsetMicros }: ChunkedRun,
): readonly string[] | undefined {
  if (!hasRest || planned.rest === undefined) return undefined;
  const argv: string[] = [];
  for (const word of planned.rest) {
    if (word === `file:${PLACEHOLDERS.file}`) argv.push(`file:${restFile(planned)}`);
    else if (word !== PLACEHOLDERS.offset) argv.push(word);
    else if (offsetMicros === undefined) argv.pop();
    else argv.push(printMicros(offsetMicros));
  }
  return argv;
}

/** The run that joins the chunks and the rest to the output of the plan. */
export interface ChunkJoin {
  readonly argv: readonly string[];
  /** Files to write before the run: the list of the chunks. */
  readonly texts: readonly WrittenText[];
}

/** @param encoder The tag `encoder` of a finished chunk, as `readChunkFacts` returns it. */
export function joinOfChunks(planned: ChunkTemplates, run: ChunkedRun, encoder?: string): ChunkJoin {
  const { head, output, ofRest = [], setsDisposition } = planned.join;
  const rest = restArgv(planned, run);
  const disposition = run.disposition.length === 0 ? '0' : run.disposition.join('+');
  return {
    argv: [
      ...head,
      // Without `auto_convert 0`, ffmpeg repeats the headers of H.264 in the packets.
      ...[
        '-f',
        'concat',
        '-safe',
        '0',
        '-auto_convert',
        '0',
        '-protocol_whitelist',
        'file',
        '-format_whitelist',
        'concat',
      ],
      ...['-i', `file:${LIST}`],
      ...(rest === undefined
        ? []
        : [
            ...(isShifted(planned.extension) ? ['-itsoffset', `-${SHIFT_SECONDS}`] : []),
            ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
            ...['-i', `file:${restFile(planned)}`],
          ]),
      ...['-map', '1:v:0', ...(rest === undefined ? [] : ['-map', '2'])],
      ...(setsDisposition ? [] : ['-disposition:v:0', disposition]),
      ...(encoder === undefined ? [] : ['-metadata:s:v:0', `encoder=${encoder}`]),
      ...(run.timecode === undefined ? [] : ['-metadata:s:v:0', `timecode=${run.timecode}`]),
      ...(rest === undefined ? [] : ofRest),
      ...output,
    ],
    texts: [{ logical: LIST, text: listOf(planned, run) }],
  };
}

/**
 * The list for ffmpeg's demuxer `concat`. It adds the start of a file in the list, which is the sum of the durations before it, to the times
 * in the file, and subtracts the `inpoint`. Here both differ by the shift only, so that all times stay exact.
 */
function listOf(planned: ChunkTemplates, { chunks }: ChunkedRun): string {
  const lines = chunks.flatMap(({ index, cutMicros }, at) => {
    const next = chunks[at + 1];
    return [
      `file 'file:${chunkFile(planned, index)}'`,
      'option protocol_whitelist file',
      `option format_whitelist ${INPUT_FORMATS}`,
      `inpoint ${printMicros(cutMicros + SHIFT_SECONDS * 1e6)}`,
      ...(next === undefined ? [] : [`duration ${printMicros(next.cutMicros - cutMicros)}`]),
    ];
  });
  return `${['ffconcat version 1.0', ...lines].join('\n')}\n`;
}

/** Microseconds as seconds, exactly. */
const printMicros = (micros: number): string => {
  const text = String(Math.abs(micros)).padStart(7, '0');
  return `${micros < 0 ? '-' : ''}${text.slice(0, -6)}.${text.slice(-6)}`;
};
