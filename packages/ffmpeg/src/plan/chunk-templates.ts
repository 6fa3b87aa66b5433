import type { PlannedChunks } from '@telecine/contract/domain/chunks.ts';
import { chunkable, type PlannedConversion } from '../chunks/chunkable.ts';
import { roleOf } from '../chunks/option-roles.ts';
import { CHUNK_CONTAINER, PLACEHOLDERS, REST_CONTAINER } from '../chunks/placeholders.ts';
import { type ArgvParts, inputOnlyArgs, optionArgs, outputArgs } from './argv.ts';
import { type ArgvOption, serviceOption } from './request/argv-option.ts';

/** Encoders whose threads a parameter sets, in addition to `threads`. */
const THREAD_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['libx265', 'x265-params'],
  ['libsvtav1', 'svtav1-params'],
]);

/**
 * Plans how a conversion runs in chunks. undefined: it encodes no video.
 *
 * @param conversion Its options have the client's parameters only.
 */
export function planChunks(
  parts: ArgvParts,
  conversion: PlannedConversion,
  { svtLevels }: { readonly svtLevels: boolean },
): PlannedChunks | undefined {
  const found = chunkable(conversion);
  if (found === undefined || 'whole' in found) return found;
  const { shiftsOpus, ...shared } = found;
  const { encoder, extension, maps, excluded, forcedKeyFrames } = shared;
  const [input] = conversion.inputs;
  if (input === undefined) return { whole: 'The conversion has no input.' };
  const withRole = (...roles: readonly string[]): readonly ArgvOption[] =>
    conversion.options.filter((option) => roles.includes(roleOf(option) as string));
  const globals = (options: readonly ArgvOption[]): readonly ArgvOption[] =>
    options.filter(({ side }) => side === 'global');
  const { limits } = parts;
  const offset = serviceOption('itsoffset', [PLACEHOLDERS.offset]);
  const hasFilters = conversion.options.some((option) => isVideoFilter(option));
  // The filter that ffmpeg adds for an exact seek stands before those of the client, and so changes the pixel format that they get.
  const seek = hasFilters
    ? [serviceOption('noaccurate_seek', []), serviceOption('ss', [PLACEHOLDERS.start])]
    : [serviceOption('ss', [PLACEHOLDERS.start]), serviceOption('t', [PLACEHOLDERS.length])];
  const mapArgs = maps.flatMap((map) => ['-map', map]);
  const video = withRole('video', 'video and join', 'encoders', 'everywhere');
  const excludes = (kinds: readonly string[]): readonly string[] => kinds.map((kind) => `-${kind}`);
  const rest = excluded.length === 3 ? undefined : withRole('rest', 'rest and join', 'encoders', 'everywhere');
  const joining = withRole('join', 'rest and join', 'video and join', 'everywhere');
  const chunk = [
    ...inputOnlyArgs(parts, { ...input, options: [...input.options, offset, ...seek] }, [PLACEHOLDERS.keptTimes]),
    ...limits.output,
    ...mapArgs,
    // The chunk has no attachments either.
    ...(maps.length === 0 ? [] : ['-map', '-0:t']),
    ...excludes(['an', 'sn', 'dn']),
    ...['-map_chapters', '-1', '-map_metadata:g', '-1'],
    ...optionArgs(withThreads(video.map(withTrim), encoder)),
    ...(forcedKeyFrames === undefined ? [] : ['-force_key_frames:v', PLACEHOLDERS.keyFrames]),
    ...CHUNK_CONTAINER[extension],
    `file:${PLACEHOLDERS.file}`,
  ];
  const threads = /^\d+$/.exec(limits.output[limits.output.indexOf('-threads') + 1] ?? '')?.[0];
  return {
    ...shared,
    input: input.source.logical,
    ...(input.format !== undefined && { demuxer: input.format }),
    chunk,
    ...(rest && {
      rest: [
        ...inputOnlyArgs(parts, { ...input, options: [...input.options, offset] }),
        ...limits.output,
        ...mapArgs,
        '-vn',
        ...excludes(excluded.map((kind) => `${kind.charAt(0)}n`)),
        ...['-map_chapters', '-1', '-map_metadata:g', '-1'],
        ...optionArgs(rest),
        ...REST_CONTAINER[extension],
        `file:${PLACEHOLDERS.file}`,
      ],
    }),
    join: {
      head: inputOnlyArgs(parts, input, ['-copyts']),
      output: [
        '-c',
        'copy',
        ...optionArgs([...globals(joining), ...joining.filter(({ side }) => side !== 'global')]),
        ...outputArgs(parts),
      ],
      ...(shiftsOpus && { ofRest: ['-bsf:a', OPUS_DELAY] }),
      setsDisposition: joining.some(
        ({ name }) => name.name === 'disposition' && /^(?:v|V|0|v:0|V:0)$/.test(name.specifier ?? 'v'),
      ),
    },
    ...(limits.output.includes('-threads') && threads !== undefined && { maxThreads: Number(threads) }),
    svtLevels,
  };
}

/** Adds the part that 5.1 subtracts once more from the times of Opus when it copies from Matroska: 312 samples of 48 kHz, in milliseconds. */
const OPUS_DELAY = 'setts=ts=TS+7';

const isVideoFilter = ({ name, side }: ArgvOption): boolean =>
  name.name === 'filter' && side !== 'input' && !/^[asdt](?::|$)/.test(name.specifier ?? 'v');

/** Adds a filter that ends the frames of a chunk exactly, after those of the client. */
const withTrim = (option: ArgvOption): ArgvOption =>
  isVideoFilter(option) ? { ...option, values: option.values.map((text) => `${text},${PLACEHOLDERS.trim}`) } : option;

/** Adds the number of threads, which must be the same for all chunks. Threads that the client sets stay. */
function withThreads(options: readonly ArgvOption[], encoder: string): readonly ArgvOption[] {
  const parameter = THREAD_PARAMETERS.get(encoder);
  const threads = options.some(({ name }) => name.name === 'threads')
    ? []
    : [serviceOption('threads:v', [PLACEHOLDERS.threads])];
  if (parameter === undefined) return [...options, ...threads];
  const has = options.some(({ name }) => name.name === parameter);
  return [
    ...options.map((option) =>
      option.name.name === parameter
        ? // The parameters of the service come first, because the client's may end with a colon, and override them.
          { ...option, values: option.values.map((own) => `${PLACEHOLDERS.parameters}:${own}`) }
        : option,
    ),
    ...(has ? [] : [serviceOption(parameter, [PLACEHOLDERS.parameters])]),
    ...threads,
  ];
}
