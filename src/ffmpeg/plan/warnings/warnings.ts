import { leaveOut, sendOption } from '../../../domain/edit.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { FaultGuard } from '../../rules/fault-guard.ts';
import { ruleSet } from '../../rules/rules.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readTrim } from '../request/trim-range.ts';
import { absentStreams, FOR_ONE_KIND, nothingLeft } from './absent-streams.ts';
import { byteSuffixes } from './byte-suffix.ts';
import { cappedQuality } from './capped-quality.ts';
import { channelConflicts } from './channel-conflicts.ts';
import { containerMismatches } from './container-mismatches.ts';
import { copiedEncoding } from './copied-encoding.ts';
import { crfBitrateConflicts } from './crf-bitrate-conflict.ts';
import { endAfterSeek } from './end-after-seek.ts';
import { endlessOutputs } from './endless-outputs.ts';
import type { FormatField } from './format-field.ts';
import { FULL_CHROMA, fullChroma } from './full-chroma.ts';
import { idleSilence } from './idle-silence.ts';
import { ignoredBitRates } from './ignored-bit-rates.ts';
import { ignoredColours } from './ignored-colours.ts';
import { ignoredQuality } from './ignored-quality.ts';
import { ignoredRateLimits } from './ignored-rate-limits.ts';
import { languageOfFile, languageTags } from './language-tags.ts';
import { lastFrameOnly } from './last-frame.ts';
import { lateTrims } from './late-trims.ts';
import { loopSizes } from './loop-size.ts';
import { losslessQuality } from './lossless-quality.ts';
import { lostTags, quotedTags } from './lost-tags.ts';
import { mistakenFilters } from './mistaken-filters.ts';
import { oddDimensions } from './odd-dimensions.ts';
import { oldVolume } from './old-volume.ts';
import { otherFormat } from './other-format.ts';
import { pictureCodecs } from './picture-codecs.ts';
import { pictureSizeNames } from './picture-size-names.ts';
import { playlists } from './playlists.ts';
import { programStream } from './program-stream.ts';
import { rawOutput, streamFormat } from './raw-output.ts';
import { rotationTags } from './rotation-tags.ts';
import { segmentUnits } from './segment-units.ts';
import { sequenceRate } from './sequence-rate.ts';
import { severalTunes } from './several-tunes.ts';
import { shiftedInput } from './shifted-input.ts';
import { shortDelays } from './short-delays.ts';
import { singleKeyFrame } from './single-key-frame.ts';
import { streamCopyConflicts } from './stream-copy-conflicts.ts';
import { styleColours } from './style-colours.ts';
import { subtitleFiles } from './subtitle-files.ts';
import { unjoinedPictures } from './unjoined-pictures.ts';
import { unmappedKinds } from './unmapped-kinds.ts';
import { unusedInputs } from './unused-inputs.ts';

/** The facts that the warnings about an output depend on, in the words of a rule. */
export interface WarningContext {
  /** The options of the output. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  /** The path of the output. */
  readonly path: MediaPath;
  /** What names the format: the extension of the output, `format`, or the option `f`. */
  readonly formatField: FormatField;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** Whether the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** Every option of the whole request, those for inputs too. */
  readonly sharedOptions: readonly ArgvOption[];
  /** Whether an option is for this output alone, and not for all of `outputs`. */
  readonly isOwn: (option: ArgvOption) => boolean;
  /** The inputs that ffmpeg opens. */
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one picture, which each frame replaces. undefined for any other output. */
  readonly singlePicture: MediaPath | undefined;
}

/** Warnings about a format that contradicts the name of the output. */
export const formatWarnings = (context: WarningContext, guard: FaultGuard): readonly Warning[] =>
  FORMAT_RULES.find(context, guard);

const FORMAT_RULES = ruleSet<WarningContext>([
  { id: 'raw-output', supersedes: ['stream-format', 'other-format'], find: (context) => rawOutput(context.opened, context) },
  { id: 'stream-format', supersedes: ['other-format'], find: (context) => streamFormat(context.options, context) },
  { id: 'other-format', find: (context) => otherFormat(context) },
]);

/** What an option lacks in a format that is probably not meant. */
const BY_FORMAT: ReadonlySet<string> = new Set(['NO_EFFECT', 'CODEC_NOT_HELD']);

/**
 * Drops the warnings that follow from a format which is probably not meant: with the format that is, options have an effect,
 * and codecs fit. What remains wrong then has its warning when the request is sent again.
 */
export const withoutEffects = (ofFormat: readonly Warning[], others: readonly Warning[]): readonly Warning[] =>
  ofFormat.length === 0 ? others : others.filter(({ code }) => !BY_FORMAT.has(code));

const words = (text: string): readonly string[] => text.split(' ');

/** Rules about requests that are valid, but probably not meant like that. A reply has their warnings in this order. */
const RULES = ruleSet<WarningContext>([
  {
    id: 'duration-and-end',
    about: ['to'],
    find: ({ options }) => [...durationAndEnd(options), ...endBeforeStart(options)],
  },
  { id: 'end-after-seek', about: ['to'], find: ({ options, opened }) => endAfterSeek(options, opened) },
  { id: 'unresolvable-specifiers', find: ({ options }) => unresolvableSpecifiers(options) },
  { id: 'two-pass-mode', find: ({ onePassOnly }) => (onePassOnly ? [NO_TWO_PASS_MODE] : []) },
  {
    id: 'stream-copy-conflicts',
    about: words('r s pix_fmt ar ac sample_fmt ch_layout'),
    find: ({ options, encoders }) => streamCopyConflicts(options, encoders),
  },
  { id: 'odd-dimensions', about: words('s filter'), find: ({ options, encoders }) => oddDimensions(options, encoders) },
  { id: 'crf-bitrate-conflicts', about: ['b'], find: (context) => crfBitrateConflicts(context.options, context) },
  { id: 'capped-quality', about: ['crf'], find: ({ options, encoders }) => cappedQuality(options, encoders) },
  { id: 'container-mismatches', about: ['c'], find: (context) => containerMismatches(context.options, context) },
  { id: 'picture-codecs', about: ['c'], find: (context) => pictureCodecs(context.options, context) },
  { id: 'program-stream', find: (context) => programStream(context.encoders, context) },
  {
    id: 'picture-size-names',
    about: words('width height'),
    find: ({ sharedOptions }) => pictureSizeNames(sharedOptions),
  },
  {
    id: 'absent-streams',
    about: FOR_ONE_KIND,
    find: ({ options, muxer, catalogue }) => absentStreams(options, muxer, catalogue),
  },
  { id: 'nothing-left', about: words('vn an'), find: ({ options, muxer }) => nothingLeft(options, muxer) },
  { id: 'ignored-quality', about: ['q'], find: ({ options, encoders }) => ignoredQuality(options, encoders) },
  { id: 'ignored-bit-rates', about: ['b'], find: ({ options, encoders }) => ignoredBitRates(options, encoders) },
  {
    id: 'ignored-rate-limits',
    about: words('maxrate bufsize'),
    find: ({ options, encoders }) => ignoredRateLimits(options, encoders),
  },
  { id: 'channel-conflicts', about: ['ac'], find: ({ options }) => channelConflicts(options) },
  {
    id: 'ignored-colours',
    about: words('color_primaries color_trc'),
    find: ({ options, encoders, catalogue }) => ignoredColours(options, encoders, catalogue),
  },
  { id: 'unused-inputs', find: ({ options, opened }) => unusedInputs(options, opened) },
  { id: 'unjoined-pictures', find: ({ options, opened, path }) => unjoinedPictures(options, opened, path) },
  {
    id: 'unmapped-kinds',
    about: ['map'],
    find: ({ options, opened, muxer, catalogue, isOwn }) => unmappedKinds(options, opened, muxer, catalogue, isOwn),
  },
  { id: 'playlists', find: ({ opened }) => playlists(opened) },
  { id: 'subtitle-files', find: (context) => subtitleFiles(context.options, context.opened, context) },
  { id: 'copied-encoding', about: ['sub_charenc'], find: (context) => copiedEncoding(context) },
  { id: 'shifted-input', about: ['itsoffset'], find: ({ opened }) => shiftedInput(opened) },
  { id: 'single-key-frame', about: ['force_key_frames'], find: ({ options }) => singleKeyFrame(options) },
  {
    id: 'segment-units',
    about: words('hls_time hls_init_time seg_duration frag_duration'),
    find: ({ options, muxer }) => segmentUnits(options, muxer),
  },
  { id: 'language-tags', about: ['metadata'], find: ({ options, muxer }) => languageTags(options, muxer) },
  { id: 'language-of-file', about: ['metadata'], find: ({ options, muxer }) => languageOfFile(options, muxer) },
  { id: 'lost-tags', about: ['metadata'], find: ({ options, muxer }) => lostTags(options, muxer) },
  { id: 'quoted-tags', about: ['metadata'], find: ({ options }) => quotedTags(options) },
  { id: 'rotation-tags', about: ['metadata'], find: ({ options, catalogue }) => rotationTags(options, catalogue) },
  {
    id: 'lossless-quality',
    about: ['crf'],
    find: ({ options, encoders, muxer }) => losslessQuality(options, encoders, muxer),
  },
  { id: 'old-volume', about: ['vol'], find: ({ options }) => oldVolume(options) },
  {
    id: 'byte-suffixes',
    about: words('b maxrate minrate bufsize fs hls_segment_size frag_size probesize'),
    find: ({ sharedOptions }) => byteSuffixes(sharedOptions),
  },
  { id: 'sequence-rate', about: ['r'], find: ({ options, opened }) => sequenceRate(options, opened) },
  { id: 'endless-outputs', find: ({ options, opened }) => endlessOutputs(options, opened) },
  { id: 'loop-sizes', about: words('loop aloop'), find: ({ options, opened }) => loopSizes(options, opened) },
  {
    id: 'full-chroma',
    about: FULL_CHROMA,
    find: ({ options, encoders, muxer }) => fullChroma(options, encoders, muxer),
  },
  { id: 'style-colours', about: ['subtitles'], find: ({ options }) => styleColours(options) },
  { id: 'several-tunes', about: ['tune'], find: ({ options, encoders }) => severalTunes(options, encoders) },
  { id: 'short-delays', about: ['adelay'], find: ({ options }) => shortDelays(options) },
  { id: 'idle-silence', about: ['silenceremove'], find: ({ options }) => idleSilence(options) },
  { id: 'late-trims', about: words('trim atrim'), find: ({ options, muxer }) => lateTrims(options, muxer) },
  {
    id: 'mistaken-filters',
    about: words('filter filter_complex'),
    find: ({ options, muxer }) => mistakenFilters(options, !PICTURES.has(muxer)),
  },
  {
    id: 'last-frame-only',
    find: ({ options, singlePicture, opened, formatField }) =>
      singlePicture === undefined ? [] : lastFrameOnly(options, opened, singlePicture, formatField),
  },
]);

/** Collects the warnings about an output. A rule that throws finds nothing, and `guard` reports it. */
export const collectWarnings = (context: WarningContext, guard: FaultGuard): readonly Warning[] =>
  RULES.find(context, guard, namesIn(context));

/** The names of all options and filters of the request. */
function* namesIn({ options, sharedOptions, opened }: WarningContext): Generator<string> {
  for (const { name } of options) yield name.name;
  for (const { name } of sharedOptions) yield name.name;
  for (const input of opened) for (const { name } of input.options) yield name.name;
  for (const { name } of allFilters(options)) yield name;
}

/** Formats in which a palette is a usual output. */
const PICTURES: ReadonlySet<string> = new Set(['image2', 'apng', 'webp']);

function durationAndEnd(options: readonly ArgvOption[]): readonly Warning[] {
  const to = options.find(({ key }) => key === 'to');
  if (to === undefined || !options.some(({ key }) => key === 't')) return [];
  return [
    {
      field: to.field,
      code: 'NO_EFFECT',
      message: '"t" and "to" both set the end of the output; ffmpeg uses "t".',
      fix: 'Leave one of them out.',
    },
  ];
}

function endBeforeStart(options: readonly ArgvOption[]): readonly Warning[] {
  const { start, end } = readTrim(options);
  const to = options.find(({ key }) => key === 'to');
  if (to === undefined || start === undefined || end === undefined || end > start) return [];
  return [
    {
      field: to.field,
      code: 'NO_EFFECT',
      message: `"to" is the position where the output ends, and ${to.values[0]} is not after "ss". For a duration, send "t".`,
      fix: sendOption('t', to.values[0] ?? ''),
    },
  ];
}

/** Stream specifiers by tag or by id. */
const BY_TAG_OR_ID = /(?:^|:)(?:m:|i:|#)/;

function unresolvableSpecifiers(options: readonly ArgvOption[]): readonly Warning[] {
  return options
    .filter(
      ({ name: { name, specifier } }) =>
        specifier !== undefined && BY_TAG_OR_ID.test(specifier) && !/metadata$/.test(name),
    )
    .map(({ key, name, field }) => ({
      field,
      code: 'NO_SUCH_STREAM',
      message: `"${key}" matches no stream: the streams of the output have no tags and ids yet when ffmpeg applies it.`,
      fix: `Name streams by number, such as "${name.name}:a:1".`,
    }));
}

const NO_TWO_PASS_MODE: Warning = {
  field: '/parameters/pass',
  code: 'NO_EFFECT',
  message: 'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
  fix: leaveOut('pass'),
};
