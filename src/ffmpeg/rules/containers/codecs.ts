import { addIn, addOption, type Edits, orElse, sendOption } from '../../../domain/edit.ts';
import { extension, type MediaPath, withExtension } from '../../../domain/media-path.ts';
import {
  codecsOfStrictMuxer,
  encodersOfMuxer,
  muxerRejectsCodec,
  type NearestCodec,
  nearestCodec,
} from '../../allowlist/container-codecs.ts';
import { holdsNoSound, holdsNoVideo } from '../../allowlist/containers.ts';
import { containerOfSegment, isUnplayable } from '../../allowlist/playable-codecs.ts';
import { encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { findFormatByExtension } from '../../plan/request/format-names.ts';
import type { FormatField, Rule } from '../contexts.ts';
import type { MediaFacts } from '../facts/media-facts.ts';

/** Codecs that the container is known to reject, so that the job would fail. */
const CONTAINER_CODEC_MISMATCHES: Rule = {
  id: 'container-codec-mismatches',
  finds: 'an encoder whose codec the container does not support',
  about: ['c'],
  option:
    ({ options, muxer, catalogue, path, formatField }) =>
    (option) => {
      const { name, field, values } = option;
      const [value = ''] = values;
      const encoder = name.name === 'c' ? encoderNamed(catalogue, value) : undefined;
      if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
      // Another warning says so if the container holds no stream of this kind.
      if (encoder.kind === 'audio' ? holdsNoSound(muxer) : encoder.kind === 'video' && holdsNoVideo(muxer)) return [];
      const supported = codecsOfStrictMuxer(muxer);
      const nearest = isCover(options) && encoder.kind === 'video' ? COVER : nearestCodec(muxer, encoder.codec);
      const instead = [nearest?.encoder ?? [], encodersOfMuxer(muxer, encoder.kind)]
        .flat()
        .find((one) => catalogue.lists.encoders.has(one));
      return {
        field: nearest?.extension === undefined ? field : formatField,
        code: 'CODEC_NOT_HELD',
        message: `The container ${muxer} does not support ${encoder.codec}${supported === undefined ? '' : `, only ${supported.join(', ')}`}: a job with "${sentName(option)}": "${value}" would fail.`,
        fix:
          nearest?.extension !== undefined
            ? otherContainer(nearest.extension, path, formatField)
            : instead === undefined
              ? {
                  ...addIn({ beside: 'parameters' }, 'format', 'matroska'),
                  why: 'matroska supports nearly every codec',
                }
              : sendOption(sentName(option), instead),
        // With a number in the specifier, the stream can be missing although there are others, or have an encoder of its own.
        ...(encoder.kind !== 'subtitle' && !options.some(namesStream) && { failsWith: encoder.kind }),
      };
    },
};

/** Whether an option chooses the encoder of one stream by its number. */
const namesStream = ({ name }: ArgvOption): boolean => name.name === 'c' && /\d/.test(name.specifier ?? '');

/** The encoder of a cover, which every container with covers holds. */
const COVER: NearestCodec = { kind: 'video', encoder: 'mjpeg' };

/** Whether the request makes its picture the cover of a sound. */
const isCover = (options: readonly ArgvOption[]): boolean =>
  options.some(({ name, values }) => name.name === 'disposition' && values.some((one) => one.includes('attached_pic')));

/** The fix that changes the container, where the request names it. */
const otherContainer = (extension: string, path: MediaPath, formatField: FormatField): Edits =>
  formatField === '/output'
    ? sendOption('output', withExtension(path, extension))
    : sendOption(formatField === '/format' ? 'format' : 'f', extension);

/** Codecs of animations, for which another warning names the format. */
const ANIMATIONS: ReadonlySet<string> = new Set(['apng', 'gif', 'webp']);

/** Codecs of single pictures. Most programs recognise them by their content. */
const STILLS: ReadonlySet<string> = new Set(
  'mjpeg png bmp tiff jpeg2000 jpegls jpegxl ppm pgm pbm pam pfm targa dpx exr qoi sgi pcx xbm sunrast'.split(' '),
);

/**
 * An encoder of films for pictures: the muxer `image2` writes what it gets, so `c:v` of libx264 makes a `.jpg` of
 * H.264 that no program reads as a picture.
 */
const IMAGE_CODECS: Rule = {
  id: 'image-codecs',
  finds: 'an encoder whose codec is not that of the image format',
  about: ['c'],
  option({ muxer, path, catalogue }) {
    const name = extension(path);
    const format = findFormatByExtension(name, catalogue.lists.muxers);
    const picture = 'format' in format ? format.format.picture : undefined;
    const wanted = picture === undefined ? undefined : encoderNamed(catalogue, picture);
    if (muxer !== 'image2' || picture === undefined || wanted === undefined) return () => [];
    return (option) => {
      const [value = ''] = option.values;
      const encoder = encoderNamed(catalogue, value);
      if (encoder === undefined || encoder.kind !== 'video' || encoder.codec === wanted.codec) return [];
      if (ANIMATIONS.has(encoder.codec)) return [];
      return {
        code: 'CODEC_NOT_HELD',
        message: STILLS.has(encoder.codec)
          ? `"${sentName(option)}": "${value}" writes a picture in ${encoder.codec} with the name of another format, ".${name}". Some programs trust the name.`
          : `"${sentName(option)}": "${value}" would write ${encoder.codec} into a .${name}, which programs cannot read as a picture.`,
        fix: sendOption(sentName(option), picture),
      };
    };
  },
};

const LETTERS: Readonly<Record<string, 'v' | 'a' | 's'>> = { video: 'v', audio: 'a', subtitle: 's' };

/** The format of each segment: that of `segment_format`, or of the extension. */
const segmentContainer = (facts: MediaFacts): string =>
  facts.argumentOf('segment_format') ?? containerOfSegment(extension(facts.plan.output.path));

const UNPLAYABLE_CODECS: Rule = {
  id: 'unplayable-codecs',
  finds: 'a codec that the container takes, although hardly any player reads it there',
  run({ facts, pass: { outputStreams, used } }) {
    const { muxer } = facts.plan.output;
    const isHls = muxer === 'hls' && !/fmp4|^1$/.test(facts.argumentOf('hls_segment_type') ?? '');
    const container = isHls ? 'mpegts' : muxer === 'segment' ? segmentContainer(facts) : muxer;
    const seen = new Set<string>();
    return outputStreams.flatMap(({ type, codec, disposition, index }) => {
      const letter = LETTERS[type];
      // The plan warns about the wrong encoder of a picture.
      if (container === 'image2' && !used.some(({ output, copied }) => copied && output === index)) return [];
      // HLS writes subtitles into playlists of their own.
      if (letter === undefined || seen.has(letter) || !isUnplayable(container, codec)) return [];
      if ((isHls && letter === 's') || disposition?.includes('attached_pic')) return [];
      seen.add(letter);
      const key = [`c:${letter}`, 'c'].find((one) => facts.fieldOf(one) !== undefined);
      const picture = container === 'image2' ? pictureEncoder(extension(facts.plan.output.path)) : undefined;
      const [encoder = picture] = type === 'video' || type === 'audio' ? encodersOfMuxer(container, type) : [];
      const fix = (key === 'c' ? addOption : sendOption)(
        encoder === undefined ? `${letter}n` : `c:${letter}`,
        encoder ?? '',
      );
      return {
        key: key ?? '',
        code: 'UNPLAYABLE_CODEC',
        message: `The format ${container} takes ${codec} without an error, but hardly any player reads it there.`,
        fix:
          picture !== undefined
            ? fix
            : orElse(
                fix,
                `${facts.argumentOf('segment_format') === undefined ? '' : '"segment_format": "matroska" with '}an output that ends in .mkv`,
              ),
      };
    });
  },
};

/** The encoder of a picture by its extension, if that is not its name. */
const PICTURE_ENCODERS: Readonly<Record<string, string>> = {
  jpg: 'mjpeg',
  jpeg: 'mjpeg',
  tif: 'tiff',
  tga: 'targa',
  jp2: 'jpeg2000',
  webp: 'libwebp',
};
const pictureEncoder = (name: string): string => PICTURE_ENCODERS[name] ?? name;

export const CODEC_RULES: readonly Rule[] = [CONTAINER_CODEC_MISMATCHES, IMAGE_CODECS, UNPLAYABLE_CODECS];
