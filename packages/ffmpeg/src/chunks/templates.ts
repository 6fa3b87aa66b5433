import type { ChunkOutput, ChunkTemplates, RestExtension, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { printLabel } from '../filtergraph/graph.ts';
import { type ArgvParts, inputOnlyArgs, optionArgs, outputArgs } from '../plan/argv.ts';
import { type ArgvOption, serviceOption } from '../plan/request/argv-option.ts';
import { isRateMode, rateModeOf } from '../plan/request/frame-rate-modes.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import { videosOf } from '../plan/request/video-options.ts';
import { isManifestMuxer, manifestArgs } from './manifest-options.ts';
import { type OptionRole, roleOf } from './option-roles.ts';
import { chunkContainer, PLACEHOLDERS, REST_CONTAINER } from './placeholders.ts';
import {
  type EncodedOutput,
  isOfFile,
  type PlannedConversion,
  type SplittableConversion,
  type SplittableOutput,
  splittable,
} from './splittable.ts';

/** An output with what its chunks depend on. */
interface OutputOfChunks {
  readonly parts: ArgvParts;
  readonly encoded: EncodedOutput;
  readonly found: SplittableOutput;
  /** The number of its first video in a chunk. */
  readonly firstVideo: number;
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
  build: Pick<ChunkTemplates, 'svtLevels'>,
): ChunkTemplates | WholeReason {
  const found = splittable(conversion);
  if ('whole' in found) return found;
  const { outputs: all, ...shared } = found;
  let videos = 0;
  const outputs = all.flatMap((one, index): readonly OutputOfChunks[] => {
    const [argvParts, encoded] = [parts[index], conversion.outputs[index]];
    if (argvParts === undefined || encoded === undefined) return [];
    videos += one.videos;
    return [{ parts: argvParts, encoded, found: one, firstVideo: videos - one.videos }];
  });
  const inputsOf = ({ inputs }: ArgvParts): string =>
    JSON.stringify(inputs.map(({ options }) => options.map(({ key, values }) => [key, values])));
  if (new Set(parts.map(inputsOf)).size > 1) return { whole: 'The outputs read the input in different ways.' };
  const [[first], [input]] = [outputs, conversion.inputs];
  if (first === undefined || input === undefined) return { whole: 'The conversion has no input.' };
  const { limits } = first.parts;
  const threads = /^\d+$/.exec(limits.output[limits.output.indexOf('-threads') + 1] ?? '')?.[0];
  return {
    ...shared,
    ...{ input: input.source.logical, videos, ...planChunk(first, outputs, input, found) },
    ...(input.format !== undefined && { demuxer: input.format }),
    outputs: outputs.map((output, index) => planOutput(output, input, index === 0)),
    // The chapters move with the input.
    joinHead: inputOnlyArgs(first.parts, withOptions(input, { itsoffset: PLACEHOLDERS.sourceStart }), ['-copyts']),
    ...(limits.output.includes('-threads') && threads !== undefined && { maxThreads: Number(threads) }),
    ...build,
  };
}

const isGlobal = ({ side }: ArgvOption): boolean => side === 'global';

const withRole = (
  { encoded: { options, muxer }, found: { videos } }: Pick<OutputOfChunks, 'encoded' | 'found'>,
  ...roles: readonly OptionRole[]
): readonly ArgvOption[] => options.filter((option) => roles.includes(roleOf(option, { muxer, videos }) as OptionRole));

const ROLES_OF_CHUNKS: readonly OptionRole[] = ['video', 'video and join', 'encoders', 'everywhere'];

/** Plans the run that encodes a chunk of all videos. */
function planChunk(
  first: OutputOfChunks,
  outputs: readonly OutputOfChunks[],
  input: ArgvInput,
  { keyFrameSeconds, warmUpSeconds, extension }: SplittableConversion,
): Pick<ChunkTemplates, 'argv' | 'rung'> {
  const { search } = first.encoded;
  const ladder = search?.choose === 'ladder' ? search : undefined;
  const graph = labelledGraph(outputs, first.encoded);
  const maps = outputs.flatMap(({ found: { labels, videos } }) =>
    Array.from({ length: videos }, (_, video) => graph?.trimmed.get(labels[video] ?? '') ?? '0:V:0'),
  );
  const options = outputs.flatMap((output) =>
    Array.from({ length: output.found.videos }, (_, video) => optionsOfVideo(output, video)).flat(),
  );
  // The filter that ends the chunk also cuts off the frames before it. An exact seek would add a filter before those of the client, which changes
  // the pixel format that they get.
  const seek = withOptions(input, { noaccurate_seek: undefined, [PLACEHOLDERS.seek.slice(1)]: undefined });
  const selected = maps.flatMap((map) => ['-map', map]);
  const ofRung = options.map((option) => ({
    ...option,
    key: option.key.replace(/:v:0$/, `:v:${QUALITY_PLACEHOLDERS.rung}`),
  }));
  return {
    argv: [
      ...inputOnlyArgs(first.parts, seek, [PLACEHOLDERS.keptTimes]),
      ...first.parts.limits.output,
      ...(graph === undefined ? [] : ['-filter_complex', graph.text]),
      ...(ladder === undefined ? selected : []),
      ...['-map_chapters', '-1', '-map_metadata:g', '-1'],
      ...(ladder === undefined ? optionArgs(options) : [QUALITY_PLACEHOLDERS.rungs]),
      ...optionArgs(withRole(first, ...ROLES_OF_CHUNKS).filter(isOfFile)),
      ...((keyFrameSeconds ?? warmUpSeconds) ? [PLACEHOLDERS.keyFrames] : []),
      ...(warmUpSeconds === undefined ? [] : ['-forced-idr:v', '1']),
      ...[...chunkContainer(extension), `file:${PLACEHOLDERS.file}`],
    ],
    ...(ladder && { rung: { ...ladder.rung, args: [...selected, ...optionArgs(ofRung)] } }),
  };
}

/** The input with further options, which have a value or none. */
const withOptions = (input: ArgvInput, added: Readonly<Record<string, string | undefined>>): ArgvInput => ({
  ...input,
  options: [
    ...input.options,
    ...Object.entries(added).map(([name, value]) => serviceOption(name, value === undefined ? [] : [value])),
  ],
});

/**
 * The filtergraph of all videos, which end with the chunk. undefined: no video is from a graph with labels.
 */
function labelledGraph(outputs: readonly OutputOfChunks[], { options }: EncodedOutput) {
  const [text] = options.find(({ name }) => name.name === 'filter_complex')?.values ?? [];
  const labels = outputs.flatMap(({ found }) => found.labels);
  if (text === undefined || labels.length === 0) return undefined;
  let prefix = 'chunk';
  while (text.includes(`[${prefix}`)) prefix += '_';
  const trimmed = new Map(labels.map((label, at) => [label, `[${prefix}${at}]`]));
  const ends = [...trimmed].map(([label, end]) => `${printLabel(label)}${PLACEHOLDERS.trim}${end}`);
  return { text: [text, ...ends].join(';'), trimmed };
}

/** Parameters by which all chunks have the same headers and as many threads: the option, and how its value begins. */
const PARAMETERS: ReadonlyMap<string, readonly [option: string, value: string]> = new Map([
  ['libx264', ['x264-params', 'stitchable=1']],
  ['libx264rgb', ['x264-params', 'stitchable=1']],
  ['libx265', ['x265-params', `${PLACEHOLDERS.x265}:info=0`]],
  ['libsvtav1', ['svtav1-params', PLACEHOLDERS.svtav1]],
]);

/** The options of one video of an output, with its number in the chunk. */
function optionsOfVideo(output: OutputOfChunks, video: number): readonly ArgvOption[] {
  const { encoded, found, firstVideo } = output;
  const all = withRole(output, ...ROLES_OF_CHUNKS).filter(
    (option) => !isOfFile(option) && videosOf(option.name.specifier, found.videos)?.includes(video),
  );
  const own = all.filter((option) => !isRateMode(option));
  const [parameters = '', beginning = ''] = PARAMETERS.get(found.encoder) ?? [];
  /** What each chunk needs as the value of an option, made from the value of the client. */
  const needed = new Map<string, (own?: string) => string>([
    ['threads', (sent = PLACEHOLDERS.threads) => sent],
    // Parameters of the client come last, because they may end with a colon, and override the others.
    [parameters, (sent) => (sent === undefined ? beginning : `${beginning}:${sent}`)],
    // A graph with labels ends its videos itself.
    [found.labels.length > 0 ? '' : 'filter', (sent) => `${sent === undefined ? '' : `${sent},`}${PLACEHOLDERS.trim}`],
  ]);
  needed.delete('');
  const option = (name: string, values: readonly string[]) => serviceOption(`${name}:v:${firstVideo + video}`, values);
  const modes = all.filter(isRateMode).map(({ values: [mode = ''] }) => rateModeOf(mode));
  const mode = isManifestMuxer(encoded.muxer) ? PLACEHOLDERS.rateMode : 'vfr';
  return [
    ...own.map(({ name: { name }, values }) =>
      option(
        name,
        values.map((sent) => needed.get(name)?.(sent) ?? sent),
      ),
    ),
    ...[...needed]
      .filter(([wanted]) => !own.some(({ name: { name } }) => name === wanted))
      .map(([name, print]) => option(name, [print()])),
    option('fps_mode', [modes.includes('passthrough') ? 'passthrough' : mode]),
  ];
}

const REST_EXTENSIONS: Readonly<Record<string, RestExtension>> = { mov: 'mov', matroska: 'mkv', webm: 'webm' };

/** Plans what the join takes for an output, and the run for its other streams. */
function planOutput(output: OutputOfChunks, input: ArgvInput, hasGlobals: boolean): ChunkOutput {
  const { parts, encoded, found, firstVideo } = output;
  const { maps, excluded, labels, videos, encoder } = found;
  const extension = REST_EXTENSIONS[encoded.muxer] ?? 'mp4';
  const joining = withRole(output, 'join', 'rest and join', 'video and join', 'everywhere');
  const restMaps = maps.filter((map) => !map.startsWith('['));
  const isWithout = excluded.length === 3 || (maps.length > 0 && restMaps.length === 0);
  const globals = hasGlobals ? joining.filter(isGlobal) : [];
  return {
    videos: Array.from({ length: videos }, (_, at) => firstVideo + at),
    ...(!isWithout && {
      rest: [
        ...inputOnlyArgs(parts, input),
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
      ...(isManifestMuxer(encoded.muxer) ? manifestArgs(encoded.muxer, encoded.options, { encoder, videos }) : []),
      ...optionArgs([...globals, ...joining.filter((option) => !isGlobal(option))]),
      ...outputArgs(parts),
    ],
    fromGraph: labels.length > 0,
    maps,
    excluded,
  };
}
