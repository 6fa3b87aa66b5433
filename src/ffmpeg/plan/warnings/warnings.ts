import { leaveOut, orElse, sendOption } from '../../../domain/edit.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { FaultGuard } from '../../rules/fault-guard.ts';
import { ruleSet } from '../../rules/rules.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, readTrim } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
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

export const FORMAT_RULES = ruleSet<WarningContext>([
  {
    id: 'raw-format',
    finds: 'a format without a header (`s16le`, `rawvideo`) for a file whose name says another format',
    supersedes: ['single-stream-format', 'format-extension-mismatch'],
    find: (context) => rawOutput(context.opened, context),
  },
  {
    id: 'single-stream-format',
    finds: 'the format of a single stream (`h264`, `adts`) for a file whose name says a container',
    supersedes: ['format-extension-mismatch'],
    find: (context) => streamFormat(context.options, context),
  },
  {
    id: 'format-extension-mismatch',
    finds: 'a `format` of another kind of file than the extension of the output says',
    find: (context) => otherFormat(context),
  },
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
export const PLAN_RULES = ruleSet<WarningContext>([
  {
    id: 'duration-and-end',
    finds: 'both `t` and `to` for the end of the output',
    about: ['to'],
    find: ({ options }) => durationAndEnd(options),
  },
  {
    id: 'end-before-start',
    finds: '`to` that is not after `ss`',
    about: ['to'],
    find: ({ options }) => endBeforeStart(options),
  },
  {
    id: 'end-after-seek',
    finds: '`to` of the output beside `ss` of an input, so that `to` is a duration',
    about: ['to'],
    find: ({ options, opened }) => endAfterSeek(options, opened),
  },
  {
    id: 'unresolvable-specifiers',
    finds: 'a stream specifier by tag or by id, which matches no stream of an output',
    find: ({ options }) => unresolvableSpecifiers(options),
  },
  {
    id: 'missing-two-pass-mode',
    finds: 'two passes for an encoder that has no two-pass mode',
    find: ({ onePassOnly }) => (onePassOnly ? [NO_TWO_PASS_MODE] : []),
  },
  {
    id: 'stream-copy-conflicts',
    finds: 'an option of encoders (`r`, `s`, `ar`) for a stream that is copied',
    about: words('r s pix_fmt ar ac sample_fmt ch_layout'),
    find: ({ options, encoders }) => streamCopyConflicts(options, encoders),
  },
  {
    id: 'odd-dimensions',
    finds: 'a size with an odd width or height, which libx264 and libx265 reject',
    about: words('s filter'),
    find: ({ options, encoders }) => oddDimensions(options, encoders),
  },
  {
    id: 'crf-bitrate-conflicts',
    finds: 'a quality and a bit rate for an encoder that uses only one of them',
    about: ['b'],
    find: (context) => crfBitrateConflicts(context.options, context),
  },
  {
    id: 'vp8-crf-without-bitrate',
    finds: '`crf` for VP8 without `b:v`, so that libvpx writes at most 256 kb/s',
    about: ['crf'],
    find: ({ options, encoders }) => cappedQuality(options, encoders),
  },
  {
    id: 'container-codec-mismatches',
    finds: 'an encoder whose codec the container does not support',
    about: ['c'],
    find: (context) => containerMismatches(context.options, context),
  },
  {
    id: 'image-codecs',
    finds: 'an encoder whose codec is not that of the image format',
    about: ['c'],
    find: (context) => pictureCodecs(context.options, context),
  },
  {
    id: 'mpeg1-system-stream',
    finds: 'MPEG-2 video with AC-3 in the format `mpeg`, the system stream of MPEG-1',
    find: (context) => programStream(context.encoders, context),
  },
  {
    id: 'width-height-options',
    finds: '`width` or `height` as an option, which does not set the size of the video',
    about: words('width height'),
    find: ({ sharedOptions }) => pictureSizeNames(sharedOptions),
  },
  {
    id: 'options-without-output-stream',
    finds: 'an option for video or audio that the output cannot have',
    about: FOR_ONE_KIND,
    find: ({ options, muxer, catalogue }) => absentStreams(options, muxer, catalogue),
  },
  {
    id: 'nothing-left',
    finds: '`vn` or `an` for a format that holds nothing else',
    about: words('vn an'),
    find: ({ options, muxer }) => nothingLeft(options, muxer),
  },
  {
    id: 'unsuitable-quality',
    finds: '`q` for an encoder that ignores it, or with a value that is not on the scale of the encoder',
    about: ['q'],
    find: ({ options, encoders }) => ignoredQuality(options, encoders),
  },
  {
    id: 'ignored-bitrates',
    finds: 'a bit rate for an encoder that ignores it',
    about: ['b'],
    find: ({ options, encoders }) => ignoredBitRates(options, encoders),
  },
  {
    id: 'ignored-bitrate-limits',
    finds: '`maxrate` without `bufsize`, or the reverse, for an encoder that needs both',
    about: words('maxrate bufsize'),
    find: ({ options, encoders }) => ignoredRateLimits(options, encoders),
  },
  {
    id: 'channel-conflicts',
    finds: '`ac` beside a channel layout with another number of channels',
    about: ['ac'],
    find: ({ options }) => channelConflicts(options),
  },
  {
    id: 'ignored-colours',
    finds: '`color_primaries` or `color_trc`, which ffmpeg 7.1 ignores',
    about: words('color_primaries color_trc'),
    find: ({ options, encoders, catalogue }) => ignoredColours(options, encoders, catalogue),
  },
  {
    id: 'unused-inputs',
    finds: 'an input of which nothing gets into the output',
    find: ({ options, opened }) => unusedInputs(options, opened),
  },
  {
    id: 'unjoined-images',
    finds: 'several images for a video, of which ffmpeg shows only one',
    find: ({ options, opened, path }) => unjoinedPictures(options, opened, path),
  },
  {
    id: 'unmapped-stream-kinds',
    finds: 'options for a kind of stream that no `map` selects, or a `map` that leaves out the video',
    about: ['map'],
    find: ({ options, opened, muxer, catalogue, isOwn }) => unmappedKinds(options, opened, muxer, catalogue, isOwn),
  },
  {
    id: 'playlist-inputs',
    finds: 'an input that is a playlist, whose files the service does not open',
    find: ({ opened }) => playlists(opened),
  },
  {
    id: 'subtitle-file-codecs',
    finds: 'an input of subtitles that the container holds only with another codec, or with an option for the codec',
    find: (context) => subtitleFiles(context.options, context.opened, context),
  },
  {
    id: 'ignored-sub-charenc',
    finds: '`sub_charenc` for subtitles that are copied',
    about: ['sub_charenc'],
    find: (context) => copiedEncoding(context),
  },
  {
    id: 'ineffective-itsoffset',
    finds: '`itsoffset` of the only input, which moves video and audio together',
    about: ['itsoffset'],
    find: ({ opened }) => shiftedInput(opened),
  },
  {
    id: 'single-key-frame',
    finds: '`force_key_frames` with one small number, which is a time and not an interval',
    about: ['force_key_frames'],
    find: ({ options }) => singleKeyFrame(options),
  },
  {
    id: 'segment-units',
    finds: 'the duration of a segment in milliseconds, or of a fragment in another unit than microseconds',
    about: words('hls_time hls_init_time seg_duration frag_duration'),
    find: ({ options, muxer }) => segmentUnits(options, muxer),
  },
  {
    id: 'language-tags',
    finds: 'a language of a stream that is not a code, or is under another name than `language`',
    about: ['metadata'],
    find: ({ options, muxer }) => languageTags(options, muxer),
  },
  {
    id: 'file-language',
    finds: 'a language of the whole file, where players read that of each stream',
    about: ['metadata'],
    find: ({ options, muxer }) => languageOfFile(options, muxer),
  },
  {
    id: 'unsupported-tags',
    finds: 'a tag that the container does not store',
    about: ['metadata'],
    find: ({ options, muxer }) => lostTags(options, muxer),
  },
  {
    id: 'quoted-tags',
    finds: 'quotes around the text of a tag, which become a part of it',
    about: ['metadata'],
    find: ({ options }) => quotedTags(options),
  },
  {
    id: 'rotation-tags',
    finds: 'the tag `rotate`, which ffmpeg drops from release 7 on',
    about: ['metadata'],
    find: ({ options, catalogue }) => rotationTags(options, catalogue),
  },
  {
    id: 'lossless-crf',
    finds: '`crf` 0 of libx264 in a container for players, few of which show lossless video',
    about: ['crf'],
    find: ({ options, encoders, muxer }) => losslessQuality(options, encoders, muxer),
  },
  {
    id: 'vol-percentages',
    finds: '`vol` as a percentage, although 256 is the original volume',
    about: ['vol'],
    find: ({ options }) => oldVolume(options),
  },
  {
    id: 'byte-suffixes',
    finds: 'a size or a bit rate that ends in `B`, which ffmpeg reads as a factor of 8',
    about: words('b maxrate minrate bufsize fs hls_segment_size frag_size probesize'),
    find: ({ sharedOptions }) => byteSuffixes(sharedOptions),
  },
  {
    id: 'sequence-frame-rate',
    finds: '`r` for an image sequence, which ffmpeg reads at 25 images per second all the same',
    about: ['r'],
    find: ({ options, opened }) => sequenceRate(options, opened),
  },
  {
    id: 'endless-outputs',
    finds: 'an output that never ends',
    find: ({ options, opened }) => endlessOutputs(options, opened),
  },
  {
    id: 'loop-without-size',
    finds: 'the filter `loop` or `aloop` without `size`, which repeats nothing',
    about: words('loop aloop'),
    find: ({ options, opened }) => loopSizes(options, opened),
  },
  {
    id: 'full-chroma',
    finds: 'a filter that takes only RGB or 4:4:4 before H.264 or H.265, without `pix_fmt`',
    about: FULL_CHROMA,
    find: ({ options, encoders, muxer }) => fullChroma(options, encoders, muxer),
  },
  {
    id: 'subtitle-style-colours',
    finds: 'a colour in `force_style` that is not written as ASS writes it',
    about: ['subtitles'],
    find: ({ options }) => styleColours(options),
  },
  {
    id: 'several-tunes',
    finds: 'several kinds of content in `tune`, of which libx264 uses only the first',
    about: ['tune'],
    find: ({ options, encoders }) => severalTunes(options, encoders),
  },
  {
    id: 'short-delays',
    finds: '`adelay` of a few milliseconds, where seconds are probably meant',
    about: ['adelay'],
    find: ({ options }) => shortDelays(options),
  },
  {
    id: 'idle-silenceremove',
    finds: 'the filter `silenceremove` without periods, which removes nothing',
    about: ['silenceremove'],
    find: ({ options }) => idleSilence(options),
  },
  {
    id: 'trim-without-setpts',
    finds:
      'the filter `trim` or `atrim` from a later start without `setpts`, so that the output begins with a still or silent part',
    about: words('trim atrim'),
    find: ({ options, muxer }) => lateTrims(options, muxer),
  },
  {
    id: 'mistaken-filters',
    finds: 'a filter or a value of one that ffmpeg accepts and that is a mistake, such as degrees for radians',
    about: words('filter filter_complex'),
    find: ({ options, muxer }) => mistakenFilters(options, !PICTURES.has(muxer)),
  },
  {
    id: 'last-frame-only',
    finds: 'a video that becomes one image, so that only its last frame is kept',
    find: ({ options, singlePicture, opened, formatField }) =>
      singlePicture === undefined ? [] : lastFrameOnly(options, opened, singlePicture, formatField),
  },
]);

/** Collects the warnings about an output. A rule that throws finds nothing, and `guard` reports it. */
export const collectWarnings = (context: WarningContext, guard: FaultGuard): readonly Warning[] =>
  PLAN_RULES.find(context, guard, namesIn(context));

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
