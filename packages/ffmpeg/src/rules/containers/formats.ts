import { leaveOut, orElse, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { extension, type MediaPath, withExtension } from '@telecine/contract/domain/media-path.ts';
import { holdsNoAudio } from '../../allowlist/containers.ts';
import { wordPairs, wordSet } from '../../allowlist/words.ts';
import { isVideoExtension } from '../../plan/request/format-names.ts';
import { isAudioExtension } from '../../plan/request/select-muxer.ts';
import { type Rules, unusualValue } from '../contexts.ts';

/** Raw formats: only samples or frames, without a header. */
const RAW = /^(?:[fsu](?:8|16|24|32|64)(?:le|be)?|alaw|mulaw|rawvideo)$/;

const isPlayable = (path: MediaPath): boolean => isVideoExtension(extension(path)) || isAudioExtension(extension(path));

/** Formats of one stream without a container, and an encoder for the same codec. `m4v` is missing, because it also names a container. */
const STREAM_FORMATS = wordPairs(
  'h264 libx264 hevc libx265 mjpeg mjpeg mpeg1video mpeg1video mpeg2video mpeg2video adts aac ac3 ac3 eac3 eac3',
);

const CONTAINERS = /^(?:mp4|m4v|mov|mkv|avi|ts|mts|m2ts|m4a|m4b|mka)$/;

/** Groups related formats with the extensions of their files, the usual extension first. */
const family = (name: string, muxers: string, extensions: string) => ({
  ...{ name, muxers: wordSet(muxers) },
  extensions: extensions.split(' '),
});
type Family = ReturnType<typeof family>;

/** Within a family, programs can read a file with the extension of another format: an MP4 named `a.mov`. */
const FAMILIES: readonly Family[] = [
  family('an MP4', 'mp4 mov ipod psp f4v 3gp 3g2 ismv', 'mp4 m4a m4b m4v mov 3gp 3g2 f4v'),
  family('a Matroska', 'matroska webm', 'mkv mka webm mks mk3d'),
  family('an MPEG-TS', 'mpegts', 'ts m2ts mts m2t'),
  family('an AVI', 'avi', 'avi'),
  family('an FLV', 'flv', 'flv'),
  family('an ASF', 'asf', 'wmv wma asf'),
  family('an MP3', 'mp3', 'mp3'),
  family('a WAV', 'wav w64', 'wav w64'),
  family('a FLAC', 'flac', 'flac'),
  family('an AAC', 'adts latm', 'aac'),
  family('an AIFF', 'aiff', 'aiff aif aifc'),
  family('an Ogg', 'ogg oga ogv opus spx', 'ogg oga ogv opus spx ogx'),
  family('a GIF', 'gif', 'gif'),
  family('an HLS', 'hls', 'm3u8'),
  family('a DASH', 'dash', 'mpd'),
];

/** Returns the extension for a muxer of a family: the name of the muxer if it is an extension (`mov`), else the usual extension. */
const usualExtension = ({ extensions }: Family, muxer: string): string =>
  extensions.includes(muxer) ? muxer : (extensions[0] ?? muxer);

export const FORMAT_RULES: Rules = {
  /** On the command line, `-f s16le` stands before the raw input that it describes. Sent as `f` of the request, it describes the output. */
  'raw-format': {
    finds: 'a format without a header (`s16le`, `rawvideo`) for a file whose name says another format',
    supersedes: ['single-stream-format', 'format-extension-mismatch'],
    format({ opened, muxer, path, formatField }) {
      const name = extension(path);
      if (formatField === '/output' || !RAW.test(muxer) || RAW.test(name) || !isPlayable(path)) return [];
      const input = opened.find(({ format }) => format === undefined)?.source.path;
      const isForInput = input !== undefined && !isPlayable(input);
      return unusualValue(
        `The format ${muxer} has no header, so players do not recognise "${path}": its name says ${name}.`,
        isForInput
          ? `Leave it out. If it describes the input, send it there: ${JSON.stringify({ input, parameters: { f: muxer } })}.`
          : leaveOut(),
        { field: formatField },
      );
    },
  },

  /** A bare stream has only video or only audio, and no timestamps and no index. */
  'single-stream-format': {
    finds: 'the format of a single stream (`h264`, `adts`) for a file whose name says a container',
    supersedes: ['format-extension-mismatch'],
    format({ options, muxer, path, formatField }) {
      const encoder = STREAM_FORMATS.get(muxer);
      const name = extension(path);
      const isBare = encoder !== undefined || muxer === 'm4v';
      if (formatField === '/output' || !isBare || !CONTAINERS.test(name)) return [];
      const isVideo = holdsNoAudio(muxer);
      const kind = isVideo ? 'v' : 'a';
      const hasCodec = options.some(
        (option) => option.name.name === 'c' && (option.name.specifier ?? kind).startsWith(kind),
      );
      return unusualValue(
        `The format ${muxer} is a bare stream without ${isVideo ? 'audio' : 'video'}, and not a container: "${path}" says ${name}.`,
        hasCodec || encoder === undefined
          ? leaveOut()
          : formatField === '/format'
            ? `Leave it out, and send "c:${kind}": "${encoder}" in "parameters".`
            : withMore(sendOption(`c:${kind}`, encoder), { do: 'remove', name: 'f' }),
        { field: formatField },
      );
    },
  },

  'format-extension-mismatch': {
    finds: 'a `format` of another kind of file than the extension of the output says',
    format({ muxer, path, formatField }) {
      const name = extension(path);
      const written = FAMILIES.find(({ muxers }) => muxers.has(muxer));
      const named = FAMILIES.find(({ extensions }) => extensions.includes(name));
      if (formatField === '/output' || written === undefined || named === undefined || written === named) return [];
      const option = formatField === '/format' ? 'format' : 'f';
      const output = JSON.stringify(withExtension(path, usualExtension(written, muxer)));
      return unusualValue(
        `The output is ${written.name} file, although the name "${path}" says ${name}: "${option}" comes before the name.`,
        orElse(
          leaveOut(undefined, `the output is then ${named.name} file`),
          `send "output": ${output} for ${written.name} file`,
        ),
        { field: formatField },
      );
    },
  },

  /** DVDs use the MPEG-2 program stream. The muxer `vob` writes this stream (mpegenc.c, 5.1 to 8). */
  'mpeg1-system-stream': {
    finds: 'MPEG-2 video with AC-3 in the format `mpeg`, the system stream of MPEG-1',
    plan({ encoders, muxer, formatField }) {
      const [video, audio] = ['v', 'a'].map((kind) => new Set(encoders.of(kind).map(({ encoder }) => encoder)));
      const isForDiscs = audio?.has('ac3') === true && video?.has('mpeg2video') === true && video.size === 1;
      if (muxer !== 'mpeg' || !isForDiscs) return [];
      return unusualValue(
        'The format "mpeg" is the system stream of MPEG-1. DVD programs read MPEG-2 video with AC-3 in a program stream.',
        sendOption(formatField === '/parameters/f' ? 'f' : 'format', 'vob'),
        { field: formatField },
      );
    },
  },
};
