import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { FailureCode } from '../../src/domain/failure.ts';
import { putClip, putSample } from '../support/media.ts';
import { tools } from '../support/tools.ts';

/** A request that is accepted and whose job fails in ffmpeg. */
export interface BrokenRequest {
  readonly request: ConversionRequest;
  readonly code: FailureCode;
  /** The cause, as the message names it. */
  readonly cause: string;
  /** The first release of ffmpeg without the option. */
  readonly removedIn?: number;
}

/** Writes the inputs of the requests. */
export async function brokenRequestMedia(root: string): Promise<void> {
  await putClip(root, '480p', 3, 'movie.mp4');
  await putClip(root, '480p', 3, 'movie2.mp4');
  await putSample(root, 'mp3', 'song.mp3');
  const make = async (...args: readonly string[]) => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', ...args]);
    if (!ok) throw new Error(text);
  };
  const silent = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10:duration=2'];
  await make(...silent, '-c:v', 'libx264', join(root, 'small.mp4'));
  await make(...silent, '-c:v', 'mpeg4', join(root, 'mp4v.mp4'));
  await make('-i', join(root, 'song.mp3'), '-t', '1', '-c', 'copy', join(root, 'song.mkv'));
  await writeFile(join(root, 'subs.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  await writeFile(join(root, 'text.txt'), 'hello\n'.repeat(50));
  await writeFile(join(root, 'raw.bin'), Buffer.alloc(100_000, 7));
}

/** The commonest ways in which a request fails in ffmpeg, each tried with ffmpeg 5.1 and 7.1. */
export const BROKEN_REQUESTS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=5000:5000' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 5000x5000 out of the picture, which is 854x480.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'pad=100:100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pad cannot make the picture smaller: it is 854x480, and the padded size is 100x100.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]concat=n=2:v=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter concat needs parts of the same size: a part has 320x240 (SAR 1:1), the first has 854x480 (SAR 1:1).',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]hstack[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'Pictures side by side need the same height: input 1 of hstack has 240, and input 0 has 480. Their frame rates differ too: 10 and 24 per second.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]vstack[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'Pictures above each other need the same width: input 1 of vstack has 320, and input 0 has 854. Their frame rates differ too: 10 and 24 per second.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]xfade=duration=1:offset=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter needs two pictures of the same size: the first has 854x480, the second 320x240.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amix[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]blend[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter needs two pictures of the same size: the first has 854x480, the second 320x240.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]psnr[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter needs two pictures of the same size.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]maskedmerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter maskedmerge has an input without a label, and no stream is left for it.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]alphamerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter needs two pictures of the same size: the first has 854x480, the second 320x240.',
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v:3][1:v]overlay[v]', map: '[v]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [0:v:3], but "movie.mp4" has 1 video stream, and they count from 0.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=w=ih*:h=1' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression is incomplete: a number or a name is missing.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=iw+10:ih' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 864x480 out of the picture, which is 854x480.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=w=foo:h=2' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'rotate=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
  },
  {
    request: { inputs: ['movie.mp4', 'movie2.mp4'], output: 'x.mp4', parameters: { vf: 'subtitles=movie2.mp4' } },
    code: 'INPUT_INVALID',
    cause: 'The file "movie2.mp4" has no subtitles.',
  },
  {
    request: { inputs: ['movie.mp4', 'text.txt'], output: 'x.mp4', parameters: { vf: 'lut3d=text.txt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter cannot read a file with the extension ".txt".',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv444p' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'main', pix_fmt: 'yuv422p' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx265', 'profile:v': 'main', pix_fmt: 'yuv420p10le' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.3gp', parameters: { 'c:v': 'h263' } },
    code: 'UNSUPPORTED',
    cause: 'The format 3gp gets amr_nb by default, and this ffmpeg has no encoder for it.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.avi', parameters: { 'c:v': 'h261' } },
    code: 'FFMPEG_FAILED',
    cause: 'The codec H.261 does not support the picture size 854x480.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.dv', parameters: { 'c:v': 'dvvideo' } },
    code: 'FFMPEG_FAILED',
    cause: 'DV does not support 854x480 with yuv420p: it has fixed sizes, pixel formats and frame rates.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { 'c:v': 'mpeg1video', r: '13' } },
    code: 'FFMPEG_FAILED',
    cause: 'do not support the frame rate',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mov', parameters: { 'c:v': 'dnxhd' } },
    code: 'FFMPEG_FAILED',
    cause: 'DNxHD has fixed sizes, bit rates and pixel formats, and the picture fits none.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'vc2', s: '3x3' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture is too small for this encoder.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { 'c:a': 'libvorbis', 'b:a': '1k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected the combination of bit rate, sample rate and channels.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp2', parameters: { 'c:a': 'mp2', 'b:a': '333k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder mp2 has fixed bit rates, and 333k is not one of them.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.aiff', parameters: { 'c:a': 'adpcm_ima_wav', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The output format rejected the streams: most likely it does not support one of their codecs.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.flac', parameters: { 'c:a': 'pcm_s16le' } },
    code: 'UNSUPPORTED',
    cause: 'The format holds exactly one audio stream, with the codec FLAC.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format does not support the codec of a stream.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format holds exactly one audio stream, with the codec MP3.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'A GIF holds one video stream with the codec gif.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause:
      'The format does not support the audio codec. It supports mp1, mp2, mp3, 16-bit pcm_dvd, pcm_s16be, ac3 or dts.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.ivf', parameters: { c: 'copy', an: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format holds only VP8, VP9 and AV1.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.opus', parameters: { c: 'copy', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format does not support the codec of a stream.',
  },
  {
    request: { input: 'small.mp4', output: 'x.mp4', parameters: { vn: '' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format mp4: "small.mp4" has video, and the request has "vn".',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { an: '' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format mp3: "movie.mp4" has video and audio, and the request has "an".',
  },
  {
    request: { input: 'small.mp4', output: 'x.wav', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format wav can use nothing of the inputs: "small.mp4" has only video.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format srt can use nothing of the inputs: "movie.mp4" has only video and audio.',
  },
  {
    request: { input: 'subs.srt', output: 'x.mp4', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format mp4 can use nothing of the inputs: "subs.srt" has only subtitles.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: { 'c:s': 'mov_text' } },
    code: 'INPUT_INVALID',
    cause: 'The format srt can use nothing of the inputs: "movie.mp4" has only video and audio.',
  },
  {
    request: { input: 'subs.srt', output: 'x.mkv', parameters: { 'c:s': 'dvdsub' } },
    code: 'UNSUPPORTED',
    cause: 'ffmpeg cannot convert between image subtitles and text subtitles.',
  },
  {
    request: { input: 'subs.srt', output: 'x.ts', parameters: { 'c:s': 'dvb_subtitle' } },
    code: 'UNSUPPORTED',
    cause: 'ffmpeg cannot convert between image subtitles and text subtitles.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'volume=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelmap=map=FL-FR|FC' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter channelmap cannot read its "map".',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelsplit' } },
    code: 'FFMPEG_FAILED',
    cause: 'A graph in "vf" or "af" has 1 input and 1 output',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'join' } },
    code: 'FFMPEG_FAILED',
    cause: 'A graph in "vf" or "af" has 1 input and 1 output',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'afade=t=in:d=-5' } },
    code: 'FFMPEG_FAILED',
    cause: 'of "d" is out of range',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'hflip' } },
    code: 'FFMPEG_FAILED',
    cause: 'The audio filters ("af") contain a filter for video.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'volume=2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The video filters ("vf") contain a filter for audio.',
  },
  {
    request: { input: 'mp4v.mp4', output: 'x.mp4', parameters: { 'bsf:v': 'h264_mp4toannexb', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter h264_mp4toannexb does not accept the codec mpeg4',
  },
  {
    request: { input: 'movie.mp4', output: 'x.ts', parameters: { 'bsf:v': 'hevc_mp4toannexb', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter hevc_mp4toannexb does not accept the codec h264',
  },
  {
    request: { input: 'song.mkv', output: 'x.mp4', parameters: { 'bsf:a': 'aac_adtstoasc', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter aac_adtstoasc does not accept the codec mp3',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'bsf:v': 'vp9_superframe', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter vp9_superframe does not accept the codec h264',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The bit rate is below 1000 bits per second, or missing.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', crf: '23', pass: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'libsvtav1', preset: '13', s: '32x32' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected a parameter: usually the picture is too small, or a value is out of range.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.webp', parameters: { 'c:v': 'libwebp', s: '17000x10' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture is too large for this encoder: at most 16383x16383.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { 'c:v': 'gif', s: '70000x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture cannot be scaled to the requested size: it is too large, or not positive.',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.m3u8',
      parameters: {
        hls_time: '2',
        hls_segment_type: 'fmp4',
        c: 'copy',
        hls_segment_filename: 's%d.m4s',
        var_stream_map: 'v:0,a:3',
      },
    },
    code: 'FFMPEG_FAILED',
    cause: '"var_stream_map" names the stream a:3, which the output does not have.',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'h%v.m3u8',
      parameters: { var_stream_map: 'v:0,a:0 v:1,a:0', map: ['0:v', '0:a'] },
    },
    code: 'FFMPEG_FAILED',
    cause: '"var_stream_map" names the stream v:1, which the output does not have.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpd', parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=9' } },
    code: 'FFMPEG_FAILED',
    cause: '"adaptation_sets" names the stream 9, which the output does not have.',
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { 'c:v': 'hevc' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { f: 'mp3' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The sound of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 'rawvideo' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The size of the pictures in an input is unknown',
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 's16le', ar: '0' } }], output: 'x.wav' },
    code: 'INPUT_INVALID',
    cause: 'The sound of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
  },
  {
    request: {
      inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
      output: 'x.mp4',
      parameters: { t: '0' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Nothing was written: the requested part contains no frames.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_metadata: '0:s:9' } },
    code: 'INPUT_INVALID',
    cause: '"map_metadata" names a stream that does not exist',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_channel: '0.0.0' } },
    code: 'INPUT_INVALID',
    cause: '"map_channel" names the stream 0.0, which is not audio.',
    removedIn: 7,
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { force_key_frames: 'expr:foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { bufsize: '1', maxrate: '1', 'c:v': 'mpeg2video' } },
    code: 'FFMPEG_FAILED',
    cause: '"b:v" is above "maxrate". Without "b:v", this encoder uses 200k.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'mpeg4', s: '99999x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture cannot be scaled to the requested size: it is too large, or not positive.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { aspect: '0:1' } },
    code: 'FFMPEG_FAILED',
    cause: '"0:1" is not an aspect ratio.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { to: '1', ss: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The end ("to") is before the start ("ss").',
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'tag:v': 'xxxx', 'c:v': 'libx264', preset: 'ultrafast' },
    },
    code: 'UNSUPPORTED',
    cause: 'The format does not allow the tag xxxx for this codec.',
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:a': 'aac', 'profile:a': 'aac_ltp' } },
    code: 'FFMPEG_FAILED',
    cause: 'The profile is experimental, and ffmpeg uses it only on request.',
  },
];
