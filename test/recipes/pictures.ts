import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { describeFile, FRAME, format, lasts, streams } from './checks/container.ts';
import { outputs } from './checks/outputs.ts';
import { frames } from './checks/packets.ts';
import { BLACK, colour, frameHashes, looksLike, RED, sameColour, sameFrames } from './checks/picture.ts';
import type { Recipe } from './recipe.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' } as const;

/** Stills and moving pictures: out of film, into film, and among themselves. */
export const PICTURES: readonly Recipe[] = [
  {
    title: 'a GIF with a palette of its own',
    source: 'question sites: "high quality GIF", palettegen and paletteuse',
    request: {
      input: 'small.mp4',
      output: 'pictures/palette.gif',
      parameters: {
        vf: 'fps=10,scale=160:-1:flags=lanczos,split[s0][s1];[s0]palettegen[p];[s1][p]paletteuse',
        loop: '0',
      },
    },
    checks: [
      streams({ codec_name: 'gif', width: 160, height: 90, avg_frame_rate: '10/1' }),
      frames(20),
      lasts(2),
      // The application block that says how often: for ever.
      async ({ file }) => expect((await readFile(file)).includes('NETSCAPE2.0\u0003\u0001\u0000\u0000')).toBe(true),
      looksLike('small.mp4', { source: 'fps=10,scale=160:90', least: 0.85 }),
    ],
  },
  {
    title: 'a GIF into a film that every player shows',
    source: 'question sites: "convert gif to mp4"',
    request: {
      input: 'tiny.gif',
      output: 'pictures/from-gif.mp4',
      parameters: { movflags: '+faststart', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2', ...QUICK },
    },
    checks: [streams({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 160 }), frames(12), lasts(1, 0.05)],
  },
  {
    title: 'a moving WebP',
    source: 'question sites: "video to animated webp"',
    request: {
      input: 'small.mp4',
      output: 'pictures/moving.webp',
      parameters: { 'c:v': 'libwebp', vf: 'fps=10,scale=160:-1', 'q:v': '60', loop: '0', an: '' },
    },
    checks: [
      async ({ file }) => {
        const bytes = await readFile(file);
        const text = bytes.toString('latin1');
        expect(text).toMatch(/^RIFF[\s\S]{4}WEBPVP8X/);
        // After the background colour, how often: for ever.
        expect(bytes.readUInt16LE(text.indexOf('ANIM') + 12)).toBe(0);
        expect(text.match(/ANMF/g)).toHaveLength(20);
      },
    ],
  },
  {
    title: 'a moving PNG',
    source: 'ffmpeg documentation, muxer apng',
    request: {
      input: 'small.mp4',
      output: 'pictures/moving.apng',
      parameters: { vf: 'fps=5,scale=96:-1', plays: '0' },
    },
    checks: [format('apng'), streams({ codec_name: 'apng', width: 96, height: 54 }), frames(10)],
  },
  {
    title: 'the picture at a time',
    source: 'question sites: "extract a frame at a specific time"',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { ss: '00:00:01' } }],
      output: 'pictures/at-one.jpg',
      parameters: { 'frames:v': '1', 'q:v': '2' },
    },
    checks: [
      streams({ codec_name: 'mjpeg', width: 320 }),
      looksLike('small.mp4', { source: 'trim=start_frame=24:end_frame=25', least: 0.97 }),
    ],
  },
  {
    title: 'a picture every half second',
    source: 'ffmpeg wiki, "Create a thumbnail image every X seconds of the video"',
    request: {
      input: 'small.mp4',
      output: 'pictures/every/%03d.jpg',
      parameters: { vf: 'fps=2,scale=160:-1', 'q:v': '3' },
    },
    checks: [
      outputs(...['001', '002', '003', '004'].map((n) => `pictures/every/${n}.jpg`)),
      async ({ at }) =>
        expect((await describeFile(at('pictures/every/004.jpg'))).streams).toMatchObject([{ width: 160, height: 90 }]),
    ],
  },
  {
    title: 'a contact sheet',
    source: 'ffmpeg documentation, filter tile',
    request: {
      input: 'small.mp4',
      output: 'pictures/sheet.png',
      parameters: { vf: "select='not(mod(n,12))',scale=80:-1,tile=2x2", 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'png', width: 160, height: 90 }),
      sameColour({ region: '80:45:0:0' }, 'small.mp4', { time: 0 }),
      sameColour({ region: '80:45:80:45' }, 'small.mp4', { time: 1.5 }),
    ],
  },
  {
    title: 'where the scene changes',
    source: 'question sites: "extract frames at scene changes"',
    request: {
      input: 'scenes.mp4',
      output: 'pictures/scene.png',
      parameters: { vf: "select='gt(scene,0.3)'", 'frames:v': '1', fps_mode: 'vfr' },
    },
    checks: [sameFrames('scenes.mp4', 'trim=start_frame=24:end_frame=25,format=rgb24')],
  },
  {
    title: 'only the key frames',
    source: 'question sites: "extract only i-frames"',
    request: {
      input: 'small.mp4',
      output: 'pictures/keys/k%d.png',
      parameters: { vf: "select='eq(pict_type,I)'", vsync: 'vfr' },
    },
    checks: [
      outputs(...[1, 2, 3, 4].map((n) => `pictures/keys/k${n}.png`)),
      async ({ at }) =>
        expect(await frameHashes(at('pictures/keys/k3.png'))).toEqual(
          await frameHashes(at('small.mp4'), 'trim=start_frame=24:end_frame=25,format=rgb24'),
        ),
    ],
  },
  {
    title: 'the picture that stands for the film',
    source: 'ffmpeg documentation, filter thumbnail',
    request: {
      input: 'small.mp4',
      output: 'pictures/best.webp',
      parameters: { vf: 'thumbnail=24,scale=160:-1', 'frames:v': '1' },
    },
    checks: [streams({ codec_name: 'webp', width: 160, height: 90 }), sameColour({}, 'small.mp4', { time: 0.5 }, 25)],
  },
  {
    title: 'every frame, from a number on',
    source: 'question sites: "video to image sequence"',
    request: {
      input: 'small.mp4',
      output: 'pictures/all/f%04d.png',
      parameters: { start_number: '100', 'frames:v': '3' },
    },
    checks: [
      outputs(...['0100', '0101', '0102'].map((n) => `pictures/all/f${n}.png`)),
      async ({ at }) =>
        expect(await frameHashes(at('pictures/all/f0102.png'))).toEqual(
          await frameHashes(at('small.mp4'), 'trim=start_frame=2:end_frame=3,format=rgb24'),
        ),
    ],
  },
  {
    title: 'a film of numbered pictures',
    source: 'ffmpeg wiki, "Slideshow": image sequence',
    request: {
      input: 'frames/img%03d.png',
      output: 'pictures/sequence.mp4',
      parameters: { framerate: '5', r: '30', crf: '20', ...QUICK },
    },
    checks: [streams({ codec_name: 'h264', avg_frame_rate: '30/1', width: 320 }), lasts(2), frames(60)],
  },
  {
    title: 'one picture under a song',
    source: 'ffmpeg wiki, "Encode/YouTube": still image and audio',
    request: {
      inputs: [{ input: 'cover.jpg', parameters: { loop: '1', framerate: '10' } }, 'voice.wav'],
      output: 'pictures/still.mp4',
      parameters: { ...QUICK, tune: 'stillimage', 'c:a': 'aac', 'b:a': '96k', shortest: '' },
    },
    checks: [
      streams({ codec_name: 'h264', width: 180, height: 180, avg_frame_rate: '10/1' }, { codec_name: 'aac' }),
      lasts(3, 0.6),
      looksLike('cover.jpg', { result: 'trim=end_frame=1' }),
    ],
  },
  {
    title: 'a slow walk into a picture',
    source: 'question sites: "Ken Burns effect", zoompan',
    request: {
      input: 'slides/wide.jpg',
      output: 'pictures/zoom.mp4',
      parameters: {
        vf: "zoompan=z='min(zoom+0.05,2)':x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':d=24:s=320x180:fps=24",
        ...QUICK,
      },
    },
    checks: [
      frames(24),
      lasts(1),
      sameColour({ time: 0 }, 'slides/wide.jpg'),
      sameColour({ time: 0.95 }, 'slides/wide.jpg', { region: '160:90:80:45' }),
    ],
  },
  {
    title: 'one picture into the next, by a graph of one’s own',
    source: 'question sites: "slideshow with crossfade", xfade',
    request: {
      inputs: [
        { input: 'slides/wide.jpg', parameters: { loop: '1', t: '1', framerate: '24' } },
        { input: 'slides/tall.png', parameters: { loop: '1', t: '1', framerate: '24' } },
      ],
      output: 'pictures/slides.mp4',
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
      frames(36),
      lasts(1.5),
      sameColour({ time: 0 }, 'slides/wide.jpg'),
      colour(BLACK, { time: 1.2, region: '80:180:0:0' }),
      sameColour({ time: 1.2, region: '90:160:115:10' }, 'slides/tall.png', { region: '90:160:5:9' }),
    ],
  },
  {
    title: 'a slideshow with music, the pictures of different shapes',
    source: 'ffmpeg wiki, "Slideshow": pictures of different durations',
    request: {
      inputs: [{ input: 'slides/wide.jpg', duration: '0.5' }, { input: 'slides/tall.png', duration: '1' }, 'voice.wav'],
      output: 'pictures/show.mp4',
      parameters: { ...QUICK, framerate: '24', 'c:a': 'aac' },
    },
    checks: [
      streams({ codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '24/1' }, { codec_name: 'aac' }),
      frames(36),
      lasts(1.5, 0.05),
      sameColour({ time: 0.25 }, 'slides/wide.jpg'),
      colour(BLACK, { time: 1, region: '80:180:0:0' }),
      sameColour({ time: 1, region: '90:160:115:10' }, 'slides/tall.png', { region: '90:160:5:9' }),
    ],
  },
  {
    title: 'a slideshow in which one picture comes in across the other',
    source: 'question sites: "slideshow with crossfade"',
    request: {
      inputs: [
        { input: 'slides/wide.jpg', duration: '1' },
        { input: 'cover.jpg', duration: '1', crossfade: '0.5' },
      ],
      output: 'pictures/crossing.mp4',
      parameters: { ...QUICK, framerate: '24', s: '160x90' },
    },
    checks: [
      streams({ codec_name: 'h264', width: 160, height: 90 }),
      frames(36),
      lasts(1.5),
      sameColour({ time: 0.25 }, 'slides/wide.jpg'),
      sameColour({ time: 1.25, region: '80:80:40:5' }, 'cover.jpg', { region: '160:160:10:10' }),
    ],
  },
  {
    title: 'PNG to JPEG',
    source: 'question sites: "convert png to jpg with ffmpeg"',
    request: {
      input: 'frames/img001.png',
      output: 'pictures/frame.jpg',
      parameters: { 'qscale:v': '2', pix_fmt: 'yuvj420p' },
    },
    checks: [streams({ codec_name: 'mjpeg', pix_fmt: 'yuvj420p' }), looksLike('frames/img001.png', { least: 0.97 })],
  },
  {
    title: 'a film with parts one sees through, for the web',
    source: 'ffmpeg wiki, "Encode/VP9": alpha channel',
    request: {
      input: 'logo.png',
      output: 'pictures/alpha.webm',
      parameters: { 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p', vf: 'geq=r=255:g=0:b=0:a=128', 'auto-alt-ref': '0' },
    },
    checks: [streams({ codec_name: 'vp9', tags: { alpha_mode: '1' } }), colour(RED)],
  },
  {
    title: 'a film with parts one sees through, for editing',
    source: 'question sites: "prores 4444 with alpha"',
    request: {
      input: 'logo.png',
      output: 'pictures/alpha.mov',
      parameters: { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le', 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'prores', codec_tag_string: 'ap4h', pix_fmt: expect.stringMatching(/^yuva444p1[02]le$/) }),
      colour(RED),
      lasts(FRAME),
    ],
  },
];
