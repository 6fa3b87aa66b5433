import type { Chunk, ChunkedRun, ChunkFamily, ChunkOutput, ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import type { WrittenText } from '@telecine/contract/domain/plan.ts';
import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { svtLevelOf } from '../plan/encoders/thread-count.ts';
import { withChosenArgv } from '../sampling/fill-argv.ts';
import { isShifted, PLACEHOLDERS, SHIFT_SECONDS } from './placeholders.ts';
import { FIRST_FILL, fillAtStart } from './rate-buffer.ts';

/** The logical name of a chunk of a family of videos. */
export const chunkFile = ({ extension }: Pick<ChunkFamily, 'extension'>, index: number): string =>
  `pass/chunk-${String(index).padStart(6, '0')}.${extension}`;

/** The logical name of the file with all streams of an output except its videos. */
export const restFile = ({ extension }: Pick<ChunkOutput, 'extension'>, output: number): string =>
  `pass/rest-${output}.${extension}`;

const listFile = ({ extension }: Pick<ChunkFamily, 'extension'>): string => `pass/chunks-${extension}.ffconcat`;

/**
 * The argv that encodes a chunk of a family of videos to `chunkFile`. Its frames have the times of the whole conversion.
 *
 * @param threads The number of threads of each encoder. It changes the result slightly, so it must be the same for all chunks of a run.
 * @param rates The bits per second of each video of a chunk, if these have average bit rates.
 * @param chosen What samples let choose.
 * @param fills For each video with a limit of the bit rate, the bits in the buffer at the start. null or absent: as usual.
 */
export function chunkArgv(
  { maxThreads, svtLevels }: Pick<ChunkTemplates, 'maxThreads' | 'svtLevels'>,
  family: ChunkFamily,
  chunk: Chunk,
  {
    threads,
    rates = [],
    fills = [],
    chosen = {},
  }: {
    readonly threads: number;
    readonly rates?: readonly number[];
    readonly fills?: readonly (number | null)[];
    readonly chosen?: ChosenBySamples | undefined;
  },
): readonly string[] {
  const count = Math.max(1, Math.min(threads, maxThreads ?? threads));
  const { startMicros, decodeMicros = startMicros, lengthMicros, offsetMicros, keyFrameMicros = [], index } = chunk;
  const parameters = new Map([
    [PLACEHOLDERS.svtav1, `lp=${svtLevels ? svtLevelOf(count) : count}`],
    [PLACEHOLDERS.x265, `pools=${count}:frame-threads=${frameThreads(count)}`],
  ] as readonly (readonly [string, string])[]);
  const values: Readonly<Record<string, string | undefined>> = {
    [PLACEHOLDERS.start]: index === 0 ? undefined : printMicros(decodeMicros),
    [PLACEHOLDERS.length]: lengthMicros === undefined ? undefined : printMicros(lengthMicros),
    [PLACEHOLDERS.offset]: offsetMicros === undefined ? undefined : printMicros(offsetMicros),
    [PLACEHOLDERS.threads]: `${count}`,
    [PLACEHOLDERS.keyFrames]: keyFrameMicros.length === 0 ? undefined : keyFrameMicros.map(printMicros).join(','),
    [`file:${PLACEHOLDERS.file}`]: `file:${chunkFile(family, index)}`,
  };
  const argv: string[] = [];
  for (const word of withChosenArgv(family.argv, chosen)) {
    const [parameter] = /^\{\w+\}(?=:|$)/.exec(word) ?? [''];
    const ofLibrary = parameters.get(parameter);
    // The first chunk begins as the whole conversion does, where a constant frame rate repeats the first frame for the time before it.
    if (word === PLACEHOLDERS.keptTimes) argv.push(...(index === 0 ? [] : ['-copyts', '-start_at_zero']));
    else if (/^-filter(?:_complex|:[vV].*)?$/.test(argv.at(-1) ?? ''))
      argv.push(word.replaceAll(PLACEHOLDERS.trim, trimOf(chunk)));
    else if (parameter === PLACEHOLDERS.fill || parameter === PLACEHOLDERS.rate) {
      const video = Number(word.slice(parameter.length + 1));
      const limit = family.limits?.[video] ?? undefined;
      const value = parameter === PLACEHOLDERS.rate ? rates[video] : limit && fillAtStart(limit, index, fills[video]);
      if (value === undefined) argv.pop();
      else argv.push(`${value}`);
    } else if (ofLibrary !== undefined)
      argv.push(
        (ofLibrary + word.slice(parameter.length)).replace(
          PLACEHOLDERS.fill,
          () => `${fillShare(family, index, fills)}`,
        ),
      );
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

/** The filter that leaves only the frames of a chunk. The first chunk needs no start. */
function trimOf({ index, startMicros, lengthMicros }: Chunk): string {
  const options = [
    ...(index === 0 ? [] : [`start=${printMicros(startMicros)}`]),
    ...(lengthMicros === undefined ? [] : [`end=${printMicros(startMicros + lengthMicros)}`]),
  ];
  return options.length === 0 ? 'null' : `trim=${options.join(':')}`;
}

/** How much of its buffer a chunk of libx265 begins with, as a share. A family of libx265 with a limit has one video. */
function fillShare({ limits: [limit] = [] }: ChunkFamily, index: number, [fill]: readonly (number | null)[]): number {
  const bits = limit ? fillAtStart(limit, index, fill) : undefined;
  return limit && bits !== undefined ? Number((bits / limit.buffer).toFixed(4)) : FIRST_FILL;
}

/** The frames that libx265 encodes at the same time, by its own rule for a processor with this many cores. */
const frameThreads = (threads: number): number => (threads >= 16 ? 5 : threads >= 8 ? 3 : threads >= 4 ? 2 : 1);

/** The argv that encodes all streams of an output except its videos to `restFile`. undefined: there are none. */
export function restArgv(
  { outputs }: Pick<ChunkTemplates, 'outputs'>,
  output: number,
  { outputs: streams }: Pick<ChunkedRun, 'outputs'>,
): readonly string[] | undefined {
  const planned = outputs[output];
  if (planned?.rest === undefined || streams[output]?.hasRest !== true) return undefined;
  const { offsetMicros } = streams[output];
  const argv: string[] = [];
  for (const word of planned.rest) {
    if (word === `file:${PLACEHOLDERS.file}`) argv.push(`file:${restFile(planned, output)}`);
    else if (word !== PLACEHOLDERS.offset) argv.push(word);
    else if (offsetMicros === undefined) argv.pop();
    else argv.push(printMicros(offsetMicros));
  }
  return argv;
}

/** The run that joins the chunks and the rests to the outputs of the plan. */
export interface ChunkJoin {
  readonly argv: readonly string[];
  /** Files to write before the run: the lists of the chunks. */
  readonly texts: readonly WrittenText[];
}

/** @param encoders The tag `encoder` of each video of each family, as `ChunkFacts` has them. */
export function joinOfChunks(
  planned: ChunkTemplates,
  run: ChunkedRun,
  encoders: readonly (readonly (string | null)[])[],
): ChunkJoin {
  const { families, outputs, joinHead } = planned;
  // The source is the input 0, and the chunks of the first family are the input 1.
  let inputs = 1 + families.length;
  const argv: string[] = [...joinHead, ...families.flatMap(listArgs)];
  const outputArgs: string[] = [];
  for (const [index, output] of outputs.entries()) {
    const hasRest = restArgv(planned, index, run) !== undefined;
    if (hasRest)
      argv.push(
        ...(isShifted(output.extension) ? ['-itsoffset', `-${SHIFT_SECONDS}`] : []),
        ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
        ...['-i', `file:${restFile(output, index)}`],
      );
    outputArgs.push(
      ...mapArgs(output, run.outputs[index]?.order, hasRest ? inputs : undefined),
      ...streamArgs(output, run, encoders[output.family] ?? []),
      ...(hasRest ? (output.ofRest ?? []) : []),
      ...output.join,
    );
    if (hasRest) inputs += 1;
  }
  return {
    argv: [...argv, ...outputArgs],
    texts: families.map((family) => ({ logical: listFile(family), text: listOf(family, run) })),
  };
}

const listArgs = (family: ChunkFamily): readonly string[] => [
  // Without `auto_convert 0`, ffmpeg repeats the headers of H.264 in the packets.
  ...['-f', 'concat', '-safe', '0', '-auto_convert', '0', '-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'concat', '-i', `file:${listFile(family)}`],
];

/** @param rest The number of the input with the other streams. undefined: there are none. */
function mapArgs(
  { family, videos }: ChunkOutput,
  order: readonly ('video' | 'rest')[] | undefined,
  rest: number | undefined,
): readonly string[] {
  const ofVideos = videos.map((video) => `${1 + family}:v:${video}`);
  let [nextVideo, nextRest] = [0, 0];
  const maps =
    order === undefined
      ? [...ofVideos, ...(rest === undefined ? [] : [`${rest}`])]
      : order.map((kind) => (kind === 'video' ? ofVideos[nextVideo++] : `${rest}:${nextRest++}`) ?? '');
  return maps.flatMap((map) => ['-map', map]);
}

/** The arguments for the streams of an output: they set what chunks lack, such as dispositions, and remove added languages. */
function streamArgs(
  { videos, withDisposition, fromGraph, hasManifest }: ChunkOutput,
  { disposition, timecode, withoutLanguage }: ChunkedRun,
  encoders: readonly (string | null)[],
): readonly string[] {
  const own = fromGraph ? [] : disposition;
  // ffmpeg makes the first of several streams of a kind the default if none is.
  const first = videos.length > 1 && !own.includes('default') ? [...own, 'default'] : own;
  const kinds = hasManifest ? withoutLanguage : [];
  const withoutLanguages = fromGraph ? [...new Set([...kinds, 'video' as const])] : kinds;
  const ofVideos = videos.flatMap((video, at) => {
    const wanted = at === 0 ? first : own;
    const encoder = encoders[video];
    return [
      ...(withDisposition.includes(at) ? [] : [`-disposition:v:${at}`, wanted.length === 0 ? '0' : wanted.join('+')]),
      ...(encoder === undefined || encoder === null ? [] : [`-metadata:s:v:${at}`, `encoder=${encoder}`]),
      ...(timecode === undefined || fromGraph ? [] : [`-metadata:s:v:${at}`, `timecode=${timecode}`]),
    ];
  });
  return [...withoutLanguages.flatMap((kind) => [`-metadata:s:${kind.charAt(0)}`, 'language=']), ...ofVideos];
}

/**
 * The list for ffmpeg's demuxer `concat`. To the times in each file, the demuxer adds the sum of the durations before it, and subtracts its
 * `inpoint`. Here these two differ only by the shift, so that all times stay exact.
 */
function listOf(family: ChunkFamily, { chunks }: ChunkedRun): string {
  const lines = chunks.flatMap(({ index, cutMicros }, at) => {
    const next = chunks[at + 1];
    return [
      `file 'file:${chunkFile(family, index)}'`,
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
