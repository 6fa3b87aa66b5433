import { leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension, type MediaPath, withExtension } from '@telecine/contract/domain/media-path.ts';
import {
  codecsOfStrictMuxer,
  encodersOfMuxer,
  muxerRejectsCodec,
  nearestCodec,
} from '../../allowlist/container-codecs.ts';
import { holdsNoAudio, holdsNoVideo, holdsOnlyCover, playlistAdvice } from '../../allowlist/containers.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import { wordSet } from '../../allowlist/words.ts';
import { encoderNamed, kindOfLetter } from '../../catalogue/catalogue.ts';
import { type ArgvOption, allFilters, sentName } from '../../plan/request/argv-option.ts';
import { fileKind } from '../../plan/request/format-names.ts';
import { type Finding, noEffect, type RequestContext, type Rules, unusualValue } from '../rule.ts';

/** Formats with the extensions of their files. Programs can read a file with the extension of another format of its row: an MP4 `a.mov`. */
const FAMILIES: readonly (readonly [name: string, muxers: ReadonlySet<string>, extensions: ReadonlySet<string>])[] = [
  ['an MP4 file', wordSet('mp4 mov ipod psp f4v 3gp 3g2 ismv'), wordSet('mp4 m4a m4b m4v mov 3gp 3g2 f4v')],
  ['a Matroska file', wordSet('matroska webm'), wordSet('mkv mka webm mks mk3d')],
  ['an MPEG-TS file', wordSet('mpegts'), wordSet('ts m2ts mts m2t')],
  ['an AVI file', wordSet('avi'), wordSet('avi')],
  ['an FLV file', wordSet('flv'), wordSet('flv')],
  ['an ASF file', wordSet('asf'), wordSet('wmv wma asf')],
  ['an MP3 file', wordSet('mp3'), wordSet('mp3')],
  ['a WAV file', wordSet('wav w64'), wordSet('wav w64')],
  ['a FLAC file', wordSet('flac'), wordSet('flac')],
  ['an AAC file', wordSet('adts latm'), wordSet('aac')],
  ['an AIFF file', wordSet('aiff'), wordSet('aiff aif aifc')],
  ['an Ogg file', wordSet('ogg oga ogv opus spx'), wordSet('ogg oga ogv opus spx ogx')],
  ['a GIF file', wordSet('gif'), wordSet('gif')],
  ['an HLS playlist', wordSet('hls'), wordSet('m3u8')],
  ['a DASH manifest', wordSet('dash'), wordSet('mpd')],
  // Streams without a container. A file with another name is not one of them.
  ['a bare stream', wordSet('h264 hevc mjpeg mpeg1video mpeg2video ac3 eac3 m4v'), new Set()],
  [
    'a file without a header',
    wordSet('s8 u8 s16le s16be s24le s24be s32le s32be f32le f32be f64le f64be u16le u16be alaw mulaw rawvideo'),
    wordSet('pcm raw yuv'),
  ],
];

/** Filters that output only RGB or 4:4:4, in all releases from 5.1 on. */
const FULL_CHROMA_FILTERS = wordSet(
  'xfade curves colorbalance colorchannelmixer colorlevels vibrance selectivecolor colortemperature colorcontrast ' +
    'lut3d lut1d haldclut rgbashift',
);

/** Filters that keep the pixel format of their input. */
const KEEPS_CHROMA = wordSet(
  'scale fps setpts setsar setdar crop pad fade trim hflip vflip transpose drawtext drawbox eq unsharp tpad loop select rotate ' +
    'hue vignette gblur noise reverse bwdif yadif hqdn3d settb null subtitles ass',
);

const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'gif', 'bmp', 'tiff', 'webp', 'jpegxl']);

/** Options without a specifier that apply to one kind of stream. With a specifier (`b:a`), its first letter names the kind. */
const VIDEO_OPTIONS = wordSet('r s pix_fmt aspect fps_mode');
const AUDIO_OPTIONS = wordSet('ar ac sample_fmt ch_layout');
const FOR_ONE_KIND = new Set([...VIDEO_OPTIONS, ...AUDIO_OPTIONS, 'c', 'filter', 'b', 'q', 'frames']);

/** The kind of streams that an option is for. undefined: subtitles or data, or any kind. */
export function playedKind({ name: { name, specifier } }: ArgvOption): 'video' | 'audio' | undefined {
  if (specifier === undefined) return VIDEO_OPTIONS.has(name) ? 'video' : AUDIO_OPTIONS.has(name) ? 'audio' : undefined;
  const kind = kindOfLetter(/^[vVa](?=:|$)/.exec(specifier)?.[0] ?? '');
  return FOR_ONE_KIND.has(name) && kind !== 'subtitle' ? kind : undefined;
}

/** Returns why the output cannot have a stream of this kind, for which the request has an option. undefined: it may have one. */
function reasonWithout({ options, muxer, catalogue }: RequestContext, kind: 'video' | 'audio', option: ArgvOption) {
  const removing = `${kind.charAt(0)}n`;
  if (options.some(({ key }) => key === removing)) return `"${removing}" removes the ${kind}.`;
  if (kind === 'audio' ? holdsNoAudio(muxer) : holdsNoVideo(muxer)) return `the format ${muxer} holds no ${kind}.`;
  const codec = option.name.name === 'c' ? encoderNamed(catalogue, option.values[0] ?? '')?.codec : undefined;
  const isKept = kind === 'audio' || codec === undefined || COVER_CODECS.has(codec) || !holdsOnlyCover(muxer);
  return isKept ? undefined : `the format ${muxer} holds no video, only a cover image.`;
}

export const FORMAT_RULES: Rules = {
  'format-extension-mismatch': {
    finds: 'a `format` of another kind of file than the extension of the output says',
    plan({ muxer, path, formatField }) {
      const name = extension(path);
      const [written] = FAMILIES.find(([, muxers]) => muxers.has(muxer)) ?? [];
      const [named] = FAMILIES.find(([, , extensions]) => extensions.has(name)) ?? [];
      if (formatField === '/output' || written === undefined || named === undefined || written === named) return [];
      const option = formatField === '/format' ? 'format' : 'f';
      return [
        unusualValue(
          `The output is ${written}, although the name "${path}" says ${name}: "${option}" comes before the name.`,
          orElse(leaveOut(undefined, `the output is then ${named}`), 'send another name of the output'),
          { field: formatField },
        ),
      ];
    },
  },

  'container-codec-mismatches': {
    finds: 'an encoder whose codec the container does not support',
    plan(context) {
      const { options, muxer, catalogue, path, formatField } = context;
      const choices = options.filter(({ name }) => name.name === 'c');
      return choices.flatMap((option): readonly Finding[] => {
        const [value = ''] = option.values;
        const encoder = encoderNamed(catalogue, value);
        if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
        // `options-without-output-stream` reports a container that holds no stream of this kind.
        if (encoder.kind !== 'subtitle' && reasonWithout(context, encoder.kind, option) !== undefined) return [];
        const supported = codecsOfStrictMuxer(muxer);
        const nearest = nearestCodec(muxer, encoder.codec);
        const instead = [nearest?.encoder ?? [], encodersOfMuxer(muxer, encoder.kind)]
          .flat()
          .find((one) => catalogue.lists.encoders.has(one));
        const isOther = nearest?.extension !== undefined && formatField === '/output';
        return [
          {
            field: isOther ? formatField : option.field,
            code: 'CODEC_NOT_HELD',
            message: `The container ${muxer} does not support ${encoder.codec}${supported === undefined ? '' : `, only ${supported.join(', ')}`}: a job with "${sentName(option)}": "${value}" would fail.`,
            fix: isOther
              ? sendOption('output', withExtension(path, nearest.extension ?? ''))
              : instead === undefined
                ? 'Send an output that ends with ".mkv": Matroska supports nearly every codec.'
                : sendOption(sentName(option), instead),
            // An option for one stream (`c:a:1`) may not fail the job: the stream may be missing, or have another encoder.
            ...(encoder.kind !== 'subtitle' &&
              !choices.some(({ name }) => /\d/.test(name.specifier ?? '')) && { failsWith: encoder.kind }),
          },
        ];
      });
    },
  },

  'options-without-output-stream': {
    finds: 'an option for video or audio that the output cannot have',
    plan: (context) =>
      context.options.flatMap((option) => {
        const kind = FOR_ONE_KIND.has(option.name.name) ? playedKind(option) : undefined;
        const because = kind && reasonWithout(context, kind, option);
        if (kind === undefined || because === undefined) return [];
        const [key, removing] = [sentName(option), `${kind.charAt(0)}n`];
        return noEffect(
          `"${key}" has no effect: ${because}`,
          context.options.some((one) => one.key === removing)
            ? orElse(leaveOut(removing), leaveOut(key))
            : orElse(leaveOut(key), `send an output of a format that holds ${kind}`),
          { field: option.field },
        );
      }),
  },

  'playlist-inputs': {
    finds: 'an input that is a playlist, whose files the service does not open',
    plan: ({ opened }) =>
      opened.flatMap(({ source, format }) => {
        const advice = format === undefined ? playlistAdvice(source.path) : undefined;
        return advice === undefined ? [] : [{ field: source.field, code: 'UNSUPPORTED_FORMAT', ...advice }];
      }),
  },

  /** H.264 and H.265 keep the pixel format of the filter, and the result shows it only after the whole run. */
  'full-chroma': {
    finds: 'a filter that takes only RGB or 4:4:4 before H.264 or H.265, without `pix_fmt`',
    plan({ options, encoders, muxer }) {
      const isKept = encoders.of('v').every(({ encoder = '' }) => /^libx26[45]$/.test(encoder));
      const sent = options.flatMap(({ key, values }) => values.map((value) => [key, value] as const));
      if (
        !isKept ||
        asksForPixelFormat(
          muxer,
          sent,
          allFilters(options).map(({ name }) => name),
        )
      )
        return [];
      return options.flatMap(({ field, checkedGraphs = [] }) => {
        const chains = checkedGraphs.flatMap((graph) => graph.chains);
        const read = new Set(chains.flatMap((chain) => chain.flatMap(({ inputs }) => inputs)));
        const found = chains.flatMap((chain) => {
          const at = chain.findLastIndex(({ name }) => FULL_CHROMA_FILTERS.has(name));
          const isLast = chain.at(-1)?.outputs.every((label) => !read.has(label)) === true;
          const filter =
            isLast && chain.slice(at + 1).every(({ name }) => KEEPS_CHROMA.has(name)) ? chain[at] : undefined;
          return filter ?? [];
        });
        return found.slice(0, 1).map(({ name }) => ({
          field,
          code: 'FEW_PLAYERS',
          message: `The filter ${name} takes only RGB or 4:4:4, and the encoder keeps that: the output gets a pixel format such as yuv444p, which most players cannot show.`,
          fix: sendOption('pix_fmt', 'yuv420p'),
        }));
      });
    },
  },
};

/** True if a file of this name is a video, an image or an audio file, so that ffmpeg may take a stream of this kind from it. */
export const isFileOf = (kind: 'video' | 'audio' | 'subtitles', path: MediaPath): boolean =>
  (fileKind(extension(path)) ?? 'video') === kind;
