import { bitRate, format, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { containsText } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

const tiny = { s: '160x90', t: '1', an: '' } as const;
const tinySource = { source: 'trim=end_frame=24,scale=160:90:flags=bicubic' } as const;

/** Video encoders other than libx264. */
export const CODECS: readonly CommonRequest[] = [
  {
    title: 'encodes 10-bit H.265 with the tag of Apple players',
    source: 'ffmpeg wiki, "Encode/H.265"',
    request: {
      input: 'small.mp4',
      output: 'codecs/hevc10.mp4',
      parameters: {
        'c:v': 'libx265',
        preset: 'ultrafast',
        crf: '26',
        pix_fmt: 'yuv420p10le',
        'tag:v': 'hvc1',
        ...tiny,
      },
    },
    checks: [
      streams({ codec_name: 'hevc', profile: 'Main 10', pix_fmt: 'yuv420p10le', codec_tag_string: 'hvc1' }),
      frameCount(24),
      looksLike('small.mp4', { ...tinySource, threshold: 0.9 }),
    ],
  },
  {
    title: 'encodes lossless H.265',
    source: 'ffmpeg wiki, "Encode/H.265": lossless',
    request: {
      input: 'small.mp4',
      output: 'codecs/hevc.mkv',
      parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'x265-params': 'lossless=1', 'frames:v': '12', an: '' },
    },
    checks: [streams({ codec_name: 'hevc' }), sameFrames('small.mp4', 'trim=end_frame=12')],
  },
  {
    title: 'encodes H.265 to a bit rate in two passes',
    source: 'ffmpeg wiki, "Encode/H.265": two-pass',
    request: {
      input: 'small.mp4',
      output: 'codecs/hevc-two.mp4',
      parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'b:v': '150k', pass: '2', ...tiny },
    },
    checks: [
      streams({ codec_name: 'hevc' }),
      frameCount(24),
      bitRate(90, 210),
      containsText('stats-read=2', 'bitrate=150'),
    ],
  },
  {
    title: 'encodes VP9 by CRF with Opus, as WebM',
    source: 'ffmpeg wiki, "Encode/VP9": constant quality',
    request: {
      input: 'small.mp4',
      output: 'codecs/vp9.webm',
      parameters: {
        'c:v': 'libvpx-vp9',
        crf: '31',
        'b:v': '0',
        deadline: 'good',
        'cpu-used': '5',
        'row-mt': '1',
        s: '160x90',
        t: '1',
        'c:a': 'libopus',
        'b:a': '64k',
      },
    },
    checks: [
      format('webm'),
      streams({ codec_name: 'vp9', width: 160 }, { codec_name: 'opus', channels: 2 }),
      looksLike('small.mp4', { ...tinySource, threshold: 0.9 }),
    ],
  },
  {
    title: 'encodes VP9 to a bit rate in two passes',
    source: 'ffmpeg wiki, "Encode/VP9": two-pass',
    request: {
      input: 'small.mp4',
      output: 'codecs/vp9-two.webm',
      parameters: { 'c:v': 'libvpx-vp9', 'b:v': '150k', pass: '2', 'cpu-used': '8', ...tiny },
    },
    checks: [streams({ codec_name: 'vp9' }), frameCount(24), bitRate(60, 240)],
  },
  {
    title: 'encodes VP8 and Vorbis',
    source: 'ffmpeg wiki, "Encode/VP8"',
    request: {
      input: 'small.mp4',
      output: 'codecs/vp8.webm',
      parameters: {
        'c:v': 'libvpx',
        crf: '10',
        'b:v': '500k',
        'cpu-used': '8',
        s: '160x90',
        t: '1',
        'c:a': 'libvorbis',
        'q:a': '4',
      },
    },
    checks: [streams({ codec_name: 'vp8' }, { codec_name: 'vorbis' })],
  },
  {
    title: 'encodes AV1 with SVT-AV1',
    source: 'ffmpeg wiki, "Encode/AV1": SVT-AV1',
    request: {
      input: 'small.mp4',
      output: 'codecs/svt.mkv',
      parameters: { 'c:v': 'libsvtav1', preset: '12', crf: '40', pix_fmt: 'yuv420p10le', ...tiny },
    },
    checks: [
      streams({ codec_name: 'av1', pix_fmt: 'yuv420p10le' }),
      frameCount(24),
      looksLike('small.mp4', { ...tinySource, threshold: 0.85 }),
    ],
  },
  {
    title: 'encodes AV1 with libaom',
    source: 'ffmpeg wiki, "Encode/AV1": libaom',
    request: {
      input: 'small.mp4',
      output: 'codecs/aom.mp4',
      parameters: {
        'c:v': 'libaom-av1',
        crf: '35',
        'b:v': '0',
        'cpu-used': '8',
        'row-mt': '1',
        usage: 'realtime',
        ...tiny,
      },
    },
    checks: [
      streams({ codec_name: 'av1', codec_tag_string: 'av01' }),
      frameCount(24),
      looksLike('small.mp4', { ...tinySource, threshold: 0.85 }),
    ],
  },
  {
    title: 'encodes FFV1 for an archive',
    source: 'ffmpeg wiki, "Encode/FFV1"',
    request: {
      input: 'small.mp4',
      output: 'codecs/archive.mkv',
      parameters: {
        'c:v': 'ffv1',
        level: '3',
        coder: '1',
        context: '1',
        g: '1',
        slices: '4',
        slicecrc: '1',
        'c:a': 'flac',
      },
    },
    checks: [streams({ codec_name: 'ffv1' }, { codec_name: 'flac' }), sameFrames('small.mp4')],
  },
  {
    title: 'encodes ProRes for editing',
    source: 'question sites: "convert to ProRes 422 HQ"',
    request: {
      input: 'small.mp4',
      output: 'codecs/prores.mov',
      parameters: {
        'c:v': 'prores_ks',
        'profile:v': '3',
        vendor: 'apl0',
        pix_fmt: 'yuv422p10le',
        'c:a': 'pcm_s16le',
        t: '0.5',
      },
    },
    checks: [
      format('mov'),
      streams(
        { codec_name: 'prores', profile: 'HQ', pix_fmt: 'yuv422p10le', codec_tag_string: 'apch' },
        { codec_name: 'pcm_s16le' },
      ),
      looksLike('small.mp4', { source: 'trim=end_frame=12' }),
    ],
  },
  {
    title: 'encodes DNxHR for editing',
    source: 'question sites: "DNxHR for DaVinci Resolve on Linux"',
    request: {
      input: 'small.mp4',
      output: 'codecs/dnxhr.mov',
      parameters: { 'c:v': 'dnxhd', 'profile:v': 'dnxhr_sq', pix_fmt: 'yuv422p', 'c:a': 'pcm_s24le', t: '0.5' },
    },
    checks: [
      streams({ codec_name: 'dnxhd', profile: 'DNXHR SQ', pix_fmt: 'yuv422p' }, { codec_name: 'pcm_s24le' }),
      looksLike('small.mp4', { source: 'trim=end_frame=12' }),
    ],
  },
  {
    title: 'encodes Motion JPEG as AVI',
    source: 'ffmpeg documentation, encoder mjpeg',
    request: {
      input: 'small.mp4',
      output: 'codecs/motion.avi',
      parameters: { 'c:v': 'mjpeg', 'q:v': '3', pix_fmt: 'yuvj420p', 'c:a': 'pcm_s16le', t: '0.5' },
    },
    checks: [format('avi'), streams({ codec_name: 'mjpeg' }, { codec_name: 'pcm_s16le' }), frameCount(12)],
  },
  {
    title: 'encodes MPEG-4 as AVI for DivX players',
    source: 'ffmpeg wiki, "Encode/MPEG-4"',
    request: {
      input: 'small.mp4',
      output: 'codecs/divx.avi',
      parameters: { 'c:v': 'mpeg4', vtag: 'xvid', 'qscale:v': '4', 'c:a': 'libmp3lame', 'qscale:a': '5' },
    },
    checks: [
      streams({ codec_name: 'mpeg4', codec_tag_string: 'xvid' }, { codec_name: 'mp3' }),
      looksLike('small.mp4', { threshold: 0.9 }),
    ],
  },
  {
    title: 'encodes MPEG-2 for a DVD',
    source: 'ffmpeg documentation, "target"',
    request: { input: 'small.mp4', output: 'codecs/dvd.mpg', parameters: { target: 'pal-dvd', t: '0.5' } },
    checks: [
      format('mpeg'),
      streams(
        { codec_name: 'dvd_nav_packet' },
        { codec_name: 'mpeg2video', width: 720, height: 576, r_frame_rate: '25/1' },
        { codec_name: 'ac3', sample_rate: '48000' },
      ),
    ],
  },
  {
    title: 'encodes DV for an old editing program',
    source: 'ffmpeg documentation, "target"',
    request: {
      input: 'small.mp4',
      output: 'codecs/tape.dv',
      parameters: { target: 'ntsc-dv', t: '0.5', aspect: '4:3' },
    },
    checks: [
      format('dv'),
      streams({ codec_name: 'dvvideo', width: 720, height: 480, pix_fmt: 'yuv411p' }, { codec_name: 'pcm_s16le' }),
    ],
  },
];
