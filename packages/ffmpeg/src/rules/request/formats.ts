import { leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension, withExtension } from '@telecine/contract/domain/media-path.ts';
import {
  codecsOfStrictMuxer,
  encodersOfMuxer,
  muxerRejectsCodec,
  nearestCodec,
} from '../../allowlist/container-codecs.ts';
import { kindOfFormat, playlistAdvice } from '../../allowlist/containers.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import { wordSet } from '../../allowlist/words.ts';
import { encoderNamed } from '../../catalogue/catalogue.ts';
import { allFilters, sentName } from '../../plan/request/argv-option.ts';
import { type Finding, type Rules, unusualValue } from '../rule.ts';

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
        // Then there is no stream of this kind to encode, which the result shows.
        const isDropped = options.some(({ key }) => key === `${encoder.kind.charAt(0)}n`);
        if (isDropped || (kindOfFormat(muxer) ?? encoder.kind) !== encoder.kind) return [];
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
      const names = allFilters(options).map(({ name }) => name);
      if (!isKept || asksForPixelFormat(muxer, sent, names)) return [];
      return options.flatMap(({ field, checkedGraphs = [] }) => {
        const chains = checkedGraphs.flatMap((graph) => graph.chains);
        const read = new Set(chains.flatMap((chain) => chain.flatMap(({ inputs }) => inputs)));
        const last = chains.filter((chain) => chain.at(-1)?.outputs.every((label) => !read.has(label)));
        const deciding = last.map((chain) => chain.findLast(({ name }) => !KEEPS_CHROMA.has(name))?.name ?? '');
        const name = deciding.find((one) => FULL_CHROMA_FILTERS.has(one));
        if (name === undefined) return [];
        return {
          field,
          code: 'FEW_PLAYERS',
          message: `The filter ${name} takes only RGB or 4:4:4, and the encoder keeps that: the output gets a pixel format such as yuv444p, which most players cannot show.`,
          fix: sendOption('pix_fmt', 'yuv420p'),
        };
      });
    },
  },
};
