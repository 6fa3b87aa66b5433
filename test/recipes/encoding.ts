import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { boxes } from './checks/boxes.ts';
import { bitRate, format, lasts, streams } from './checks/container.ts';
import { frames, keyFrames } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { holds } from './checks/text.ts';
import type { Recipe } from './recipe.ts';

const tiny = { s: '160x90', t: '1', an: '' } as const;
const tinySource = { source: 'trim=end_frame=24,scale=160:90:flags=bicubic' } as const;

/** Video encoders and their usual settings. */
export const ENCODING: readonly Recipe[] = [
  {
    title: 'H.264 by quality, with a tune',
    source: 'ffmpeg wiki, "Encode/H.264": CRF',
    request: {
      input: 'small.mp4',
      output: 'encoding/crf.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', crf: '22', tune: 'film', 'c:a': 'copy' },
    },
    checks: [
      streams({ codec_name: 'h264', has_b_frames: 2 }, { codec_name: 'aac' }),
      holds('crf=22.0', 'psy_rd=1.00:0.15'),
      looksLike('small.mp4'),
    ],
  },
  {
    title: 'H.264 to a bit rate in two passes',
    source: 'ffmpeg wiki, "Encode/H.264": two-pass',
    request: {
      input: 'movie.mp4',
      output: 'encoding/two.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', 'b:v': '300k', pass: '2', s: '320x180', an: '' },
    },
    checks: [streams({ codec_name: 'h264' }), holds('rc=2pass', 'bitrate=300'), bitRate(240, 360), lasts(3, 0.15)],
  },
  {
    title: 'H.264 by quality under a ceiling',
    source: 'ffmpeg wiki, "Limiting the output bitrate"',
    request: {
      input: 'movie.mp4',
      output: 'encoding/capped.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        crf: '18',
        maxrate: '250k',
        bufsize: '250k',
        s: '320x180',
        an: '',
      },
    },
    checks: [holds('crf=18.0', 'vbv_maxrate=250', 'vbv_bufsize=250'), bitRate(100, 340)],
  },
  {
    title: 'H.264 for old devices',
    source: 'ffmpeg wiki, "Encode/H.264": compatibility',
    request: {
      input: 'small.mp4',
      output: 'encoding/baseline.mp4',
      parameters: {
        'c:v': 'libx264',
        'profile:v': 'baseline',
        level: '3.0',
        pix_fmt: 'yuv420p',
        'c:a': 'aac',
        ac: '2',
      },
    },
    checks: [
      streams({ profile: 'Constrained Baseline', level: 30, pix_fmt: 'yuv420p' }, { codec_name: 'aac', channels: 2 }),
    ],
  },
  {
    title: 'H.264 without loss',
    source: 'ffmpeg wiki, "Encode/H.264": lossless',
    request: {
      input: 'small.mp4',
      output: 'encoding/lossless.mkv',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', qp: '0', 'c:a': 'flac' },
    },
    checks: [streams({ profile: 'High 4:4:4 Predictive' }, { codec_name: 'flac' }), sameFrames('small.mp4')],
  },
  {
    title: 'H.264 with all colours',
    source: 'question sites: "screen recording, yuv444p"',
    request: {
      input: 'small.mp4',
      output: 'encoding/444.mp4',
      parameters: { 'c:v': 'libx264', crf: '20', preset: 'ultrafast', pix_fmt: 'yuv444p', an: '' },
    },
    checks: [streams({ pix_fmt: 'yuv444p', profile: 'High 4:4:4 Predictive' })],
  },
  {
    title: 'a key frame every second',
    source: 'ffmpeg documentation, "force_key_frames" by an expression',
    request: {
      input: 'movie.mp4',
      output: 'encoding/every-second.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        s: '320x180',
        t: '2.5',
        force_key_frames: 'expr:gte(t,n_forced*1)',
        an: '',
      },
    },
    checks: [keyFrames(0, 1, 2)],
  },
  {
    title: 'key frames at times of one’s own',
    source: 'ffmpeg documentation, "force_key_frames" by a list',
    request: {
      input: 'small.mp4',
      output: 'encoding/at-times.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', force_key_frames: '0:00:00.5,1.25', an: '' },
    },
    checks: [keyFrames(0, 0.5, 1.25)],
  },
  {
    title: 'groups of pictures of one length, for streaming',
    source: 'question sites: "fixed GOP for adaptive streaming", g, keyint_min and sc_threshold',
    request: {
      input: 'scenes.mp4',
      output: 'encoding/gop.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', g: '16', keyint_min: '16', sc_threshold: '0' },
    },
    checks: [keyFrames(0, 0.67, 1.33), holds('keyint=16', 'keyint_min=9', 'scenecut=0')],
  },
  {
    title: 'settings of x264 by its own names',
    source: 'question sites: "x264-params"',
    request: {
      input: 'small.mp4',
      output: 'encoding/x264-params.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        'x264-params': 'keyint=24:min-keyint=24:no-scenecut=1:bframes=0',
        an: '',
      },
    },
    checks: [keyFrames(0, 1), streams({ has_b_frames: 0 }), holds('bframes=0', 'scenecut=0')],
  },
  {
    title: 'every frame a key frame',
    source: 'question sites: "all intra H.264 for editing"',
    request: {
      input: 'small.mp4',
      output: 'encoding/intra.mov',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '20', g: '1', t: '0.25', 'c:a': 'pcm_s16le' },
    },
    checks: [
      keyFrames(0, 0.04, 0.08, 0.13, 0.17, 0.21),
      streams({ codec_name: 'h264' }, { codec_name: 'pcm_s16le', sample_rate: '48000' }),
    ],
  },
  {
    title: 'H.265 with ten bits, as Apple’s players want it',
    source: 'ffmpeg wiki, "Encode/H.265"',
    request: {
      input: 'small.mp4',
      output: 'encoding/hevc10.mp4',
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
      frames(24),
      looksLike('small.mp4', { ...tinySource, least: 0.9 }),
    ],
  },
  {
    title: 'H.265 without loss',
    source: 'ffmpeg wiki, "Encode/H.265": lossless',
    request: {
      input: 'small.mp4',
      output: 'encoding/hevc.mkv',
      parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'x265-params': 'lossless=1', 'frames:v': '12', an: '' },
    },
    checks: [streams({ codec_name: 'hevc' }), sameFrames('small.mp4', 'trim=end_frame=12')],
  },
  {
    title: 'H.265 to a bit rate in two passes',
    source: 'ffmpeg wiki, "Encode/H.265": two-pass',
    request: {
      input: 'small.mp4',
      output: 'encoding/hevc-two.mp4',
      parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'b:v': '150k', pass: '2', ...tiny },
    },
    checks: [streams({ codec_name: 'hevc' }), frames(24), bitRate(90, 210), holds('stats-read=2', 'bitrate=150')],
  },
  {
    title: 'VP9 by quality, with Opus, for the web',
    source: 'ffmpeg wiki, "Encode/VP9": constant quality',
    request: {
      input: 'small.mp4',
      output: 'encoding/vp9.webm',
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
      looksLike('small.mp4', { ...tinySource, least: 0.9 }),
    ],
  },
  {
    title: 'VP9 in two passes',
    source: 'ffmpeg wiki, "Encode/VP9": two-pass',
    request: {
      input: 'small.mp4',
      output: 'encoding/vp9-two.webm',
      parameters: { 'c:v': 'libvpx-vp9', 'b:v': '150k', pass: '2', 'cpu-used': '8', ...tiny },
    },
    checks: [streams({ codec_name: 'vp9' }), frames(24), bitRate(60, 240)],
  },
  {
    title: 'VP8 and Vorbis',
    source: 'ffmpeg wiki, "Encode/VP8"',
    request: {
      input: 'small.mp4',
      output: 'encoding/vp8.webm',
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
    title: 'AV1 by SVT',
    source: 'ffmpeg wiki, "Encode/AV1": SVT-AV1',
    request: {
      input: 'small.mp4',
      output: 'encoding/svt.mkv',
      parameters: { 'c:v': 'libsvtav1', preset: '12', crf: '40', pix_fmt: 'yuv420p10le', ...tiny },
    },
    checks: [
      streams({ codec_name: 'av1', pix_fmt: 'yuv420p10le' }),
      frames(24),
      looksLike('small.mp4', { ...tinySource, least: 0.85 }),
    ],
  },
  {
    title: 'AV1 by libaom',
    source: 'ffmpeg wiki, "Encode/AV1": libaom',
    request: {
      input: 'small.mp4',
      output: 'encoding/aom.mp4',
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
      frames(24),
      looksLike('small.mp4', { ...tinySource, least: 0.85 }),
    ],
  },
  {
    title: 'FFV1 for an archive',
    source: 'ffmpeg wiki, "Encode/FFV1"',
    request: {
      input: 'small.mp4',
      output: 'encoding/archive.mkv',
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
    title: 'ProRes for an editing program',
    source: 'question sites: "convert to ProRes 422 HQ"',
    request: {
      input: 'small.mp4',
      output: 'encoding/prores.mov',
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
    title: 'DNxHR for an editing program',
    source: 'question sites: "DNxHR for DaVinci Resolve on Linux"',
    request: {
      input: 'small.mp4',
      output: 'encoding/dnxhr.mov',
      parameters: { 'c:v': 'dnxhd', 'profile:v': 'dnxhr_sq', pix_fmt: 'yuv422p', 'c:a': 'pcm_s24le', t: '0.5' },
    },
    checks: [
      streams({ codec_name: 'dnxhd', profile: 'DNXHR SQ', pix_fmt: 'yuv422p' }, { codec_name: 'pcm_s24le' }),
      looksLike('small.mp4', { source: 'trim=end_frame=12' }),
    ],
  },
  {
    title: 'Motion JPEG in AVI',
    source: 'ffmpeg documentation, encoder mjpeg',
    request: {
      input: 'small.mp4',
      output: 'encoding/motion.avi',
      parameters: { 'c:v': 'mjpeg', 'q:v': '3', pix_fmt: 'yuvj420p', 'c:a': 'pcm_s16le', t: '0.5' },
    },
    checks: [format('avi'), streams({ codec_name: 'mjpeg' }, { codec_name: 'pcm_s16le' }), frames(12)],
  },
  {
    title: 'MPEG-4 in AVI, as DivX players want it',
    source: 'ffmpeg wiki, "Encode/MPEG-4"',
    request: {
      input: 'small.mp4',
      output: 'encoding/divx.avi',
      parameters: { 'c:v': 'mpeg4', vtag: 'xvid', 'qscale:v': '4', 'c:a': 'libmp3lame', 'qscale:a': '5' },
    },
    checks: [
      streams({ codec_name: 'mpeg4', codec_tag_string: 'xvid' }, { codec_name: 'mp3' }),
      looksLike('small.mp4', { least: 0.9 }),
    ],
  },
  {
    title: 'MPEG-2 for a DVD',
    source: 'ffmpeg documentation, "target"',
    request: { input: 'small.mp4', output: 'encoding/dvd.mpg', parameters: { target: 'pal-dvd', t: '0.5' } },
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
    title: 'DV for an old editing program',
    source: 'ffmpeg documentation, "target"',
    request: {
      input: 'small.mp4',
      output: 'encoding/tape.dv',
      parameters: { target: 'ntsc-dv', t: '0.5', aspect: '4:3' },
    },
    checks: [
      format('dv'),
      streams({ codec_name: 'dvvideo', width: 720, height: 480, pix_fmt: 'yuv411p' }, { codec_name: 'pcm_s16le' }),
    ],
  },
  {
    title: 'an MP4 that plays while it is loaded',
    source: 'ffmpeg wiki, "Encode/H.264": faststart',
    request: {
      input: 'small.mp4',
      output: 'encoding/faststart.mp4',
      parameters: { c: 'copy', movflags: '+faststart' },
    },
    checks: [boxes('ftyp', 'moov', 'free', 'mdat'), lasts(2, 0.05)],
  },
  {
    title: 'an MP4 of fragments',
    source: 'question sites: "fragmented mp4 for Media Source Extensions"',
    request: {
      input: 'small.mp4',
      output: 'encoding/fragments.mp4',
      parameters: { c: 'copy', an: '', movflags: 'frag_keyframe+empty_moov+default_base_moof' },
    },
    checks: [boxes('ftyp', 'moov', 'moof', 'mdat', 'moof', 'mdat', 'moof', 'mdat', 'moof', 'mdat', 'mfra'), frames(48)],
  },
  {
    title: 'raw pixels',
    source: 'ffmpeg documentation, muxer rawvideo',
    request: {
      input: 'small.mp4',
      output: 'encoding/pixels.yuv',
      format: 'rawvideo',
      parameters: { pix_fmt: 'yuv420p', 'frames:v': '6' },
    },
    checks: [
      async ({ file, at }) => {
        const [found, wanted] = await Promise.all([readFile(file), readFile(at('small.yuv'))]);
        expect(found.equals(wanted.subarray(0, 6 * 320 * 180 * 1.5))).toBe(true);
      },
    ],
  },
  {
    title: 'video from raw pixels',
    source: 'question sites: "convert yuv to mp4"',
    request: {
      inputs: [
        {
          input: 'small.yuv',
          parameters: { f: 'rawvideo', pixel_format: 'yuv420p', video_size: '320x180', framerate: '24' },
        },
      ],
      output: 'encoding/from-pixels.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', qp: '0' },
    },
    checks: [frames(48), lasts(2), sameFrames('small.mp4')],
  },
  {
    title: 'YUV4MPEG for another program',
    source: 'question sites: "y4m for encoders and metrics"',
    request: { input: 'small.mp4', output: 'encoding/frames.y4m', parameters: { pix_fmt: 'yuv420p', 'frames:v': '6' } },
    checks: [
      streams({ codec_name: 'rawvideo', width: 320, avg_frame_rate: '24/1' }),
      sameFrames('small.mp4', 'trim=end_frame=6'),
    ],
  },
  {
    title: 'the colours told to the player',
    source: 'question sites: "tag bt709 colors"',
    request: {
      input: 'small.mp4',
      output: 'encoding/bt709.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'ultrafast',
        colorspace: 'bt709',
        color_primaries: 'bt709',
        color_trc: 'bt709',
        color_range: 'tv',
        an: '',
      },
    },
    checks: [streams({ color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709', color_range: 'tv' })],
  },
  {
    title: 'a time code',
    source: 'ffmpeg documentation, "timecode"',
    request: {
      input: 'small.mp4',
      output: 'encoding/timecode.mov',
      parameters: { c: 'copy', timecode: '01:00:00:00' },
    },
    checks: [
      streams(
        { codec_name: 'h264', tags: { timecode: '01:00:00:00' } },
        { codec_name: 'aac' },
        { codec_tag_string: 'tmcd' },
      ),
    ],
  },
  {
    title: 'two qualities and two sizes of one reading, in one file',
    source: 'ffmpeg wiki, "Creating multiple outputs": split',
    request: {
      input: 'small.mp4',
      output: 'encoding/ladder.mkv',
      parameters: {
        filter_complex: '[0:v]split=2[a][b];[b]scale=160:-2[small]',
        map: ['[a]', '[small]'],
        'c:v': 'libx264',
        preset: 'ultrafast',
        'crf:v:0': '20',
        'crf:v:1': '30',
      },
    },
    checks: [streams({ width: 320 }, { width: 160 }), holds('crf=20.0', 'crf=30.0')],
  },
];
