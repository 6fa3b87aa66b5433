import { leaveOut, orElse, sendOption } from '../../../domain/edit.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
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

/** The facts that the warnings about an output depend on, besides its options. */
export interface WarningContext {
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
export const formatWarnings = (options: readonly ArgvOption[], context: WarningContext): readonly Warning[] => [
  ...rawOutput(context.opened, context),
  ...streamFormat(options, context),
  ...otherFormat(context),
];

/** What an option lacks in a format that is probably not meant. */
const BY_FORMAT: ReadonlySet<string> = new Set(['NO_EFFECT', 'CODEC_NOT_HELD']);

/**
 * Drops the warnings that follow from a format which is probably not meant: with the format that is, options have an effect,
 * and codecs fit. What remains wrong then has its warning when the request is sent again.
 */
export const withoutEffects = (ofFormat: readonly Warning[], others: readonly Warning[]): readonly Warning[] =>
  ofFormat.length === 0 ? others : others.filter(({ code }) => !BY_FORMAT.has(code));

const words = (text: string): readonly string[] => text.split(' ');

/** A rule that finds warnings about an output. */
interface WarningRule {
  /**
   * Names of options and filters: without one of them, the rule finds nothing. Absent if it depends on something else. An
   * option and a filter with the same name count as one.
   */
  readonly about?: Iterable<string>;
  readonly find: (options: readonly ArgvOption[], context: WarningContext) => readonly Warning[];
}

/** Warnings about requests that are valid, but probably not meant like that. A reply has them in this order. */
const RULES: readonly WarningRule[] = [
  { about: ['to'], find: (options) => [...durationAndEnd(options), ...endBeforeStart(options)] },
  { about: ['to'], find: (options, { opened }) => endAfterSeek(options, opened) },
  { find: unresolvableSpecifiers },
  { find: (_options, { onePassOnly }) => (onePassOnly ? [NO_TWO_PASS_MODE] : []) },
  {
    about: words('r s pix_fmt ar ac sample_fmt ch_layout'),
    find: (options, { encoders }) => streamCopyConflicts(options, encoders),
  },
  { about: words('s filter'), find: (options, { encoders }) => oddDimensions(options, encoders) },
  { about: ['b'], find: crfBitrateConflicts },
  { about: ['crf'], find: (options, { encoders }) => cappedQuality(options, encoders) },
  { about: ['c'], find: containerMismatches },
  { about: ['c'], find: pictureCodecs },
  { find: (_options, context) => programStream(context.encoders, context) },
  { about: words('width height'), find: (_options, { sharedOptions }) => pictureSizeNames(sharedOptions) },
  { about: FOR_ONE_KIND, find: (options, { muxer, catalogue }) => absentStreams(options, muxer, catalogue) },
  { about: words('vn an'), find: (options, { muxer }) => nothingLeft(options, muxer) },
  { about: ['q'], find: (options, { encoders }) => ignoredQuality(options, encoders) },
  { about: ['b'], find: (options, { encoders }) => ignoredBitRates(options, encoders) },
  { about: words('maxrate bufsize'), find: (options, { encoders }) => ignoredRateLimits(options, encoders) },
  { about: ['ac'], find: channelConflicts },
  {
    about: words('color_primaries color_trc'),
    find: (options, { encoders, catalogue }) => ignoredColours(options, encoders, catalogue),
  },
  { find: (options, { opened }) => unusedInputs(options, opened) },
  { find: (options, { opened, path }) => unjoinedPictures(options, opened, path) },
  {
    about: ['map'],
    find: (options, { opened, muxer, catalogue, isOwn }) => unmappedKinds(options, opened, muxer, catalogue, isOwn),
  },
  { find: (_options, { opened }) => playlists(opened) },
  { find: (options, context) => subtitleFiles(options, context.opened, context) },
  { about: ['sub_charenc'], find: (_options, context) => copiedEncoding(context) },
  { about: ['itsoffset'], find: (_options, { opened }) => shiftedInput(opened) },
  { about: ['force_key_frames'], find: singleKeyFrame },
  {
    about: words('hls_time hls_init_time seg_duration frag_duration'),
    find: (options, { muxer }) => segmentUnits(options, muxer),
  },
  { about: ['metadata'], find: (options, { muxer }) => languageTags(options, muxer) },
  { about: ['metadata'], find: (options, { muxer }) => languageOfFile(options, muxer) },
  { about: ['metadata'], find: (options, { muxer }) => lostTags(options, muxer) },
  { about: ['metadata'], find: quotedTags },
  { about: ['metadata'], find: (options, { catalogue }) => rotationTags(options, catalogue) },
  { about: ['crf'], find: (options, { encoders, muxer }) => losslessQuality(options, encoders, muxer) },
  { about: ['vol'], find: oldVolume },
  {
    about: words('b maxrate minrate bufsize fs hls_segment_size frag_size probesize'),
    find: (_options, { sharedOptions }) => byteSuffixes(sharedOptions),
  },
  { about: ['r'], find: (options, { opened }) => sequenceRate(options, opened) },
  { find: (options, { opened }) => endlessOutputs(options, opened) },
  { about: words('loop aloop'), find: (options, { opened }) => loopSizes(options, opened) },
  {
    about: FULL_CHROMA,
    find: (options, { encoders, muxer }) => fullChroma(options, encoders, muxer),
  },
  { about: ['subtitles'], find: styleColours },
  { about: ['tune'], find: (options, { encoders }) => severalTunes(options, encoders) },
  { about: ['adelay'], find: shortDelays },
  { about: ['silenceremove'], find: idleSilence },
  { about: words('trim atrim'), find: (options, { muxer }) => lateTrims(options, muxer) },
  {
    about: words('filter filter_complex'),
    find: (options, { muxer }) => mistakenFilters(options, !PICTURES.has(muxer)),
  },
  {
    find: (options, { singlePicture, opened, formatField }) =>
      singlePicture === undefined ? [] : lastFrameOnly(options, opened, singlePicture, formatField),
  },
];

/** The numbers of the rules about each name. */
const RULES_ABOUT: ReadonlyMap<string, readonly number[]> = indexRules();

function indexRules(): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [rule, { about = [] }] of RULES.entries())
    for (const name of about) index.set(name, [...(index.get(name) ?? []), rule]);
  return index;
}

/** For each rule, whether it looks at every request. */
const BY_DEFAULT: readonly boolean[] = RULES.map(({ about }) => about === undefined);

const NO_RULES: readonly number[] = [];

/** Collects the warnings about an output. Of the rules about names, only those run whose names are in the request. */
export function collectWarnings(options: readonly ArgvOption[], context: WarningContext): readonly Warning[] {
  const isDue = BY_DEFAULT.slice();
  const need = (name: string): void => {
    for (const rule of RULES_ABOUT.get(name) ?? NO_RULES) isDue[rule] = true;
  };
  for (const { name } of options) need(name.name);
  for (const { name } of context.sharedOptions) need(name.name);
  for (const input of context.opened) for (const { name } of input.options) need(name.name);
  for (const { name } of allFilters(options)) need(name);
  const found: Warning[] = [];
  for (let rule = 0; rule < RULES.length; rule++)
    if (isDue[rule] === true) for (const warning of RULES[rule]?.find(options, context) ?? []) found.push(warning);
  return found;
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
      fix: orElse(leaveOut('to'), leaveOut('t')),
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
