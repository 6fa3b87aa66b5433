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
  /** The members of the request that follow the fix: its job completes. */
  readonly right: Partial<ConversionRequest>;
  /** The first release of ffmpeg that no longer has what the request names. */
  readonly removedIn?: number;
}

/** Writes the inputs of the requests. */
export async function brokenRequestMedia(root: string): Promise<void> {
  await putClip(root, '480p', 2, 'movie.mp4');
  await putClip(root, '480p', 2, 'movie2.mp4');
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
  await writeFile(join(root, 'bad.cube'), 'hello\n'.repeat(20));
  const corners = [0, 1].flatMap((b) => [0, 1].flatMap((g) => [0, 1].map((r) => `${r} ${g} ${b}`)));
  await writeFile(join(root, 'good.cube'), `LUT_3D_SIZE 2\n${corners.join('\n')}\n`);
  const film = [...silent, '-f', 'lavfi', '-i', 'sine=duration=1'];
  await make(
    ...film,
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    join(root, 'vp9.webm'),
  );
  await make(
    '-i',
    join(root, 'movie.mp4'),
    '-i',
    join(root, 'subs.srt'),
    '-c',
    'copy',
    '-c:s',
    'srt',
    join(root, 'subs.mkv'),
  );
  await make(...silent, '-c:v', 'libx264', '-timecode', '00:00:00:00', join(root, 'timecode.mov'));
  await make('-f', 'lavfi', '-i', 'testsrc=size=321x181', '-frames:v', '1', join(root, 'odd.png'));
  await make('-f', 'lavfi', '-i', 'haldclutsrc=level=4', '-frames:v', '1', join(root, 'clut.png'));
  const cover = ['-i', join(root, 'song.mp3'), '-i', join(root, 'odd.png'), '-map', '0:a', '-map', '1'];
  await make(...cover, '-t', '1', '-c', 'copy', '-disposition:v', 'attached_pic', join(root, 'cover.mp3'));
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=1', '-strict', '-2'];
  await make(...sound, '-c:a', 'pcm_alaw', join(root, 'alaw.wav'));
  await make(...sound, '-c:a', 'wmav2', join(root, 'old.wma'));
  await make(...sound, '-ac', '2', '-c:a', 'truehd', join(root, 'lossless.thd'));
  await make('-i', join(root, 'movie.mp4'), '-vn', '-t', '1', '-c:a', 'ac3', join(root, 'side.ac3'));
}

/** The commonest ways in which a request fails in ffmpeg, each tried with ffmpeg 5.1 and 7.1. */
export const BROKEN_REQUESTS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=5000:5000' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 5000x5000 out of the picture, which is 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'pad=100:100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pad cannot make the picture smaller: it is 854x480, and the padded size is 100x100.',
    right: {
      parameters: { vf: 'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2' },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]concat=n=2:v=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter concat needs pictures of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: {
      parameters: {
        filter_complex:
          '[0:v]scale=854:480,setsar=1,fps=25[a];[1:v]scale=854:480,setsar=1,fps=25[b];[a][b]concat=n=2:v=1[v]',
        map: '[v]',
      },
    },
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
    right: { parameters: { filter_complex: '[0:v]fps=25[a];[1:v]scale=-2:480,fps=25[b];[a][b]hstack[v]', map: '[v]' } },
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
    right: { parameters: { filter_complex: '[0:v]fps=25[a];[1:v]scale=854:-2,fps=25[b];[a][b]vstack[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]xfade=duration=1:offset=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter xfade needs pictures of the same size, frame rate and timebase: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: {
      parameters: {
        filter_complex:
          '[0:v]fps=25,settb=AVTB[a];[1:v]scale=854:480,setsar=1,fps=25,settb=AVTB[b];[a][b]xfade=duration=1:offset=1[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amix[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
    right: { inputs: ['movie.mp4', 'movie2.mp4'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
    right: { inputs: ['movie.mp4', 'movie2.mp4'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]blend[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter blend needs pictures of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]blend[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]psnr[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter psnr needs pictures of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480[b];[0:v][b]psnr[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]maskedmerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter maskedmerge has an input without a label, and no stream is left for it.',
    right: {
      inputs: ['movie.mp4', 'movie2.mp4', 'movie2.mp4'],
      parameters: { filter_complex: '[0:v][1:v][2:v]maskedmerge[v]', map: '[v]' },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]alphamerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter alphamerge needs pictures of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]alphamerge[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v:3][1:v]overlay[v]', map: '[v]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [0:v:3], but "movie.mp4" has 1 video stream, and they count from 0.',
    right: { parameters: { filter_complex: '[0:v:0][1:v]overlay[v]', map: '[v]' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=w=ih*:h=1' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression is incomplete: a number or a name is missing.',
    right: { parameters: { vf: 'scale=w=ih*2:h=2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=iw+10:ih' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 864x480 out of the picture, which is 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=w=foo:h=2' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { vf: 'crop=w=iw:h=2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'rotate=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { vf: 'rotate=t' } },
  },
  {
    request: { inputs: ['movie.mp4', 'movie2.mp4'], output: 'x.mp4', parameters: { vf: 'subtitles=movie2.mp4' } },
    code: 'INPUT_INVALID',
    cause: 'The file "movie2.mp4" has no subtitles.',
    right: { inputs: ['movie.mp4', 'subs.srt'], parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { inputs: ['movie.mp4', 'text.txt'], output: 'x.mp4', parameters: { vf: 'lut3d=text.txt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter cannot read a file with the extension ".txt".',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv444p' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
    right: { parameters: { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv420p' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'main', pix_fmt: 'yuv422p' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
    right: { parameters: { 'c:v': 'libx264', 'profile:v': 'main', pix_fmt: 'yuv420p' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx265', 'profile:v': 'main', pix_fmt: 'yuv420p10le' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The profile of the encoder does not allow the pixel format of the picture.',
    right: { parameters: { 'c:v': 'libx265', 'profile:v': 'main', pix_fmt: 'yuv420p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.3gp', parameters: { 'c:v': 'libx264' } },
    code: 'UNSUPPORTED',
    cause: 'The format 3gp gets amr_nb by default, and this ffmpeg has no encoder for it.',
    right: { parameters: { 'c:v': 'libx264', 'c:a': 'aac' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.avi', parameters: { 'c:v': 'h261' } },
    code: 'FFMPEG_FAILED',
    cause: 'The codec H.261 does not support the picture size 854x480.',
    right: { parameters: { 'c:v': 'h261', s: '352x288' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.dv', parameters: { 'c:v': 'dvvideo' } },
    code: 'FFMPEG_FAILED',
    cause: 'DV does not support 854x480 with yuv420p: it has fixed sizes, pixel formats and frame rates.',
    right: { parameters: { target: 'pal-dv' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { 'c:v': 'mpeg1video', r: '13' } },
    code: 'FFMPEG_FAILED',
    cause: 'do not support the frame rate',
    right: { parameters: { 'c:v': 'mpeg1video', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mov', parameters: { 'c:v': 'dnxhd' } },
    code: 'FFMPEG_FAILED',
    cause: 'DNxHD has fixed sizes, bit rates and pixel formats, and the picture fits none.',
    right: { parameters: { 'c:v': 'dnxhd', 'profile:v': 'dnxhr_hq', pix_fmt: 'yuv422p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'vc2', s: '3x3' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture is too small for this encoder.',
    right: { parameters: { 'c:v': 'vc2', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { 'c:a': 'libvorbis', 'b:a': '1k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected the combination of bit rate, sample rate and channels.',
    right: { parameters: { 'c:a': 'libvorbis', 'q:a': '4', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp2', parameters: { 'c:a': 'mp2', 'b:a': '333k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder mp2 has fixed bit rates, and 333k is not one of them.',
    right: { parameters: { 'c:a': 'mp2', 'b:a': '192k', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.aiff', parameters: { 'c:a': 'adpcm_ima_wav', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The format aiff rejected its streams: adpcm_ima_wav.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.flac', parameters: { 'c:a': 'pcm_s16le' } },
    code: 'UNSUPPORTED',
    cause: 'The format flac cannot hold png, pcm_s16le: it holds exactly one audio stream, FLAC.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold h264, aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp3 cannot hold aac: it holds exactly one audio stream, MP3.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'A GIF holds one video stream with the codec gif; the request makes h264, aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mpeg (.mpg) cannot hold the audio codec: the request makes h264, aac. It holds mp1, mp2, mp3',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ivf', parameters: { c: 'copy', an: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ivf cannot hold h264: it holds only VP8, VP9 and AV1.',
    right: { parameters: { an: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.opus', parameters: { c: 'copy', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format opus cannot hold aac.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'small.mp4', output: 'x.mp4', parameters: { vn: '' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format mp4: "small.mp4" has video, and the request has "vn".',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { an: '' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format mp3: "movie.mp4" has video and audio, and the request has "an".',
    right: { parameters: {} },
  },
  {
    request: { input: 'small.mp4', output: 'x.wav', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format wav can use nothing of the inputs: "small.mp4" has only video.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format srt can use nothing of the inputs: "movie.mp4" has only video and audio.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'subs.srt', output: 'x.mp4', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format mp4 can use nothing of the inputs: "subs.srt" has only subtitles.',
    right: { output: 'x.vtt' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: { 'c:s': 'mov_text' } },
    code: 'INPUT_INVALID',
    cause: 'The format srt can use nothing of the inputs: "movie.mp4" has only video and audio.',
    right: { output: 'x.mp4', parameters: {} },
  },
  {
    request: { input: 'subs.srt', output: 'x.mkv', parameters: { 'c:s': 'dvdsub' } },
    code: 'UNSUPPORTED',
    cause: 'The subtitles of "subs.srt" are text (subrip), and "dvdsub" is for pictures.',
    right: { parameters: { 'c:s': 'copy' } },
  },
  {
    request: { input: 'subs.srt', output: 'x.ts', parameters: { 'c:s': 'dvb_subtitle' } },
    code: 'UNSUPPORTED',
    cause: 'The subtitles of "subs.srt" are text (subrip), and "dvb_subtitle" is for pictures.',
    right: { output: 'x.mkv', parameters: { 'c:s': 'srt' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'volume=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { af: 'volume=2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelmap=map=FL-FR|FC' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter channelmap cannot read its "map".',
    right: { parameters: { af: 'channelmap=map=FL-FL|FR-FR:channel_layout=stereo' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelsplit' } },
    code: 'FFMPEG_FAILED',
    cause: 'A graph in "vf" or "af" has 1 input and 1 output',
    right: {
      parameters: {
        filter_complex: '[0:a]channelsplit=channel_layout=5.1:channels=FL[a]',
        ac: '1',
        map: ['0:v', '[a]'],
      },
    },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'join' } },
    code: 'FFMPEG_FAILED',
    cause: 'A graph in "vf" or "af" has 1 input and 1 output',
    right: { parameters: { filter_complex: '[0:a][0:a]join=inputs=2[a]', map: ['0:v', '[a]'] } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'afade=t=in:d=-5' } },
    code: 'FFMPEG_FAILED',
    cause: 'of "d" is out of range',
    right: { parameters: { af: 'afade=t=in:d=5' } },
  },
  {
    request: { input: 'mp4v.mp4', output: 'x.mp4', parameters: { 'bsf:v': 'h264_mp4toannexb', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter h264_mp4toannexb does not accept the codec mpeg4',
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ts', parameters: { 'bsf:v': 'hevc_mp4toannexb', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter hevc_mp4toannexb does not accept the codec h264',
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'song.mkv', output: 'x.mp4', parameters: { 'bsf:a': 'aac_adtstoasc', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter aac_adtstoasc does not accept the codec mp3',
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'bsf:v': 'vp9_superframe', c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The bitstream filter vp9_superframe does not accept the codec h264',
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The bit rate is below 1000 bits per second, or missing.',
    right: { parameters: { 'c:v': 'libx264', 'b:v': '1M' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', crf: '23', pass: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    right: { parameters: { 'c:v': 'libx264', 'b:v': '1M', pass: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'libsvtav1', preset: '13', s: '32x32' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected a parameter: usually the picture is too small, or a value is out of range.',
    right: { parameters: { 'c:v': 'libsvtav1', s: '64x64' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.webp', parameters: { 'c:v': 'libwebp', s: '17000x10' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture is too large for this encoder: at most 16383x16383.',
    right: { parameters: { 'c:v': 'libwebp', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { 'c:v': 'gif', s: '70000x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture cannot be scaled to the requested size: it is too large, or not positive.',
    right: { parameters: { 'c:v': 'gif', s: '320x240' } },
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
    right: {
      parameters: {
        hls_time: '2',
        hls_segment_type: 'fmp4',
        c: 'copy',
        hls_segment_filename: 's%d.m4s',
        var_stream_map: 'v:0,a:0',
        map: ['0:v', '0:a'],
      },
    },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'h%v.m3u8',
      parameters: { var_stream_map: 'v:0,a:0 v:1,a:0', map: ['0:v', '0:a'] },
    },
    code: 'FFMPEG_FAILED',
    cause: '"var_stream_map" names the stream v:1, which the output does not have.',
    right: { parameters: { var_stream_map: 'v:0,a:0 v:1,a:1', map: ['0:v', '0:a', '0:v', '0:a'] } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpd', parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=9' } },
    code: 'FFMPEG_FAILED',
    cause: '"adaptation_sets" names the stream 9, and the output has only video and audio.',
    right: { parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=a' } },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { 'c:v': 'hevc' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
    right: { inputs: ['movie.mp4'] },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { f: 'mp3' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The sound of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    right: { inputs: ['movie.mp4'] },
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 'rawvideo' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The size of the pictures in an input is unknown',
    right: {
      inputs: [{ input: 'raw.bin', parameters: { f: 'rawvideo', video_size: '64x48', pixel_format: 'yuv420p' } }],
    },
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 's16le', ar: '0' } }], output: 'x.wav' },
    code: 'INPUT_INVALID',
    cause: 'The sound of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    right: { inputs: [{ input: 'raw.bin', parameters: { f: 's16le', ar: '44100', ac: '2' } }] },
  },
  {
    request: {
      inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
      output: 'x.mp4',
      parameters: { t: '0' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Nothing was written: the requested part contains no frames.',
    right: { parameters: { t: '0.3' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_metadata: '0:s:9' } },
    code: 'INPUT_INVALID',
    cause: '"map_metadata" names a stream that does not exist',
    right: { parameters: { map_metadata: '0:s:v:0' } },
  },
  {
    removedIn: 7,
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_channel: '0.0.0' } },
    code: 'INPUT_INVALID',
    cause: '"map_channel" names the stream 0.0, which is not audio.',
    right: { parameters: { map_channel: '0.1.0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { force_key_frames: 'expr:foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { force_key_frames: 'expr:gte(t,n_forced*2)' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { bufsize: '1', maxrate: '1', 'c:v': 'mpeg2video' } },
    code: 'FFMPEG_FAILED',
    cause: '"b:v" is above "maxrate". Without "b:v", this encoder uses 200k.',
    right: { parameters: { 'c:v': 'mpeg2video', 'b:v': '2M', maxrate: '3M', bufsize: '4M' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'mpeg4', s: '99999x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The picture cannot be scaled to the requested size: it is too large, or not positive.',
    right: { parameters: { 'c:v': 'mpeg4', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { aspect: '0:1' } },
    code: 'FFMPEG_FAILED',
    cause: '"0:1" is not an aspect ratio.',
    right: { parameters: { aspect: '16:9' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { to: '1', ss: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The end ("to") is before the start ("ss").',
    right: { parameters: { ss: '1', to: '2' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'tag:v': 'xxxx', 'c:v': 'libx264', preset: 'ultrafast' },
    },
    code: 'UNSUPPORTED',
    cause: 'The format does not allow the tag xxxx for this codec.',
    right: { parameters: { 'c:v': 'libx264', preset: 'ultrafast', 'tag:v': 'avc1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:a': 'aac', 'profile:a': 'aac_ltp' } },
    code: 'FFMPEG_FAILED',
    cause: 'The profile is experimental, and ffmpeg uses it only on request.',
    right: { parameters: { 'c:a': 'aac' } },
  },
  {
    request: { input: 'vp9.webm', output: 'x.mp3', parameters: { 'c:a': 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp3 cannot hold opus: it holds exactly one audio stream, MP3.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp3 cannot hold aac: it holds exactly one audio stream, MP3.',
    right: { parameters: {} },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.webm',
      parameters: { 'c:v': 'libvpx-vp9', 'cpu-used': '8', 'c:a': 'copy' },
    },
    code: 'UNSUPPORTED',
    cause: 'The request makes vp9, aac.',
    right: { parameters: { 'c:v': 'libvpx-vp9', 'c:a': 'libopus', 'cpu-used': '8' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.webm', parameters: { 'c:v': 'libx264' } },
    code: 'UNSUPPORTED',
    cause: 'Only VP8 or VP9 or AV1 video and Vorbis or Opus audio and WebVTT subtitles are supported for WebM.',
    right: { parameters: { s: '214x120' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.webm', parameters: { 'c:s': 'srt', s: '214x120' } },
    code: 'UNSUPPORTED',
    cause: 'The request makes vp9, opus, subrip.',
    right: { parameters: { 'c:s': 'webvtt', s: '214x120' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { 'c:a': 'aac', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold aac.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'subs.mkv', output: 'x.mp4', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold subrip subtitles.',
    right: { parameters: { c: 'copy', map: '0', 'c:s': 'mov_text' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'subs.srt'],
      output: 'x.mp4',
      parameters: { 'c:s': 'srt', 'c:v': 'copy', 'c:a': 'copy' },
    },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold subrip subtitles.',
    right: { parameters: { 'c:s': 'mov_text', 'c:v': 'copy', 'c:a': 'copy' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mov', parameters: { 'c:s': 'ass' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold ass subtitles.',
    right: { parameters: { sn: '' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mkv', parameters: { 'c:s': 'mov_text' } },
    code: 'UNSUPPORTED',
    cause: 'The format matroska (.mkv) cannot hold subtitles of this codec: the request makes h264, vorbis, mov_text.',
    right: { parameters: { 'c:s': 'srt' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.avi', parameters: { 'c:s': 'srt' } },
    code: 'UNSUPPORTED',
    cause: 'The format avi cannot hold subtitles.',
    right: { parameters: { sn: '' } },
  },
  {
    request: { input: 'subs.srt', output: 'x.vtt', parameters: { 'c:s': 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format webvtt (.vtt) cannot hold subrip',
    right: { parameters: {} },
  },
  {
    request: { input: 'alaw.wav', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold pcm_alaw.',
    right: { parameters: {} },
  },
  {
    request: { input: 'old.wma', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold wmav2.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'rawvideo' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold rawvideo.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'prores_ks' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold prores.',
    right: { parameters: {} },
  },
  {
    request: { input: 'vp9.webm', output: 'x.m4v', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4v) cannot hold vp9.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'c:a': 'libmp3lame', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold mp3.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'c:a': 'pcm_s16le', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold pcm_s16le.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'song.mp3', output: 'x.3gp', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format 3gp cannot hold mp3.',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'vp9.webm', output: 'x.avi', parameters: { c: 'copy' } },
    code: 'FFMPEG_FAILED',
    cause: 'The format avi rejected its streams: vp9, opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.avi', parameters: { 'c:a': 'libopus' } },
    code: 'FFMPEG_FAILED',
    cause: 'The format avi rejected its streams: mpeg4, opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wmv', parameters: { 'c:a': 'libopus' } },
    code: 'FFMPEG_FAILED',
    cause: 'The format asf (.wmv) rejected its streams: msmpeg4v3, opus.',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wav', parameters: { 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format wav cannot hold opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.aiff', parameters: { c: 'copy', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format aiff cannot hold aac.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.au', parameters: { 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause: 'The format au cannot hold aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.flv', parameters: { 'c:v': 'libx264', 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format flv cannot hold opus.',
    right: { parameters: { 'c:v': 'libx264' } },
  },
  {
    request: { input: 'vp9.webm', output: 'x.mov', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold vp9: among its relatives, only MP4 can.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mov', parameters: { 'c:a': 'flac' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold flac: among its relatives, only MP4 can.',
    right: { parameters: {} },
  },
  {
    request: { input: 'timecode.mov', output: 'x.mkv', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format matroska (.mkv) cannot hold the data streams of the input, such as a time code.',
    right: { parameters: { c: 'copy', map: '0', dn: '' } },
  },
  {
    request: { input: 'timecode.mov', output: 'x.mp4', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold the data streams of the input, such as a time code.',
    right: { parameters: { c: 'copy', map: '0', dn: '' } },
  },
  {
    request: { input: 'cover.mp3', output: 'x.m4a', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold a cover that is encoded as h264.',
    right: { parameters: { 'c:v': 'copy' } },
  },
  {
    request: { input: 'cover.mp3', output: 'x.m4a', parameters: { 'c:v': 'libx265' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold a cover that is encoded as hevc.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'cover.mp3', output: 'x.ogg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold png, mp3.',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'lossless.thd', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'MP4 holds truehd only as an experiment, on request.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.swf', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'The format swf supports only these sample rates: 44100, 22050, 11025.',
    right: { parameters: { ar: '44100' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mxf', parameters: { 'c:v': 'mpeg2video', 'c:a': 'aac', r: '25' } },
    code: 'UNSUPPORTED',
    cause: 'The format mxf cannot hold aac: its sound is PCM.',
    right: { parameters: { 'c:v': 'mpeg2video', 'c:a': 'pcm_s16le', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.dv', parameters: { 'c:v': 'mpeg4' } },
    code: 'UNSUPPORTED',
    cause: 'DV has fixed codecs, sizes and frame rates, and the request makes mpeg4, pcm_s16le.',
    right: { parameters: { target: 'pal-dv' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.y4m', parameters: { pix_fmt: 'rgb24' } },
    code: 'UNSUPPORTED',
    cause:
      'The format yuv4mpegpipe (.y4m) supports only the pixel formats yuv444p, yuv422p, yuv420p, yuv411p and gray8.',
    right: { parameters: { pix_fmt: 'yuv420p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { 'c:v': 'libx264', 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause: 'The format mpeg (.mpg) cannot hold the audio codec: the request makes h264, aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=500:-1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder needs an even width and height, and the picture has 500x281.',
    right: { parameters: { vf: 'scale=500:-2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx265', vf: 'scale=501:-2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder libx265 needs an even width and height.',
    right: { parameters: { 'c:v': 'libx265', vf: 'scale=-2:500' } },
  },
  {
    request: { input: 'odd.png', output: 'x.avi', parameters: { 'c:v': 'wmv2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder needs a width and height that are multiples of 2.',
    right: { parameters: { 'c:v': 'wmv2', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2' } },
  },
  {
    request: { input: 'odd.png', output: 'x.mov', parameters: { 'c:v': 'v210' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder needs an even width and height.',
    right: { parameters: { 'c:v': 'v210', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2' } },
  },
  {
    request: { input: 'odd.png', output: 'x.mkv', parameters: { 'c:v': 'cinepak' } },
    code: 'FFMPEG_FAILED',
    cause: 'multiples of 4; the picture has 321x181.',
    right: { parameters: { 'c:v': 'cinepak', vf: 'scale=trunc(iw/4)*4:trunc(ih/4)*4' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.rm', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder needs a width and height that are multiples of 16.',
    right: { parameters: { vf: 'scale=trunc(iw/16)*16:trunc(ih/16)*16' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'mpeg1video', s: '4100x100' } },
    code: 'FFMPEG_FAILED',
    cause: 'MPEG-1 does not support pictures above 4095x4095.',
    right: { parameters: { 'c:v': 'mpeg1video', s: '320x240', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'cfhd', s: '18x18' } },
    code: 'FFMPEG_FAILED',
    cause: 'Height must be >= 32',
    right: { parameters: { s: '18x18' } },
  },
  {
    request: { input: 'side.ac3', output: 'x.opus', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder libopus does not take the channel layout 5.1(side).',
    right: { parameters: { af: 'aformat=channel_layouts=7.1|5.1|stereo|mono' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wma', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder supports 2 channels, and the sound has 6.',
    right: { parameters: { ac: '2' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not support the channel layout',
    right: { parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]', ac: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ac: '99' } },
    code: 'FFMPEG_FAILED',
    cause: 'Sound cannot be mixed to 99 channels.',
    right: { parameters: { ac: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'b:a': '1', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The bit rate is 1 bits per second, which is far too low.',
    right: { parameters: { 'b:a': '128k', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', qp: '0', 'profile:v': 'main' } },
    code: 'FFMPEG_FAILED',
    cause: 'The profile main does not support lossless encoding ("qp" or "crf" 0).',
    right: { parameters: { 'c:v': 'libx264', qp: '0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx265', crf: '20', pass: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'Two passes need a bit rate',
    right: { parameters: { 'c:v': 'libx265', 'b:v': '1M', pass: '2' } },
  },
  {
    request: {
      inputs: ['song.mp3', 'song.mp3'],
      output: 'x.mp3',
      parameters: { filter_complex: '[0][1]concat=n=2[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause: 'concat takes video, unless it has "v=0".',
    right: { parameters: { filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1[a]', map: '[a]' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { filter_complex: '[0:0]showwaves[v]', map: '[v]' } },
    code: 'INPUT_INVALID',
    cause: '[0:0] is the video of "movie.mp4", and the filter showwaves takes audio.',
    right: { parameters: { filter_complex: '[0:a]showwaves[v]', map: '[v]', t: '2' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[1:v]fps=10[b];[0:v][b]xfade=duration=1:offset=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter xfade needs pictures of the same size, frame rate and timebase: [0:v] 854x480 24 fps yuv420p, [b] 854x480 yuv420p',
    right: {
      parameters: {
        filter_complex: '[0:v]fps=25,settb=AVTB[a];[1:v]fps=25,settb=AVTB[b];[a][b]xfade=duration=1:offset=1[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.gif',
      parameters: { filter_complex: '[0:v][1:v]paletteuse[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The second input of the filter paletteuse',
    right: { parameters: { filter_complex: '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]haldclut[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The second input of the filter haldclut is not a Hald CLUT',
    right: { inputs: ['movie.mp4', 'clut.png'] },
  },
  {
    request: { inputs: ['movie.mp4', 'bad.cube'], output: 'x.mp4', parameters: { vf: 'lut3d=bad.cube' } },
    code: 'INPUT_INVALID',
    cause: 'The file for the filter lut3d contains no colour table.',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mp4', parameters: { vf: 'ass=subs.srt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter ass cannot read "subs.srt": it reads only .ass and .ssa files.',
    right: { parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'pan=stereo|c0=FL|c2=FR' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pan has an output channel that its layout does not have: "c2=FR".',
    right: { parameters: { vn: '', af: 'pan=stereo|c0=FL|c1=FR' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'pan=1c|c0=2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pan expects the name of an input channel',
    right: { parameters: { vn: '', af: 'pan=1c|c0=0.5*c0+0.5*c1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 2/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter curves has the point 2.000000/1.000000; x and y are from 0 to 1.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 0.5/0.2 0.3/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'x must rise from point to point.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'unsharp=4:4' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter unsharp needs odd sizes; the luma size is 4x4.',
    right: { parameters: { vf: 'unsharp=5:5:1.0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'boxblur=500' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter boxblur cannot use the luma radius 500 on this picture: below 240 is allowed.',
    right: { parameters: { vf: 'boxblur=10' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'delogo=x=800:y=10:w=100:h=100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The area of the filter delogo is not',
    right: { parameters: { vf: 'delogo=x=10:y=10:w=100:h=50' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setsar=0/0' } },
    code: 'FFMPEG_FAILED',
    cause: '"0/0" is not an aspect ratio.',
    right: { parameters: { vf: 'setsar=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setdar=-1' } },
    code: 'FFMPEG_FAILED',
    cause: '"-1" is not an aspect ratio.',
    right: { parameters: { vf: 'setdar=16/9' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'select=gt(scene)' } },
    code: 'FFMPEG_FAILED',
    cause: 'The expression "gt(scene)" is incomplete, or a function in it has too few arguments.',
    right: { parameters: { vf: 'select=gte(scene\\,0)' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'colorspace=all=bt709' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter colorspace must know the colours',
    right: { parameters: { vf: 'colorspace=iall=bt709:all=bt709' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'zscale=t=linear' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter zscale must know the colours',
    right: { parameters: { vf: 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'convolution=0m=1 2' } },
    code: 'FFMPEG_FAILED',
    cause: 'A matrix of the filter convolution has an even number of values.',
    right: { parameters: { vf: 'convolution=0m=0 -1 0 -1 5 -1 0 -1 0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'aecho=0.8:0.9:1000|1800:0.3' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter has 2 delays, but 1 decays: each needs one.',
    right: { parameters: { vn: '', af: 'aecho=0.8:0.9:1000|1800:0.3|0.25' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.m4a',
      parameters: { vn: '', af: 'compand=attacks=0.3|0.8:points=-80/-80|0/0' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter has 2 attacks, but 1 decays: each needs one.',
    right: { parameters: { vn: '', af: 'compand=attacks=0.3|0.8:decays=1|1:points=-80/-80|0/0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'compand=points=-20/-60|-70/-80' } },
    code: 'FFMPEG_FAILED',
    cause: 'The points of the filter compand are not in order',
    right: { parameters: { vn: '', af: 'compand=points=-80/-80|-20/-15|0/0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'adelay=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter adelay needs a delay of 0 or more milliseconds.',
    right: { parameters: { vn: '', af: 'adelay=1000:all=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'volume=volume=t:eval=once' } },
    code: 'FFMPEG_FAILED',
    cause: 'The volume depends on a value that is unknown at the start.',
    right: { parameters: { vn: '', af: 'volume=volume=t/10:eval=frame' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'channelmap=FL|FR|TC' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter channelmap names the channel TC, which the sound does not have: it is 5.1.',
    right: { parameters: { vn: '', af: 'channelmap=map=FL-FL|FR-FR:channel_layout=stereo' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'biquad=a0=0' } },
    code: 'FFMPEG_FAILED',
    cause: 'The audio filters make samples that are not numbers',
    right: { parameters: { vn: '', af: 'volume=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setpts=PTS*' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression is incomplete: a number or a name is missing.',
    right: { parameters: { vf: 'setpts=PTS*2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'drawtext=text=hi:x=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { vf: 'drawtext=text=hi:x=10' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]xstack=inputs=2:layout=0_0|w5_0[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter xstack cannot use its input with these options.',
    right: {
      parameters: {
        filter_complex: '[0:v]fps=25[a];[1:v]fps=25[b];[a][b]xstack=inputs=2:layout=0_0|w0_0[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { vf: 'scale=10:10', filter_complex: '[0:v]hflip[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Filters of "vf" or "af" cannot be applied to an output of "filter_complex".',
    right: { parameters: { filter_complex: '[0:v]hflip,scale=10:10[v]', map: '[v]' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ss: '100' } },
    code: 'FFMPEG_FAILED',
    cause: 'Nothing was written: ',
    right: { parameters: { ss: '1' } },
  },
  {
    request: { input: 'small.mp4', output: 'x.mp4', parameters: { map: ['0:v', '0:a'] } },
    code: 'INPUT_INVALID',
    cause: 'The map "0:a" selects nothing',
    right: { parameters: { map: ['0:v', '0:a?'] } },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { loop: '1' } }], output: 'x.mp4', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'Only pictures have the option "loop".',
    right: { inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }] },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { ar: '44100' } }], output: 'x.mp4', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'Only raw sound needs "ar" and "ac" with the input',
    right: { inputs: ['movie.mp4'], parameters: { ar: '44100' } },
  },
  {
    request: { inputs: [{ input: 'odd.png', parameters: { 'c:v': 'h264' } }], output: 'x.webp', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'An input contains a stream that cannot be decoded.',
    right: { inputs: ['odd.png'] },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', 'tag:v': 'hvc1' } },
    code: 'UNSUPPORTED',
    cause: 'The format does not allow the tag hvc1 for this codec.',
    right: { parameters: { 'c:v': 'libx264', 'tag:v': 'avc1' } },
  },
];
