import { addOption, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { encodersOfMuxer } from '../../allowlist/container-codecs.ts';
import { containerOfSegment, isUnplayable } from '../../allowlist/playable-codecs.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { STREAM_KINDS } from '../../catalogue/catalogue.ts';
import { quoted } from '../../values/value-error.ts';
import { letterOf, secondsIn, secondsText } from '../facts/media-facts.ts';
import { isCopied, isCover, ofKind } from '../facts/pass.ts';
import { loss, type Rules } from '../rule.ts';

/** Segments longer than requested by this factor are reported. A little more is usual: a key frame is rarely exactly at the end. */
const LONG = 1.5;

const SEGMENT_SECONDS = wordPairs('hls hls_time dash seg_duration segment segment_time');

/** How many segments ffmpeg lists in an HLS playlist by default. */
const LIST_SIZE = 5;
/** Flags for live streams, whose players need only the newest segments. */
const LIVE_FLAGS = /delete_segments|append_list|omit_endlist|single_file/;

/**
 * Matches names of common installed fonts. libass logs PostScript names, which for these fonts begin like the family. The names of other
 * fonts can differ (`LinLibertineO` is Linux Libertine O), so only a font of this list is certainly not the requested font.
 */
const COMMON_FONTS =
  /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names that mean any font. `Arial` is also what ffmpeg writes into subtitles without a font. */
const GENERIC_FONTS: ReadonlySet<string> = new Set('arial default sans sansserif serif mono monospace'.split(' '));

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

export const PLAYBACK_RULES: Rules = {
  'unplayable-codecs': {
    finds: 'a codec that the container takes, although hardly any player reads it there',
    result({ facts, pass }) {
      const { muxer, path } = facts.plan.output;
      const isHls = muxer === 'hls' && !/fmp4|^1$/.test(facts.argumentOf('hls_segment_type') ?? '');
      const segment = facts.argumentOf('segment_format') ?? containerOfSegment(extension(path));
      const container = isHls ? 'mpegts' : muxer === 'segment' ? segment : muxer;
      return STREAM_KINDS.flatMap((kind) => {
        const [encoder] = kind === 'subtitle' ? [] : encodersOfMuxer(container, kind);
        const letter = letterOf(kind);
        const unplayable = ofKind(pass.outputStreams, kind).find((one) => {
          const { codec, index } = one;
          // Of the streams in an image, only copied ones are compared. HLS writes subtitles into playlists of their own.
          const isOther = (container === 'image2' && !isCopied(pass, index)) || (isHls && kind === 'subtitle');
          // MP4 and Matroska have the header of MPEG-4 outside of the video, and MPEG-TS has no place for it.
          const lacksHeader =
            `${container} ${codec}` === 'mpegts mpeg4' &&
            isCopied(pass, index) &&
            facts.inputs.some(({ demuxer }) => /mov|matroska/.test(demuxer));
          return !isCover(one) && (codec === 'none' || lacksHeader || (isUnplayable(container, codec) && !isOther));
        });
        if (unplayable === undefined) return [];
        const { codec } = unplayable;
        return loss({
          lost: kind === 'subtitle' ? 'subtitles' : kind,
          key: [`c:${letter}`, 'c'].find((one) => facts.fieldOf(one) !== undefined) ?? '',
          code: 'UNPLAYABLE_CODEC',
          expected: 'a codec that players read',
          actual: codec,
          message:
            codec === 'none'
              ? `This ffmpeg does not know the codec of the ${kind}, so the format ${container} does not say what it is, and players cannot tell.`
              : `The format ${container} takes ${codec} without an error, but hardly any player reads it there.`,
          fix:
            codec === 'none'
              ? 'Keep the file as it is, or send one in another codec.'
              : encoder === undefined
                ? 'Send an output that ends in .mkv.'
                : orElse(sendOption(`c:${letter}`, encoder), 'an output that ends in .mkv'),
        });
      });
    },
  },

  'segment-length': {
    finds: 'segments that are longer than asked for, because each starts at a key frame',
    result({ facts, pass: { segments = 0, longestSegment, lastBlock, outputStreams } }) {
      const key = SEGMENT_SECONDS.get(facts.plan.output.muxer);
      const asked = secondsIn(key && facts.argumentOf(key)) ?? 0;
      const seconds = lastBlock?.outSeconds ?? 0;
      const isOneFile = facts.has('var_stream_map') || /single_file/.test(facts.argumentOf('hls_flags') ?? '');
      const average = segments === 0 || isOneFile ? undefined : seconds / segments;
      const longest = longestSegment ?? average;
      if (key === undefined || asked <= 0 || longest === undefined || longest < Math.min(asked * LONG, asked + 60))
        return [];
      if (ofKind(outputStreams, 'video').length === 0) return [];
      return loss({
        lost: 'length of the segments',
        key,
        code: 'LONG_SEGMENTS',
        expected: secondsText(asked),
        actual: secondsText(longest),
        message: `"${key}" asks for segments of ${secondsText(asked)}, but one lasts ${secondsText(longest)}: a segment can start only at a key frame.`,
        fix: facts.copiesVideo
          ? 'Encode the video ("c:v": "libx264"): a copy gets no key frames.'
          : addOption('force_key_frames', `expr:gte(t,n_forced*${asked})`),
      });
    },
  },

  'partial-playlist': {
    finds: 'a playlist of HLS that lists only the last segments',
    result({ facts, pass: { playlistWrites = 0 } }) {
      const isChosen =
        facts.firstOf('hls_list_size', 'hls_playlist_type') !== undefined ||
        LIVE_FLAGS.test(facts.argumentOf('hls_flags') ?? '');
      if (facts.plan.output.muxer !== 'hls' || playlistWrites <= LIST_SIZE || isChosen) return [];
      return loss({
        lost: 'segments in the playlist',
        key: 'hls_time',
        code: 'PARTIAL_PLAYLIST',
        expected: playlistWrites,
        actual: LIST_SIZE,
        message: `The playlist lists only the last ${LIST_SIZE} of ${playlistWrites} segments, as for a live stream, so players start near the end.`,
        fix: addOption('hls_list_size', '0'),
      });
    },
  },

  /** ffmpeg writes the subtitles of HLS as WebVTT, and encrypts only MPEG-TS. */
  'unencrypted-subtitles': {
    finds: 'subtitles of encrypted HLS, which ffmpeg does not encrypt',
    result: ({ facts, pass: { outputStreams } }) =>
      facts.has('hls_key_info_file') && outputStreams.some(({ type }) => type === 'subtitle')
        ? [
            {
              field: '/encrypt',
              code: 'NOT_ENCRYPTED',
              message: 'The subtitles are not encrypted: ffmpeg encrypts only the video and audio of HLS.',
              fix: 'Send "sn": "" to leave them out, or draw them into the video with the filter subtitles.',
            },
          ]
        : [],
  },

  fonts: {
    finds: 'a font that subtitles name and that is not installed',
    result({ facts, pass: { complaints } }) {
      const graph = facts.graphs.find(({ filters }) => filters.some(({ name }) => /^(?:subtitles|ass)$/.test(name)));
      const replaced = complaints?.selectedFonts.find(({ family, installed = '' }) => {
        const start = COMMON_FONTS.exec(bare(installed))?.[0];
        return start !== undefined && !bare(family).startsWith(start) && !GENERIC_FONTS.has(bare(family));
      });
      if (graph === undefined || replaced === undefined) return [];
      const { family, installed = '' } = replaced;
      return loss({
        lost: 'font',
        key: graph.key,
        code: 'FONT_REPLACED',
        expected: family,
        actual: installed,
        message: `The service has no font ${quoted(family)}, which the subtitles name: they are drawn with ${installed} instead.`,
        fix: 'Add the font file to "inputs", after the media: {"inputs": ["in.mp4", "talk.srt", "fonts/Inter.ttf"]}. Or name an installed font.',
      });
    },
  },
};
