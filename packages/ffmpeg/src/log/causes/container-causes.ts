import {
  addOption,
  type Edits,
  leaveOut,
  orElse,
  sendMembers,
  sendOption,
  withMore,
} from '@telecine/contract/domain/edit.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported, WORD } from '../failure-rule.ts';

/** The fix for a codec that the format cannot hold. */
export const OTHER_CODEC: Edits = {
  ...leaveOut('c'),
  or: 'send an output that ends in .mkv, which holds nearly every codec',
  note: 'Without a codec, the streams are encoded for the format.',
};

/** The fix for data streams, such as timecodes. */
const NO_DATA: Edits = { ...addOption('dn', ''), why: 'this leaves them out' };

const EXPERIMENTAL = sendOption('strict', 'experimental');

/**
 * Failures that a muxer explains in the log (ffmpeg 5.1 and 7.1). A `shape` matches a whole line that has only ffmpeg's own words, numbers
 * and names, so the readable log may show this line to clients.
 */
export const CONTAINER_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    // The muxer of GIF has no trailer without a frame.
    /^Error writing trailer of (?:file:)?out\/.{1,200}\.gif: Invalid argument$/,
    'Nothing was written: the requested part contains no frames.',
    'Send an earlier "ss", a longer part, or a higher frame rate: a part that is shorter than a frame has none.',
  ),
  unsupported(
    // These formats can store the codec as a video, but not as a cover.
    /^Could not find tag for codec (h264|hevc) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold a cover that is encoded as $1.',
    orElse(sendOption('c:v', 'copy'), '"vn": "" to leave the cover out'),
  ),
  unsupported(
    /^Could not find tag for codec (subrip|ass|webvtt) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold $1 subtitles.',
    orElse(addOption('c:s', 'mov_text'), '"sn": "" to leave the subtitles out'),
  ),
  unsupported(
    /^Could not find tag for codec ((?:hdmv_pgs|dvd|dvb)_subtitle) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold subtitles that are images ($1), and ffmpeg cannot read text in images.',
    orElse(addOption('sn', ''), 'an output that ends in .mkv, with "c:s": "copy", to keep them'),
  ),
  unsupported(
    /^Could not find tag for codec none in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold the data streams of the input, such as a time code.',
    NO_DATA,
  ),
  unsupported(
    /^Only audio, video, and subtitles are supported for Matroska\.$/,
    '$format cannot hold the data streams of the input, such as a time code.',
    NO_DATA,
  ),
  unsupported(/^(Only [\w ,]{1,150} are supported for WebM)\.$/, '$1. The request makes $codecs.', {
    ...leaveOut('c'),
    or: sendMembers({ 'c:v': 'libvpx-vp9', 'c:a': 'libopus', 'c:s': 'webvtt' }),
    note: 'A .mkv holds nearly every codec.',
  }),
  unsupported(
    /^Could not find tag for codec ([\w.,:+-]{1,60}) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^Subtitle codec \d+ is not supported\.$/,
    '$format cannot hold subtitles of this codec: the request makes $codecs.',
    orElse(sendOption('c:s', 'srt'), '"sn": "" to leave the subtitles out'),
  ),
  unsupported(
    /^Subtitle streams other than DivX XSUB is not implemented\..{0,200}$/,
    '$format cannot hold subtitles.',
    orElse(addOption('sn', ''), 'an output that ends in .mkv'),
  ),
  unsupported(
    /^(\w{1,30}) only supported in MP4\.$/,
    '$format cannot hold $1: of the formats like MP4, only MP4 itself can.',
    {
      ...OTHER_CODEC,
      or: 'send an output that ends in .mp4',
    },
  ),
  unsupported(
    /^(\w{1,30}) in MP4 support is experimental, add '-strict -2' if you want to use it\.$/,
    'MP4 can hold $1 only with "strict": "experimental".',
    { ...leaveOut('c'), or: EXPERIMENTAL, note: 'Without a codec, the audio is encoded as AAC.' },
  ),
  ffmpegFailed(
    /^(?:first pts (?:and dts )?value must be set|Can't write packet with unknown timestamp)$/,
    '$format needs a time for each frame, and a stream of the inputs has none, so it cannot be copied as it is.',
    {
      ...leaveOut('c'),
      why: 'then the streams are encoded',
      or: 'send "fflags": "+genpts" with the input in "inputs"',
    },
  ),
  unsupported(
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter 'pcm_rechunk'\..{1,400}$/,
    '$format cannot hold $1: its audio is PCM.',
    orElse(leaveOut('c:a'), sendOption('c:a', 'pcm_s16le')),
  ),
  unsupported(
    /^(?:Can't initialize DV format!|Invalid codec for video stream, only DVVIDEO is supported\.)$/,
    'DV has fixed codecs, sizes and frame rates, and the request makes $codecs.',
    {
      ...withMore(sendOption('target', 'pal-dv'), { do: 'remove', name: 'c' }),
      or: 'send "target": "ntsc-dv" instead',
      note: 'It sets all of them.',
    },
  ),
  unsupported(
    /^ERROR: yuv4mpeg can only handle (yuv444p, yuv422p, yuv420p, yuv411p and gray8) pixel formats\..{0,600}$/,
    '$format supports only the pixel formats $1.',
    sendOption('pix_fmt', 'yuv420p'),
  ),
  unsupported(
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) \(\d+\) ?(?:\w+ \(\d+\) ?){0,20}$/,
    'The bitstream filter $2 does not accept the codec $1, only $3.',
    'Leave the bitstream filter out. ffmpeg adds those that the format needs.',
  ),
  unsupported(
    /^Invalid audio stream\. Exactly one (\w+) audio stream is required\.$/,
    '$format cannot hold $codecs: it holds exactly one audio stream, $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^No audio stream present\.$/,
    '$format holds only audio, and the request makes $codecs.',
    sendOption('map', '0:a:0'),
  ),
  unsupported(
    /^(?:Unsupported codec id in stream \d+|[Uu]nsupported codec|block align not set|Exactly one WebVTT stream is needed\.)$/,
    '$format cannot hold $codecs.',
    OTHER_CODEC,
  ),
  unsupported(
    /^(?:GIF muxer supports only a single video GIF stream\.|gif muxer supports only codec gif for type video)$/,
    'A GIF holds one video stream with the codec gif; the request makes $codecs.',
    { ...withMore(leaveOut('c'), { do: 'remove', name: 'map' }), why: 'then the video is encoded as a GIF' },
  ),
  unsupported(
    /^(\w+) muxer supports only codec (\w+) for type (\w+)$/,
    '$format cannot hold $codecs: as $3 it holds only $2.',
    OTHER_CODEC,
  ),
  unsupported(
    /^Unsupported (audio|video) codec\. Must be one of ([\w ,-]{1,150})\.$/,
    '$format cannot hold the $1 codec: the request makes $codecs. It holds $2.',
    OTHER_CODEC,
  ),
  unsupported(
    /^Currently only (VP8, VP9 and AV1) are supported!$/,
    '$format cannot hold $codecs: it holds only $1.',
    OTHER_CODEC,
  ),
  ffmpegFailed(
    /^Unable to map stream at ([avs]:\d+)$/,
    '"var_stream_map" names the stream $1, which the output does not have.',
    'Send a "map" for each stream that "var_stream_map" names: "map": ["0:v", "0:a", "0:v", "0:a"] for two variants.',
  ),
  ffmpegFailed(
    /^Selected stream "(\d+)" not found!$/,
    '"adaptation_sets" names the stream $1, which the output does not have.',
    'Name streams of the output, counted from 0, or "v" and "a" for all: "id=0,streams=v id=1,streams=a".',
  ),
  unsupported(
    /^Tag (\w{4}) incompatible with output codec id '\d+' \((\w{4})\)$/,
    'The format does not allow the tag $1 for this codec.',
    'Send the tag "$2", or leave it out.',
  ),
  inputInvalid(
    /^Stream specifier ([\w:#]{1,40}) does not match {1,2}any streams\.$/,
    '"map_metadata" names a stream that does not exist: $1.',
    'Probe the inputs to see their streams, and name one that exists.',
  ),
  inputInvalid(
    /^mapchan: stream #(\d+\.\d+) is not an audio stream\.$/,
    '"map_channel" names the stream $1, which is not audio.',
    'Probe the input for the number of its audio stream: "map_channel": "0.1.0" is channel 0 of stream 1.',
  ),
  unsupported(/^Option loop not found\.$/, 'Only images have the option "loop".', {
    ...leaveOut('loop'),
    note: 'To repeat a video, send "stream_loop": "-1" with it in "inputs", and "t".',
  }),
  unsupported(
    /^Option (?:sample_rate|ch_layout|channels) not found\.$/,
    'Only raw audio needs "ar" and "ac" with the input; this input names them itself.',
    'Send "ar" and "ac" in "parameters" of the request, for the output, and leave them out of the input.',
  ),
  unsupported(/^Option (\w{1,60}) not found\.$/, 'The format of the input or output has no option "$1".', {
    ...leaveOut('$1'),
    note: '"s" sets the size of the output, "r" its frame rate.',
  }),
];

/**
 * Codecs that a format cannot hold, by lines of many forms. They follow `CONTAINER_CAUSES`, and the readable log does not show a line for
 * matching one of them.
 */
export const CODEC_CAUSES: readonly FailureRule[] = [
  unsupported(
    /^(Only [\w ,]{1,150} (?:is|are) supported for \w{1,20})\.?$/,
    '$1.',
    'Choose codecs that the format supports, or another format.',
  ),
  unsupported(
    new RegExp(`^(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with `),
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    new RegExp(`^(?:Codec )?${WORD}(?: codec)? (?:is )?not supported in `),
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^(?:Error initializing output stream \d+:\d+ -- )?Subtitle encoding currently only possible from text to text or bitmap to bitmap/,
    'ffmpeg cannot convert between image subtitles and text subtitles.',
    'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
  ),
];
