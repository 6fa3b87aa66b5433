import { addIn, addOption, type Edits, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension, type MediaPath, withExtension } from '@telecine/contract/domain/media-path.ts';
import {
  codecsOfStrictMuxer,
  encodersOfMuxer,
  muxerRejectsCodec,
  type NearestCodec,
  nearestCodec,
} from '../../allowlist/container-codecs.ts';
import { holdsNoAudio, holdsNoVideo } from '../../allowlist/containers.ts';
import { containerOfSegment, isUnplayable } from '../../allowlist/playable-codecs.ts';
import { wordPairs, wordSet } from '../../allowlist/words.ts';
import { encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { findFormatByExtension } from '../../plan/request/format-names.ts';
import type { FormatField, Rules, RunWarning } from '../contexts.ts';
import { isCopied, isCover } from '../facts/converted-streams.ts';
import { KINDS, letterOf, type MediaFacts } from '../facts/media-facts.ts';

const namesStream = ({ name }: ArgvOption): boolean => name.name === 'c' && /\d/.test(name.specifier ?? '');

/** The encoder for a cover. Every container with covers holds its codec. */
const COVER: NearestCodec = { kind: 'video', encoder: 'mjpeg' };

const makesCover = (options: readonly ArgvOption[]): boolean =>
  options.some(({ name, values }) => name.name === 'disposition' && values.some((one) => one.includes('attached_pic')));

const otherContainer = (extension: string, path: MediaPath, formatField: FormatField): Edits =>
  formatField === '/output'
    ? sendOption('output', withExtension(path, extension))
    : sendOption(formatField === '/format' ? 'format' : 'f', extension);

/** Codecs of animations. `last-frame-only` names the right format for them. */
const ANIMATIONS: ReadonlySet<string> = new Set(['apng', 'gif', 'webp']);

/** Codecs of still images. Most programs recognise them by the content, whatever the extension is. */
const STILLS = wordSet(
  'mjpeg png bmp tiff jpeg2000 jpegls jpegxl ppm pgm pbm pam pfm targa dpx exr qoi sgi pcx xbm sunrast',
);

/** Returns the format of the segment files: `segment_format`, or else the format of their extension. */
const segmentContainer = (facts: MediaFacts): string =>
  facts.argumentOf('segment_format') ?? containerOfSegment(extension(facts.plan.output.path));

/** The encoders of image extensions that are not themselves names of encoders. */
const IMAGE_ENCODERS = wordPairs('jpg mjpeg jpeg mjpeg tif tiff tga targa jp2 jpeg2000 webp libwebp');

export const CODEC_RULES: Rules = {
  'container-codec-mismatches': {
    finds: 'an encoder whose codec the container does not support',
    about: ['c'],
    option: (context) => (option) => {
      const { options, muxer, catalogue, path, formatField } = context;
      const [value = ''] = option.values;
      const encoder = encoderNamed(catalogue, value);
      if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
      // The rule `options-without-output-stream` reports a container that holds no stream of this kind.
      if (encoder.kind === 'audio' ? holdsNoAudio(muxer) : encoder.kind === 'video' && holdsNoVideo(muxer)) return [];
      const supported = codecsOfStrictMuxer(muxer);
      const nearest = makesCover(options) && encoder.kind === 'video' ? COVER : nearestCodec(muxer, encoder.codec);
      const instead = [nearest?.encoder ?? [], encodersOfMuxer(muxer, encoder.kind)]
        .flat()
        .find((one) => catalogue.lists.encoders.has(one));
      return {
        field: nearest?.extension === undefined ? option.field : formatField,
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
        // An option for one stream (`c:a:1`) may not fail the job: the stream may be missing, or have another encoder.
        ...(encoder.kind !== 'subtitle' && !options.some(namesStream) && { failsWith: encoder.kind }),
      };
    },
  },

  /** `image2` does not check the codec: with `c:v` libx264, a `.jpg` contains H.264, which no program can read. */
  'image-codecs': {
    finds: 'an encoder whose codec is not that of the image format',
    about: ['c'],
    option({ muxer, path, catalogue }) {
      const name = extension(path);
      const format = findFormatByExtension(name, catalogue.lists.muxers);
      const usual = 'format' in format ? format.format.imageEncoder : undefined;
      const wanted = usual === undefined ? undefined : encoderNamed(catalogue, usual);
      if (muxer !== 'image2' || usual === undefined || wanted === undefined) return () => [];
      return (option) => {
        const [value = ''] = option.values;
        const { kind, codec = '' } = encoderNamed(catalogue, value) ?? {};
        if (kind !== 'video' || codec === wanted.codec || ANIMATIONS.has(codec)) return [];
        const sent = `"${sentName(option)}": "${value}"`;
        return {
          code: 'CODEC_NOT_HELD',
          message: STILLS.has(codec)
            ? `${sent} writes an image in ${codec} with the name of another format, ".${name}". Some programs trust the name.`
            : `${sent} would write ${codec} into a .${name}, which programs cannot read as an image.`,
          fix: sendOption(sentName(option), usual),
        };
      };
    },
  },

  'unplayable-codecs': {
    finds: 'a codec that the container takes, although hardly any player reads it there',
    run({ facts, pass }) {
      const { muxer, path } = facts.plan.output;
      const isHls = muxer === 'hls' && !/fmp4|^1$/.test(facts.argumentOf('hls_segment_type') ?? '');
      const container = isHls ? 'mpegts' : muxer === 'segment' ? segmentContainer(facts) : muxer;
      const seen = new Set<string>();
      return pass.outputStreams.flatMap((stream): RunWarning | [] => {
        const { codec, index } = stream;
        const kind = KINDS.find((one) => one === stream.type);
        if (kind === undefined || seen.has(kind) || isCover(stream)) return [];
        if (codec === 'none') {
          seen.add(kind);
          return {
            code: 'UNPLAYABLE_CODEC',
            message: `This ffmpeg does not know the codec of the ${kind}, so the format ${container} does not say what it is, and players cannot tell.`,
            fix: 'Keep the file as it is, or send one in another codec.',
          };
        }
        if (!isUnplayable(container, codec)) return [];
        // `image-codecs` already warns about a wrong image encoder. HLS writes subtitles into playlists of their own.
        if ((container === 'image2' && !isCopied(pass, index)) || (isHls && kind === 'subtitle')) return [];
        seen.add(kind);
        const letter = letterOf(kind);
        const key = [`c:${letter}`, 'c'].find((one) => facts.fieldOf(one) !== undefined) ?? '';
        const name = extension(path);
        const imageEncoder = container === 'image2' ? (IMAGE_ENCODERS.get(name) ?? name) : undefined;
        const [encoder = imageEncoder] = kind === 'subtitle' ? [] : encodersOfMuxer(container, kind);
        const [option, value] = encoder === undefined ? [`${letter}n`, ''] : [`c:${letter}`, encoder];
        const fix = key === 'c' ? addOption(option, value) : sendOption(option, value);
        const format = facts.argumentOf('segment_format') === undefined ? '' : '"segment_format": "matroska" with ';
        return {
          key,
          code: 'UNPLAYABLE_CODEC',
          message: `The format ${container} takes ${codec} without an error, but hardly any player reads it there.`,
          fix: imageEncoder === undefined ? orElse(fix, `${format}an output that ends in .mkv`) : fix,
        };
      });
    },
  },
};
