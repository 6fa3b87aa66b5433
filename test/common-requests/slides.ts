import { expect } from 'vitest';
import { duration, FRAME, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { BLACK, colour, looksLike, RED, sameColour } from './checks/picture.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' } as const;

/** Videos from pictures. */
export const SLIDES: readonly CommonRequest[] = [
  {
    title: 'converts a GIF to an MP4 that all players support',
    source: 'question sites: "convert gif to mp4"',
    request: {
      input: 'tiny.gif',
      output: 'slides/from-gif.mp4',
      parameters: { movflags: '+faststart', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2', ...QUICK },
    },
    checks: [streams({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 160 }), frameCount(12), duration(1, 0.05)],
  },
  {
    title: 'makes a video of an image sequence',
    source: 'ffmpeg wiki, "Slideshow": image sequence',
    request: {
      input: 'frames/img%03d.png',
      output: 'slides/sequence.mp4',
      parameters: { framerate: '5', r: '30', crf: '20', ...QUICK },
    },
    checks: [streams({ codec_name: 'h264', avg_frame_rate: '30/1', width: 320 }), duration(2), frameCount(60)],
  },
  {
    title: 'makes a video of one picture and a song',
    source: 'ffmpeg wiki, "Encode/YouTube": still image and audio',
    request: {
      inputs: [{ input: 'cover.jpg', parameters: { loop: '1', framerate: '10' } }, 'voice.wav'],
      output: 'slides/still.mp4',
      parameters: { ...QUICK, tune: 'stillimage', 'c:a': 'aac', 'b:a': '96k', shortest: '' },
    },
    checks: [
      streams(
        { codec_name: 'h264', width: 180, height: 180, pix_fmt: 'yuv420p', avg_frame_rate: '10/1' },
        { codec_name: 'aac' },
      ),
      duration(3, 0.6),
      looksLike('cover.jpg', { result: 'trim=end_frame=1' }),
    ],
  },
  {
    title: 'zooms slowly into a picture',
    source: 'question sites: "Ken Burns effect", zoompan',
    request: {
      input: 'slides/wide.jpg',
      output: 'slides/zoom.mp4',
      parameters: {
        vf: "zoompan=z='min(zoom+0.05,2)':x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':d=24:s=320x180:fps=24",
        ...QUICK,
      },
    },
    checks: [
      streams({ codec_name: 'h264', pix_fmt: 'yuv420p' }),
      frameCount(24),
      duration(1),
      sameColour({ time: 0 }, 'slides/wide.jpg'),
      sameColour({ time: 0.95 }, 'slides/wide.jpg', { region: '160:90:80:45' }),
    ],
  },
  {
    title: 'crossfades two pictures by a filtergraph',
    source: 'question sites: "slideshow with crossfade", xfade',
    request: {
      inputs: [
        { input: 'slides/wide.jpg', parameters: { loop: '1', t: '1', framerate: '24' } },
        { input: 'slides/tall.png', parameters: { loop: '1', t: '1', framerate: '24' } },
      ],
      output: 'slides/slides.mp4',
      parameters: {
        filter_complex:
          '[0:v]scale=320:180,setsar=1,format=yuv420p[a];' +
          '[1:v]scale=320:180:force_original_aspect_ratio=decrease,pad=320:180:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p[b];' +
          '[a][b]xfade=transition=fade:duration=0.5:offset=0.5[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    checks: [
      frameCount(36),
      duration(1.5),
      sameColour({ time: 0 }, 'slides/wide.jpg'),
      colour(BLACK, { time: 1.2, region: '80:180:0:0' }),
      sameColour({ time: 1.2, region: '90:160:115:10' }, 'slides/tall.png', { region: '90:160:5:9' }),
    ],
  },
  {
    title: 'makes a slideshow with music from pictures of different aspect ratios',
    source: 'ffmpeg wiki, "Slideshow": pictures of different durations',
    request: {
      inputs: [{ input: 'slides/wide.jpg', duration: '0.5' }, { input: 'slides/tall.png', duration: '1' }, 'voice.wav'],
      output: 'slides/show.mp4',
      parameters: { ...QUICK, framerate: '24', 'c:a': 'aac' },
    },
    checks: [
      streams(
        { codec_name: 'h264', width: 320, height: 180, pix_fmt: 'yuv420p', avg_frame_rate: '24/1' },
        { codec_name: 'aac' },
      ),
      frameCount(36),
      duration(1.5, 0.05),
      sameColour({ time: 0.25 }, 'slides/wide.jpg', {}),
      colour(BLACK, { time: 1, region: '80:180:0:0' }),
      sameColour({ time: 1, region: '90:160:115:10' }, 'slides/tall.png', { region: '90:160:5:9' }),
    ],
  },
  {
    title: 'makes a slideshow with a crossfade',
    source: 'question sites: "slideshow with crossfade"',
    request: {
      inputs: [
        { input: 'slides/wide.jpg', duration: '1' },
        { input: 'cover.jpg', duration: '1', crossfade: '0.5' },
      ],
      output: 'slides/crossing.mp4',
      parameters: { ...QUICK, framerate: '24', s: '160x90' },
    },
    checks: [
      streams({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 160, height: 90 }),
      frameCount(36),
      duration(1.5),
      sameColour({ time: 0.25 }, 'slides/wide.jpg', {}),
      sameColour({ time: 1.25, region: '80:80:40:5' }, 'cover.jpg', { region: '160:160:10:10' }),
    ],
  },
  {
    title: 'encodes VP9 with an alpha channel',
    source: 'ffmpeg wiki, "Encode/VP9": alpha channel',
    request: {
      input: 'logo.png',
      output: 'slides/alpha.webm',
      parameters: { 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p', vf: 'geq=r=255:g=0:b=0:a=128', 'auto-alt-ref': '0' },
    },
    // One picture is a film of one frame, which is enough for the check.
    warnings: ['SHORT_OUTPUT'],
    checks: [streams({ codec_name: 'vp9', tags: { alpha_mode: '1' } }), colour(RED)],
  },
  {
    title: 'encodes ProRes with an alpha channel',
    source: 'question sites: "prores 4444 with alpha"',
    request: {
      input: 'logo.png',
      output: 'slides/alpha.mov',
      parameters: { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le', 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'prores', codec_tag_string: 'ap4h', pix_fmt: expect.stringMatching(/^yuva444p1[02]le$/) }),
      colour(RED),
      duration(FRAME),
    ],
  },
];
