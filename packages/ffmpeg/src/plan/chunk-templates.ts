import type { ChunkFamily, ChunkOutput, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { chunkable, isOfFile, type PlannedConversion } from '../chunks/chunkable.ts';
import type { ChunkableOutput, EncodedOutput } from '../chunks/chunkable-output.ts';
import { manifestArgs } from '../chunks/manifest-outputs.ts';
import { type OptionRole, roleOf } from '../chunks/option-roles.ts';
import { CHUNK_CONTAINER, CONSTANT_RATE_CONTAINER, PLACEHOLDERS, REST_CONTAINER } from '../chunks/placeholders.ts';
import { printLabel } from '../filtergraph/graph.ts';
import { type ArgvParts, inputOnlyArgs, optionArgs, outputArgs } from './argv.ts';
import { type ArgvOption, isVideoFilter, serviceOption } from './request/argv-option.ts';
import { isRateMode } from './request/frame-rate-modes.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';
import { videosOf } from './request/video-options.ts';

/** Encoders whose threads a parameter sets, in addition to `threads`: the parameter, and the placeholder of its value. */
const THREAD_PARAMETERS: ReadonlyMap<string, readonly [name: string, placeholder: string]> = new Map([
  ['libx265', ['x265-params', PLACEHOLDERS.x265]],
  ['libsvtav1', ['svtav1-params', PLACEHOLDERS.svtav1]],
]);

/** An output with what its chunks depend on. */
interface OutputOfChunks {
  readonly parts: ArgvParts;
  readonly encoded: EncodedOutput;
  readonly found: ChunkableOutput;
}

/**
 * Plans how a conversion runs in chunks, or says why it runs whole.
 *
 * @param parts The argvs of the outputs.
 * @param conversion Its options have the client's parameters only.
 */
export function planChunks(
  parts: readonly ArgvParts[],
  conversion: PlannedConversion,
  build: Pick<ChunkTemplates, 'svtLevels' | 'countsFromReadStreams'>,
): ChunkTemplates | WholeReason {
  const found = chunkable(conversion);
  if ('whole' in found) return found;
  const { outputs: _, ...shared } = found;
  const outputs = found.outputs.flatMap((one, index): readonly OutputOfChunks[] => {
    const [argvParts, encoded] = [parts[index], conversion.outputs[index]];
    return argvParts === undefined || encoded === undefined ? [] : [{ parts: argvParts, encoded, found: one }];
  });
  const [[first], [input]] = [outputs, conversion.inputs];
  if (first === undefined || input === undefined) return { whole: 'The conversion has no input.' };
  const extensions = [...new Set(found.outputs.map(({ extension }) => extension))];
  const { limits } = first.parts;
  const threads = /^\d+$/.exec(limits.output[limits.output.indexOf('-threads') + 1] ?? '')?.[0];
  return {
    ...shared,
    input: input.source.logical,
    ...(input.format !== undefined && { demuxer: input.format }),
    families: extensions.map((extension) => planFamily(extension, outputs, input, found)),
    outputs: outputs.map((output, index): ChunkOutput => {
      const { extension } = output.found;
      const before = outputs.slice(0, index).filter((one) => one.found.extension === extension);
      return planOutput(output, input, {
        family: extensions.indexOf(extension),
        firstVideo: before.reduce((sum, one) => sum + one.found.videos, 0),
        hasGlobals: index === 0,
      });
    }),
    joinHead: inputOnlyArgs(first.parts, input, ['-copyts']),
    ...(limits.output.includes('-threads') && threads !== undefined && { maxThreads: Number(threads) }),
    ...build,
  };
}

const isGlobal = ({ side }: ArgvOption): boolean => side === 'global';

const withRole = (
  { encoded: { options, muxer }, found: { videos } }: Pick<OutputOfChunks, 'encoded' | 'found'>,
  ...roles: readonly OptionRole[]
): readonly ArgvOption[] => options.filter((option) => roles.includes(roleOf(option, { muxer, videos }) as OptionRole));

/** Seeks to a key frame before the chunk. The filter that cuts its last frames off also cuts those before it off. */
const INEXACT_SEEK = [serviceOption('noaccurate_seek', []), serviceOption('ss', [PLACEHOLDERS.start])];

const OFFSET = serviceOption('itsoffset', [PLACEHOLDERS.offset]);

/** Plans the run that encodes a chunk of all videos of a family. */
function planFamily(
  extension: ChunkFamily['extension'],
  outputs: readonly OutputOfChunks[],
  input: ArgvInput,
  { forcedKeyFrames }: Pick<ChunkTemplates, 'forcedKeyFrames'>,
): ChunkFamily {
  const members = outputs.filter(({ found }) => found.extension === extension);
  const [first = outputs[0], ...others] = members;
  if (first === undefined) throw new RangeError('The family has no output.');
  const graph = labelledGraph(members, first.encoded);
  const isAlone = others.length === 0;
  const hasSegments = members.some(({ found }) => found.manifest !== undefined);
  const container = hasSegments ? CONSTANT_RATE_CONTAINER : CHUNK_CONTAINER[extension];
  let videos = 0;
  const encoded = members.flatMap((member): readonly ArgvOption[] => {
    const from = videos;
    videos += member.found.videos;
    return optionsOfVideos(member, { from, isAlone, hasSegments });
  });
  const hasFilters = graph !== undefined || encoded.some(isVideoFilter);
  // For an exact seek, ffmpeg would add a filter before those of the client, which changes the pixel format that they get.
  const seek = hasFilters
    ? INEXACT_SEEK
    : [serviceOption('ss', [PLACEHOLDERS.start]), serviceOption('t', [PLACEHOLDERS.length])];
  const maps = members.flatMap(({ found: { labels, videos: count } }) =>
    Array.from({ length: count }, (_, video) => graph?.trimmed.get(labels[video] ?? '') ?? '0:V:0'),
  );
  const limits = members.flatMap(({ found: { checkedLimits } }) => checkedLimits);
  const unlabelled = [...maps.keys()].filter((video) => maps[video] === '0:V:0');
  const argvWith = (
    options: readonly ArgvOption[],
    end: readonly string[] = [...container, `file:${PLACEHOLDERS.file}`],
  ): readonly string[] => [
    ...inputOnlyArgs(first.parts, { ...input, options: [...input.options, OFFSET, ...seek] }, [PLACEHOLDERS.keptTimes]),
    ...first.parts.limits.output,
    ...(graph === undefined ? [] : ['-filter_complex', graph.text]),
    ...maps.flatMap((map) => ['-map', map]),
    ...['-map_chapters', '-1', '-map_metadata:g', '-1'],
    ...optionArgs(hasFilters ? withTrims(options, unlabelled) : options),
    ...(forcedKeyFrames === undefined ? [] : ['-force_key_frames:v', PLACEHOLDERS.keyFrames]),
    ...end,
  ];
  // libx264 lowers an average bit rate to the limit.
  const rates = members.flatMap(({ found: { averageRates = [], highestRates } }) =>
    averageRates.map((rate, video) => Math.min(rate, highestRates[video] ?? rate)),
  );
  const { quality } = first.encoded;
  const discarded = ['-y', ...container, 'file:/dev/null'];
  return {
    argv: argvWith(
      rates.length > 0
        ? withPass(encoded, '2', first)
        : quality !== undefined && first.found.encoder === 'libx264'
          ? withStitchable(encoded)
          : encoded,
    ),
    extension,
    videos,
    ...(rates.length > 0 && {
      average: {
        codec: first.found.encoder === 'libx265' ? 'hevc' : 'h264',
        rates,
        highest: members.flatMap(({ found: { highestRates } }) => highestRates),
        autoLevels: members.flatMap(({ found: { autoLevels } }) => autoLevels),
        trial: argvWith(trialOptions(encoded)),
        first: argvWith(withPass(encoded, '1', first), discarded),
      },
    }),
    ...(limits.some((limit) => limit !== null) && { limits }),
  };
}

/**
 * The options of a pass of a chunk, whose bit rates are its shares of the averages. libx264 would adapt the headers to what the first pass found,
 * but all chunks must have the same.
 */
function withPass(
  options: readonly ArgvOption[],
  pass: '1' | '2',
  { encoded: { passes }, found: { encoder } }: OutputOfChunks,
): readonly ArgvOption[] {
  if (encoder !== 'libx265') return withX264Pass(options, pass);
  // A client that asked for one pass does not pay for a slow first pass of each chunk.
  const quick = passes === 1 ? ':slow-firstpass=0' : '';
  return withX265Parameters(options, `pass=${pass}:stats=${X265_LOG}${quick}`);
}

const X265_LOG = 'pass/x265-0.log';

/** Adds parameters of the service before those of the client. */
const withX265Parameters = (options: readonly ArgvOption[], parameters: string): readonly ArgvOption[] =>
  options.map((option) =>
    option.name.name === 'x265-params'
      ? {
          ...option,
          values: option.values.map((own) => own.replace(PLACEHOLDERS.x265, `${PLACEHOLDERS.x265}:${parameters}`)),
        }
      : option,
  );

const withX264Pass = (options: readonly ArgvOption[], pass: '1' | '2'): readonly ArgvOption[] => [
  ...withStitchable(options),
  serviceOption('pass', [pass]),
  serviceOption('passlogfile', ['pass/log']),
];

const STITCHABLE = 'stitchable=1';

/** Keeps libx264 from adapting the headers to the quality of a chunk. */
const withStitchable = (options: readonly ArgvOption[]): readonly ArgvOption[] => [
  serviceOption('x264-params:v', [STITCHABLE]),
  ...options.map((option) =>
    option.name.name === 'x264-params'
      ? { ...option, values: option.values.map((own) => `${STITCHABLE}:${own}`) }
      : option,
  ),
];

/**
 * The options of a quick encode with one quality. `veryfast` of libx264 spreads bits over frames by the same rule as slower presets (`mbtree`), which
 * faster ones do not.
 */
const trialOptions = (options: readonly ArgvOption[]): readonly ArgvOption[] => [
  ...options.filter(({ name: { name, specifier = 'v' } }) => !(NOT_IN_TRIAL.has(name) && /^[vV]/.test(specifier))),
  serviceOption('preset:v', ['veryfast']),
  serviceOption('crf:v', ['26']),
];

const NOT_IN_TRIAL: ReadonlySet<string> = new Set(['b', 'maxrate', 'bufsize', 'rc_init_occupancy', 'preset']);

/**
 * The filtergraph of a family, whose videos end with the chunk. All labels of a graph belong to one family. undefined: no video is from a graph
 * with labels.
 */
function labelledGraph(members: readonly OutputOfChunks[], { options }: EncodedOutput) {
  const option = options.find(({ name }) => name.name === 'filter_complex');
  const [text] = option?.values ?? [];
  if (option === undefined || text === undefined) return undefined;
  const own = members.flatMap(({ found }) => found.labels);
  if (own.length === 0) return undefined;
  let prefix = 'chunk';
  while (text.includes(`[${prefix}`)) prefix += '_';
  const trimmed = new Map(own.map((label, at) => [label, `[${prefix}${at}]`]));
  const ends = [...trimmed].map(([label, end]) => `${printLabel(label)}${PLACEHOLDERS.trim}${end}`);
  return { text: [text, ...ends].join(';'), trimmed };
}

/**
 * The options of the videos of an output. If other outputs have videos in the same chunk, each option has the number of its video there.
 *
 * @param hasSegments True if an output of the chunk has segments. ffmpeg then chooses a constant frame rate for its container.
 */
function optionsOfVideos(
  { encoded, found }: OutputOfChunks,
  { from, isAlone, hasSegments }: { readonly from: number; readonly isAlone: boolean; readonly hasSegments: boolean },
): readonly ArgvOption[] {
  const { encoder, videos, checkedLimits, averageRates = [], sentRateModes, hasVariableRate } = found;
  const isX265 = encoder === 'libx265';
  // ffmpeg reads `vsync` for all videos of a run, so each video gets its own `fps_mode` instead. The shares of an average bit rate replace it.
  const own = withRole({ encoded, found }, 'video', 'video and join', 'encoders', 'everywhere').filter(
    (option) => !isRateMode(option) && !(option.name.name === 'b' && averageRates.length > 0),
  );
  const numberOf = (video: number): string => `v:${from + video}`;
  const renamed = isAlone
    ? own
    : own.flatMap((option): readonly ArgvOption[] => {
        if (isOfFile(option)) return from === 0 ? [option] : [];
        const numbers = videosOf(option.name.specifier, videos) ?? [];
        return numbers.map((video) => withSpecifier(option, numberOf(video)));
      });
  const specifiers = isAlone && videos === 1 ? ['v'] : Array.from({ length: videos }, (_, video) => numberOf(video));
  // If ffmpeg chooses the mode, it must choose for the container of the output.
  const chosen = hasSegments && hasVariableRate ? 'vfr' : undefined;
  const rateModes = specifiers.flatMap((one, video) => {
    const mode = sentRateModes[video] ?? chosen;
    return mode === undefined ? [] : [serviceOption(`fps_mode:${one}`, [mode])];
  });
  const fills = checkedLimits.flatMap((limit, video) =>
    limit === null || isX265
      ? []
      : [serviceOption(`rc_init_occupancy:${specifiers[video]}`, [`${PLACEHOLDERS.fill}:${from + video}`])],
  );
  const rates = averageRates.map((_, video) =>
    serviceOption(`b:${specifiers[video]}`, [`${PLACEHOLDERS.rate}:${from + video}`]),
  );
  const threaded = withThreads(renamed, encoder, specifiers);
  const hasLimit = checkedLimits.some((limit) => limit !== null);
  // The headers of libx265 would state the quality, the bit rate and the buffer of each chunk, but all chunks must have the same.
  const ofX265 = `${STATES_NOTHING}${hasLimit ? `:vbv-init=${PLACEHOLDERS.fill}` : ''}`;
  const differ = hasLimit || averageRates.length > 0 || encoded.quality !== undefined;
  return [...(isX265 && differ ? withX265Parameters(threaded, ofX265) : threaded), ...rateModes, ...rates, ...fills];
}

const STATES_NOTHING = 'info=0';

const withSpecifier = (option: ArgvOption, specifier: string): ArgvOption => ({
  ...option,
  name: { name: option.name.name, specifier },
  key: `${option.name.name}:${specifier}`,
});

/** Adds a filter that ends the frames of a chunk exactly, after those of the client, to each of the videos. */
function withTrims(options: readonly ArgvOption[], videos: readonly number[]): readonly ArgvOption[] {
  const specifiers = options.filter(isVideoFilter).map(({ name }) => name.specifier ?? 'v');
  const others = videos.filter((video) => !specifiers.some((one) => /^[vV]$/.test(one) || one.endsWith(`:${video}`)));
  return [
    ...options.map((option) =>
      isVideoFilter(option)
        ? { ...option, values: option.values.map((text) => `${text},${PLACEHOLDERS.trim}`) }
        : option,
    ),
    ...others.map((video) => serviceOption(`filter:v:${video}`, [PLACEHOLDERS.trim])),
  ];
}

/** Adds the number of threads, which must be the same for all chunks. Threads that the client sets stay. */
function withThreads(
  options: readonly ArgvOption[],
  encoder: string,
  specifiers: readonly string[],
): readonly ArgvOption[] {
  const [parameter, placeholder] = THREAD_PARAMETERS.get(encoder) ?? [];
  const missing = (wanted: string): readonly string[] => {
    const sent = options.filter(({ name }) => name.name === wanted).map(({ name }) => name.specifier ?? '');
    // The only video is the first one.
    if (specifiers.length === 1 && sent.some((one) => /^[vV]:0$/.test(one))) return [];
    return sent.some((one) => /^[vV]?$/.test(one)) ? [] : specifiers.filter((one) => !sent.includes(one));
  };
  const threads = missing('threads').map((one) => serviceOption(`threads:${one}`, [PLACEHOLDERS.threads]));
  if (parameter === undefined || placeholder === undefined) return [...options, ...threads];
  return [
    ...options.map((option) =>
      option.name.name === parameter
        ? // The parameters of the service come first, because the client's may end with a colon, and override them.
          { ...option, values: option.values.map((own) => `${placeholder}:${own}`) }
        : option,
    ),
    ...missing(parameter).map((one) => serviceOption(`${parameter}:${one}`, [placeholder])),
    ...threads,
  ];
}

/** Plans what the join takes for an output, and the run for its other streams. */
function planOutput(
  output: OutputOfChunks,
  input: ArgvInput,
  {
    family,
    firstVideo,
    hasGlobals,
  }: { readonly family: number; readonly firstVideo: number; readonly hasGlobals: boolean },
): ChunkOutput {
  const { parts, found } = output;
  const { extension, maps, excluded, labels, videos, copiesAudio, correction, manifest, limits, averageRates } = found;
  const joining = withRole(output, 'join', 'rest and join', 'video and join', 'everywhere');
  const restMaps = maps.filter((map) => !map.startsWith('['));
  const isWithout = excluded.length === 3 || (maps.length > 0 && restMaps.length === 0);
  const globals = hasGlobals ? joining.filter(isGlobal) : [];
  return {
    family,
    videos: Array.from({ length: videos }, (_, at) => firstVideo + at),
    ...(!isWithout && {
      rest: [
        ...inputOnlyArgs(parts, { ...input, options: [...input.options, OFFSET] }),
        ...parts.limits.output,
        ...restMaps.flatMap((map) => ['-map', map]),
        '-vn',
        ...excluded.map((kind) => `-${kind.charAt(0)}n`),
        ...['-map_chapters', '-1', '-map_metadata:g', '-1'],
        ...optionArgs(withRole(output, 'rest', 'rest and join', 'encoders', 'everywhere')),
        ...REST_CONTAINER[extension],
        `file:${PLACEHOLDERS.file}`,
      ],
    }),
    extension,
    join: [
      '-c',
      'copy',
      ...(manifest === undefined ? [] : manifestArgs(manifest, output.encoded.options, { limits, averageRates })),
      ...optionArgs([...globals, ...joining.filter((option) => !isGlobal(option))]),
      ...outputArgs(parts),
    ],
    ...(correction !== undefined && { ofRest: ['-bsf:a', CORRECTIONS[correction]] }),
    withDisposition: joining.flatMap(({ name: { name, specifier } }) =>
      name !== 'disposition' ? [] : specifier === '0' ? [0] : (videosOf(specifier, videos) ?? []),
    ),
    fromGraph: labels.length > 0,
    copiesAudio,
    hasManifest: manifest !== undefined,
    maps,
    excluded,
  };
}

const CORRECTIONS = {
  /** Adds the part that 5.1 subtracts once more from the times of Opus when it copies from Matroska: 312 samples of 48 kHz, in milliseconds. */
  'opus delay': 'setts=ts=TS+7',
  /** A multiple of the usual sample rates, which is finer than the clock of MPEG-TS: ffmpeg then rounds each time by itself. */
  'finer times': 'setts=ts=TS*TB/TB_OUT:duration=DURATION*TB/TB_OUT:time_base=1/28224000',
} as const;
