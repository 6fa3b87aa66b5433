import type { Chunk, ChunkedRun, ChunkOutput, ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { svtLevelOf } from '../plan/encoders/thread-count.ts';
import { withChosenArgv, withRungs } from '../sampling/fill-argv.ts';
import { isShifted, PLACEHOLDERS, SHIFT_SECONDS } from './placeholders.ts';

/** The logical name of a chunk. */
export const chunkFile = ({ extension }: Pick<ChunkTemplates, 'extension'>, index: number): string =>
  `pass/chunk-${String(index).padStart(6, '0')}.${extension}`;

/** The logical name of the file with all streams of an output except its videos. */
export const restFile = ({ outputs }: Pick<ChunkTemplates, 'outputs'>, output: number): string =>
  `pass/rest-${output}.${outputs[output]?.extension}`;

const LIST_FILE = 'pass/chunks.ffconcat';

/** The templates with what samples let choose for all chunks. */
export function withChosenValues(
  planned: ChunkTemplates,
  { chosen, hasRest }: Pick<ChunkedRun, 'chosen' | 'hasRest'>,
): ChunkTemplates {
  if (chosen === undefined) return planned;
  const { rung } = planned;
  if (rung === undefined) return { ...planned, argv: withChosenArgv(planned.argv, chosen) };
  const { rungs } = chosen.ladder ?? { rungs: [] };
  const fill = (argv: readonly string[]) => withRungs(argv, rung, rungs, hasRest[0] === true);
  return {
    ...planned,
    argv: fill(planned.argv),
    videos: rungs.length,
    outputs: planned.outputs.map((one) => ({ ...one, videos: [...rungs.keys()], join: fill(one.join) })),
  };
}

/**
 * The argv that encodes a chunk to `chunkFile`. Its frames have the times of the whole conversion.
 *
 * @param threads The number of threads of each encoder. It changes the result slightly, so it must be the same for all chunks of a run.
 */
export function chunkArgv(planned: ChunkTemplates, chunk: Chunk, threads: number): readonly string[] {
  const { maxThreads, svtLevels, prerollSeconds = 0, warmUpSeconds = 0 } = planned;
  const count = Math.max(1, Math.min(threads, maxThreads ?? threads));
  const { startMicros, cutMicros, index } = chunk;
  const encodeMicros = Math.max(0, startMicros - warmUpSeconds * 1e6);
  const decodeMicros = Math.max(0, encodeMicros - prerollSeconds * 1e6);
  const isWarmedUp = warmUpSeconds > 0 && index > 0;
  const keyFrameMicros = [...(isWarmedUp ? [cutMicros] : []), ...(chunk.keyFrameMicros ?? [])];
  const words: readonly (readonly [placeholder: string, value: string])[] = [
    [PLACEHOLDERS.svtav1, `lp=${svtLevels ? svtLevelOf(count) : count}`],
    [PLACEHOLDERS.x265, `pools=${count}:frame-threads=${frameThreads(count)}`],
    [PLACEHOLDERS.threads, `${count}`],
    // Segments begin at 0: the first frame is repeated for the time before it. In later chunks, that would be all the time before them.
    [PLACEHOLDERS.rateMode, index === 0 ? 'cfr' : 'vfr'],
    [PLACEHOLDERS.file, chunkFile(planned, index)],
  ];
  const isForced = keyFrameMicros.length > 0;
  const options = new Map<string, readonly string[]>([
    // The first chunk begins as the whole conversion does.
    [PLACEHOLDERS.keptTimes, index === 0 ? [] : ['-copyts', '-start_at_zero']],
    [PLACEHOLDERS.seek, index === 0 ? [] : ['-ss', printMicros(decodeMicros)]],
    [PLACEHOLDERS.keyFrames, isForced ? ['-force_key_frames:v', keyFrameMicros.map(printMicros).join(',')] : []],
  ]);
  return planned.argv.flatMap((word, at) => {
    if (/^-filter(?:_complex|:[vV].*)?$/.test(planned.argv[at - 1] ?? ''))
      return [word.replaceAll(TRIMS, (_, before: string) => `${before}${trimOf(chunk, encodeMicros)}`)];
    return options.get(word) ?? [words.reduce((text, [placeholder, value]) => fill(text, placeholder, value), word)];
  });
}

/** Matches the placeholder where the service has put it: after the last filter, or between the labels at an end of a graph. */
const TRIMS = /(^|,|\])\{TRIM\}(?=$|\[chunk_*\d+\])/g;

/** Replaces a placeholder that is a word, the name of a file, or the beginning of a list of parameters. Elsewhere, the same word is the client's. */
const fill = (word: string, placeholder: string, value: string): string =>
  word === placeholder || word.startsWith(`${placeholder}:`)
    ? value + word.slice(placeholder.length)
    : word === `file:${placeholder}`
      ? `file:${value}`
      : word;

/** The filter that leaves only the frames that a chunk encodes. The first chunk needs no start. */
function trimOf({ index, startMicros, lengthMicros }: Chunk, encodeMicros: number): string {
  const options = [
    ...(index === 0 ? [] : [`start=${printMicros(encodeMicros)}`]),
    ...(lengthMicros === undefined ? [] : [`end=${printMicros(startMicros + lengthMicros)}`]),
  ];
  return options.length === 0 ? 'null' : `trim=${options.join(':')}`;
}

/** The frames that libx265 encodes at the same time, by its own rule for a processor with this many cores. */
const frameThreads = (threads: number): number => (threads >= 16 ? 5 : threads >= 8 ? 3 : threads >= 4 ? 2 : 1);

/** The argv that encodes all streams of an output except its videos to `restFile`. undefined: there are none. */
export function restArgv(
  { outputs }: Pick<ChunkTemplates, 'outputs'>,
  output: number,
  { hasRest }: Pick<ChunkedRun, 'hasRest'>,
): readonly string[] | undefined {
  const planned = outputs[output];
  if (planned?.rest === undefined || hasRest[output] !== true) return undefined;
  return planned.rest.map((word) => fill(word, PLACEHOLDERS.file, restFile({ outputs }, output)));
}

/** The argv that joins the chunks and the rests to the outputs of the plan, and a file to write before: the list of the chunks. */
export function joinOfChunks(planned: ChunkTemplates, run: ChunkedRun) {
  const { outputs, joinHead } = planned;
  // The source is the input 0, and the chunks are the input 1.
  let inputs = 2;
  const head = joinHead.map((word) => fill(word, PLACEHOLDERS.sourceStart, printMicros(-run.sourceMicros)));
  const argv: string[] = [...head, ...LIST_ARGS];
  const outputArgs: string[] = [];
  for (const [index, output] of outputs.entries()) {
    const hasRest = restArgv(planned, index, run) !== undefined;
    if (hasRest)
      argv.push(
        ...(isShifted(output.extension) ? ['-itsoffset', `-${SHIFT_SECONDS}`] : []),
        ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
        ...['-i', `file:${restFile(planned, index)}`],
      );
    outputArgs.push(
      ...output.videos.flatMap((video) => ['-map', `1:v:${video}`]),
      ...(hasRest ? ['-map', `${inputs}`] : []),
      ...streamArgs(output, run),
      ...output.join,
    );
    if (hasRest) inputs += 1;
  }
  return { argv: [...argv, ...outputArgs], text: { logical: LIST_FILE, text: listOf(planned, run) } };
}

const LIST_ARGS: readonly string[] = [
  // Without `auto_convert 0`, ffmpeg repeats the headers of H.264 in the packets.
  ...['-f', 'concat', '-safe', '0', '-auto_convert', '0', '-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'concat', '-i', `file:${LIST_FILE}`],
];

/** The arguments for the streams of an output that set what chunks lack: the disposition and the timecode of the source. */
function streamArgs({ videos, fromGraph }: ChunkOutput, { disposition, timecode }: ChunkedRun): readonly string[] {
  const own = fromGraph ? [] : disposition;
  // ffmpeg makes the first of several streams of a kind the default if none is.
  const first = videos.length > 1 && !own.includes('default') ? [...own, 'default'] : own;
  return videos.flatMap((_, at) => {
    const wanted = at === 0 ? first : own;
    return [
      ...[`-disposition:v:${at}`, wanted.length === 0 ? '0' : wanted.join('+')],
      ...(timecode === undefined || fromGraph ? [] : [`-metadata:s:v:${at}`, `timecode=${timecode}`]),
    ];
  });
}

/**
 * The list for ffmpeg's demuxer `concat`. To the times in each file, the demuxer adds the sum of the durations before it, and subtracts its
 * `inpoint`. Here these two differ only by the shift, so that all times stay exact.
 */
function listOf(planned: ChunkTemplates, { chunks }: ChunkedRun): string {
  // From a time after the key frame of a chunk, the demuxer seeks back to this key frame, and not to one of the warm-up.
  const points = chunks.map(({ index, startMicros, cutMicros }) =>
    planned.warmUpSeconds === undefined || index === 0
      ? cutMicros
      : startMicros + Math.floor((startMicros - cutMicros) / 2),
  );
  const lines = chunks.flatMap(({ index }, at) => {
    const [point = 0, next] = [points[at], points[at + 1]];
    return [
      `file 'file:${chunkFile(planned, index)}'`,
      'option protocol_whitelist file',
      `option format_whitelist ${INPUT_FORMATS}`,
      `inpoint ${printMicros(point + SHIFT_SECONDS * 1e6)}`,
      ...(next === undefined ? [] : [`duration ${printMicros(next - point)}`]),
    ];
  });
  return `${['ffconcat version 1.0', ...lines].join('\n')}\n`;
}

/** Microseconds as seconds, exactly. */
const printMicros = (micros: number): string => {
  const text = String(Math.abs(micros)).padStart(7, '0');
  return `${micros < 0 ? '-' : ''}${text.slice(0, -6)}.${text.slice(-6)}`;
};
