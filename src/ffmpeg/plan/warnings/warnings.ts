import type { MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readTrim } from '../request/trim-range.ts';
import { absentStreams, nothingLeft } from './absent-streams.ts';
import { byteSuffixes } from './byte-suffix.ts';
import { cappedQuality } from './capped-quality.ts';
import { channelConflicts } from './channel-conflicts.ts';
import { containerMismatches } from './container-mismatches.ts';
import { copiedEncoding } from './copied-encoding.ts';
import { crfBitrateConflicts } from './crf-bitrate-conflict.ts';
import { endAfterSeek } from './end-after-seek.ts';
import { endlessOutputs } from './endless-outputs.ts';
import type { FormatField } from './format-field.ts';
import { fullChroma } from './full-chroma.ts';
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

/** Warnings about requests that are valid, but probably not meant like that. */
export const collectWarnings = (options: readonly ArgvOption[], context: WarningContext): readonly Warning[] => [
  ...durationAndEnd(options),
  ...endBeforeStart(options),
  ...endAfterSeek(options, context.opened),
  ...unresolvableSpecifiers(options),
  ...(context.onePassOnly ? [NO_TWO_PASS_MODE] : []),
  ...streamCopyConflicts(options, context.encoders),
  ...oddDimensions(options, context.encoders),
  ...crfBitrateConflicts(options, context),
  ...cappedQuality(options, context.encoders),
  ...containerMismatches(options, context),
  ...pictureCodecs(options, context),
  ...programStream(context.encoders, context),
  ...pictureSizeNames(context.sharedOptions),
  ...absentStreams(options, context.muxer, context.catalogue),
  ...nothingLeft(options, context.muxer),
  ...ignoredQuality(options, context.encoders),
  ...ignoredBitRates(options, context.encoders),
  ...ignoredRateLimits(options, context.encoders),
  ...channelConflicts(options),
  ...ignoredColours(options, context.encoders, context.catalogue),
  ...unusedInputs(options, context.opened),
  ...unjoinedPictures(options, context.opened, context.path),
  ...unmappedKinds(options, context.opened, context.muxer, context.catalogue, context.isOwn),
  ...playlists(context.opened),
  ...subtitleFiles(options, context.opened, context),
  ...copiedEncoding(context),
  ...shiftedInput(context.opened),
  ...singleKeyFrame(options),
  ...segmentUnits(options, context.muxer),
  ...languageTags(options, context.muxer),
  ...languageOfFile(options, context.muxer),
  ...lostTags(options, context.muxer),
  ...quotedTags(options),
  ...rotationTags(options, context.catalogue),
  ...losslessQuality(options, context.encoders, context.muxer),
  ...oldVolume(options),
  ...byteSuffixes(context.sharedOptions),
  ...sequenceRate(options, context.opened),
  ...endlessOutputs(options, context.opened),
  ...loopSizes(options, context.opened),
  ...fullChroma(options, context.encoders, context.muxer),
  ...styleColours(options),
  ...severalTunes(options, context.encoders),
  ...shortDelays(options),
  ...idleSilence(options),
  ...lateTrims(options, context.muxer),
  ...mistakenFilters(options, !PICTURES.has(context.muxer)),
  ...(context.singlePicture === undefined
    ? []
    : lastFrameOnly(options, context.opened, context.singlePicture, context.formatField)),
];

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
      fix: `Send "t": "${to.values[0]}".`,
    },
  ];
}

/** Stream specifiers by tag or by id. */
const BY_TAG_OR_ID = /(?:^|:)(?:m:|i:|#)/;

const unresolvableSpecifiers = (options: readonly ArgvOption[]): readonly Warning[] =>
  options
    .filter(({ name }) => BY_TAG_OR_ID.test(name.specifier ?? '') && !/metadata$/.test(name.name))
    .map(({ key, name, field }) => ({
      field,
      code: 'NO_SUCH_STREAM',
      message: `"${key}" matches no stream: the streams of the output have no tags and ids yet when ffmpeg applies it.`,
      fix: `Name streams by number, such as "${name.name}:a:1".`,
    }));

const NO_TWO_PASS_MODE: Warning = {
  field: '/parameters/pass',
  code: 'NO_EFFECT',
  message: 'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
  fix: 'Leave "pass" out.',
};
