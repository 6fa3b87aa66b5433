import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { UNKNOWN_FAMILY } from '../support/unknown-font.ts';
import {
  bitRate,
  chapters,
  describeFile,
  describeResult,
  duration,
  format,
  streams,
  tags,
} from './checks/container.ts';
import { ffmpeg } from './checks/ffmpeg.ts';
import { outputs, streamsOf } from './checks/outputs.ts';
import { frameCount, samePackets } from './checks/packets.ts';
import { BLACK, colour, colourAt, looksLike, looksUnlike, meanMotion, RED, sameColour } from './checks/picture.ts';
import { sizeBetween } from './checks/size.ts';
import {
  levelBetween,
  levelChange,
  levelChangeBelow,
  levelChangeBetween,
  loudness,
  silentSpans,
  truePeakBelow,
} from './checks/sound.ts';
import { containsText, lines, readResultText } from './checks/text.ts';
import type { Check, CommonRequest } from './common-request.ts';

const QUICK = { preset: 'ultrafast' } as const;
/** What a probe of the small clips tells. */
const SMALL = { duration: 2, width: 320, height: 180, fps: 24, bitrate: 800_000, sounds: 1 } as const;

const h264 = (width: number, height: number) => ({ codec_name: 'h264', pix_fmt: 'yuv420p', width, height });
const aac = { codec_name: 'aac', channels: 2 };

/** An MP4 whose index comes before its media, so that it plays while it loads. */
const startsFast: Check = async ({ file }) => {
  const bytes = await readFile(file);
  const index = bytes.indexOf('moov');
  expect(index).toBeGreaterThan(0);
  expect(index).toBeLessThan(bytes.indexOf('mdat'));
};

const decodesWithoutErrors: Check = ({ file }) =>
  ffmpeg(['-xerror', '-err_detect', 'explode', '-i', file, '-f', 'null', '-']);

const input = (name: string, output: string): Pick<CommonRequest['request'], 'input' | 'output'> => ({
  input: name,
  output: `recipes/${output}`,
});

const source = 'the catalogue of recipes';

/** Every built-in recipe, as a client uses it. */
export const RECIPES: readonly CommonRequest[] = [
  {
    title: 'join shows clips one after the other, also upright and mute ones',
    source,
    request: {
      inputs: ['small.mp4', 'sideways.mp4', 'noisy.mp4'],
      output: 'recipes/joined.mp4',
      preset: { name: 'join' },
      parameters: QUICK,
    },
    checks: [streams(h264(320, 180), aac), duration(6, 0.1), startsFast],
  },
  {
    title: 'join-without-encoding keeps the packets of parts',
    source,
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'recipes/parts.mp4',
      preset: { name: 'join-without-encoding' },
    },
    checks: [streams(h264(320, 180), aac), duration(4, 0.1), frameCount(96)],
  },
  {
    title: 'join-sounds plays sounds of other formats one after the other',
    source,
    request: {
      inputs: ['voice.wav', 'stereo.wav'],
      output: 'recipes/sounds.mp3',
      preset: { name: 'join-sounds' },
    },
    checks: [streams({ codec_name: 'mp3', channels: 2, sample_rate: '48000' }), duration(6, 0.1)],
  },
  {
    title: 'add-silent-sound gives a mute video a sound track of its length',
    source,
    request: { ...input('noisy.mp4', 'silent.mp4'), preset: { name: 'add-silent-sound' } },
    facts: { ...SMALL, sounds: 0 },
    checks: [
      streams(h264(320, 180), { codec_name: 'aac', channels: 2, sample_rate: '48000' }),
      duration(2, 0.1),
      samePackets('noisy.mp4', 'v'),
    ],
  },
  {
    title: 'web-h264 makes a small MP4 that starts fast',
    source,
    request: {
      ...input('small.mp4', 'h264.mp4'),
      preset: { name: 'web-h264', arguments: { height: 90 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(160, 90), aac),
      duration(2, 0.1),
      startsFast,
      looksLike('small.mp4', { source: 'scale=160:90' }),
    ],
  },
  {
    title: 'web-hevc makes an MP4 that Apple devices play',
    source,
    request: { ...input('small.mp4', 'hevc.mp4'), preset: { name: 'web-hevc' }, parameters: QUICK },
    checks: [
      streams({ codec_name: 'hevc', codec_tag_string: 'hvc1', width: 320, height: 180 }, aac),
      duration(2, 0.1),
      looksLike('small.mp4'),
    ],
  },
  {
    title: 'web-av1 makes a WebM with Opus',
    source,
    request: {
      ...input('small.mp4', 'av1.webm'),
      preset: { name: 'web-av1', arguments: { height: 90 } },
      parameters: { preset: '12' },
    },
    checks: [format('webm'), streams({ codec_name: 'av1', height: 90 }, { codec_name: 'opus' }), duration(2, 0.1)],
  },
  {
    title: 'web-vp9 makes a WebM',
    source,
    request: {
      ...input('small.mp4', 'vp9.webm'),
      preset: { name: 'web-vp9', arguments: { quality: 'small', height: 90 } },
      parameters: { deadline: 'realtime', 'cpu-used': '8' },
    },
    checks: [format('webm'), streams({ codec_name: 'vp9', height: 90 }, { codec_name: 'opus' }), duration(2, 0.1)],
  },
  {
    title: 'looks-the-same makes a file that looks like the source',
    source,
    request: {
      ...input('small.mp4', 'same.mp4'),
      preset: { name: 'looks-the-same', arguments: { target: 0.95 } },
      parameters: QUICK,
    },
    checks: [streams(h264(320, 180), aac), duration(2, 0.1), startsFast, looksLike('small.mp4')],
  },
  {
    title: 'target-size stays below the size, and uses most of it',
    source,
    request: {
      ...input('small.mp4', 'fits.mp4'),
      preset: { name: 'target-size', arguments: { size: 0.1 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [streams({ codec_name: 'h264' }, aac), duration(2, 0.1), sizeBetween(80_000, 100_000)],
  },
  {
    title: 'fast-start changes nothing but the order',
    source,
    request: { ...input('small.mp4', 'started.mp4'), preset: { name: 'fast-start' } },
    checks: [startsFast, samePackets('small.mp4', 'v')],
  },
  {
    title: 'change-container copies all pictures and sounds, and keeps subtitles',
    source,
    request: { ...input('multi.mkv', 'copied.mp4'), preset: { name: 'change-container' } },
    checks: [
      format('mp4'),
      streams(
        ...[{ codec_name: 'h264' }, { codec_name: 'aac' }, { codec_name: 'opus' }],
        ...[{ codec_name: 'mov_text' }, { codec_name: 'mov_text' }, { codec_type: 'data' }],
      ),
    ],
    facts: { ...SMALL, subtitles: 2, textTracks: '0:3\n0:4' },
  },
  {
    title: 'repair makes a whole film of a damaged one',
    source,
    request: { ...input('damaged.mp4', 'repaired.mp4'), preset: { name: 'repair' }, parameters: QUICK },
    checks: [streams(h264(320, 180), aac), duration(2, 0.1), decodesWithoutErrors, startsFast],
    warnings: ['DECODE_ERRORS'],
  },
  {
    title: 'resize scales up too',
    source,
    request: {
      ...input('small.mp4', 'sized.mp4'),
      preset: { name: 'resize', arguments: { height: 240 } },
      parameters: QUICK,
    },
    checks: [streams(h264(426, 240), aac), looksLike('small.mp4', { result: 'scale=320:180' })],
  },
  {
    title: 'compress makes a file smaller',
    source,
    request: {
      ...input('movie.mp4', 'squeezed.mp4'),
      preset: { name: 'compress', arguments: { strength: 'strong', height: 240 } },
      parameters: QUICK,
    },
    checks: [
      streams({ codec_name: 'h264', height: 240 }, aac),
      async ({ file, at }) =>
        expect((await readFile(file)).length).toBeLessThan((await readFile(at('movie.mp4'))).length / 2),
    ],
  },
  {
    title: 'hls makes three versions with a master playlist',
    source,
    request: {
      ...input('small.mp4', 'hls/stream_%v.m3u8'),
      preset: { name: 'hls', arguments: { segment: 1 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      async (result) => {
        const master = await readResultText(result, 'recipes/hls/master.m3u8');
        expect(master).toMatch(/RESOLUTION=320x180[^\n]*\nstream_0.m3u8/);
        expect(master).toMatch(/RESOLUTION=21\dx120[^\n]*\nstream_1.m3u8/);
        expect(master).toMatch(/RESOLUTION=10\dx60[^\n]*\nstream_2.m3u8/);
        // The limits of the picture and the rate of the sound: no segment needs more.
        expect(Number(/BANDWIDTH=(\d+)[^\n]*RESOLUTION=320x180/.exec(master)?.[1])).toBeGreaterThan(209_000 + 128_000);
        const high = await readResultText(result, 'recipes/hls/stream_0.m3u8');
        expect(high).toMatch(/#EXT-X-MAP:URI="[^"]+\.mp4"/);
        expect(high.match(/#EXTINF:1\.0/g)).toHaveLength(2);
      },
      streamsOf('recipes/hls/stream_2.m3u8', { codec_name: 'h264', height: 60 }, { codec_name: 'aac' }),
    ],
  },
  {
    title: 'hls of a film without sound has none',
    source,
    request: {
      ...input('noisy.mp4', 'silent/stream_%v.m3u8'),
      preset: { name: 'hls', arguments: { segment: 1, top: 240 } },
      parameters: QUICK,
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [streamsOf('recipes/silent/stream_0.m3u8', { codec_name: 'h264', height: 180 })],
  },
  {
    title: 'ladder-per-title makes the versions that a film needs',
    source,
    request: {
      ...input('small.mp4', 'title/master.m3u8'),
      preset: { name: 'ladder-per-title', arguments: { segment: 1, target: 0.95, most: 3 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      async (result) => {
        const master = await readResultText(result, 'recipes/title/master.m3u8');
        const heights = [...master.matchAll(/AVERAGE-BANDWIDTH=\d+,RESOLUTION=\d+x(\d+)/g)].map(([, one]) =>
          Number(one),
        );
        expect(heights.length).toBeGreaterThan(1);
        expect(Math.max(...heights)).toBeLessThanOrEqual(180);
      },
      streamsOf('recipes/title/master_0.m3u8', { codec_name: 'h264' }),
    ],
  },
  {
    title: 'dash makes three versions with a manifest',
    source,
    request: {
      ...input('small.mp4', 'dash/manifest.mpd'),
      preset: { name: 'dash', arguments: { segment: 1 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      lines(
        /<MPD /,
        /width="320" height="180"/,
        /width="21\d" height="120"/,
        /width="10\d" height="60"/,
        /contentType="audio"/,
      ),
      async ({ at }) => expect((await describeFile(at('recipes/dash/manifest.mpd'))).streams).toHaveLength(4),
    ],
  },
  {
    title: 'web-package writes a film, a poster and the sound',
    source,
    request: {
      ...input('small.mp4', 'package/film.mp4'),
      preset: { name: 'web-package', arguments: { height: 90, at: 1 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      outputs('recipes/package/film.mp4', 'recipes/package/film-poster.jpg', 'recipes/package/film-sound.m4a'),
      streams(h264(160, 90), aac),
      startsFast,
      streamsOf('recipes/package/film-poster.jpg', { codec_name: 'mjpeg', width: 320, height: 180 }),
      streamsOf('recipes/package/film-sound.m4a', { codec_name: 'aac' }),
    ],
  },
  {
    title: 'web-package of a film without sound has no sound, and takes names',
    source,
    request: {
      input: 'noisy.mp4',
      outputs: [{ output: 'recipes/package/mute.mp4' }, { output: 'recipes/package/cover.jpeg' }],
      preset: { name: 'web-package' },
      parameters: QUICK,
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [outputs('recipes/package/mute.mp4', 'recipes/package/cover.jpeg'), streams(h264(320, 180))],
  },
  {
    title: 'mp4-ladder writes three sizes of one decoding',
    source,
    request: { ...input('small.mp4', 'ladder/film.mp4'), preset: { name: 'mp4-ladder' }, parameters: QUICK },
    facts: SMALL,
    checks: [
      outputs('recipes/ladder/film.mp4', 'recipes/ladder/film-medium.mp4', 'recipes/ladder/film-small.mp4'),
      streams(h264(320, 180), aac),
      streamsOf('recipes/ladder/film-medium.mp4', { codec_name: 'h264', height: 120 }, { codec_name: 'aac' }),
      streamsOf('recipes/ladder/film-small.mp4', { codec_name: 'h264', height: 60 }, { codec_name: 'aac' }),
    ],
  },
  {
    title: 'separate-tracks copies picture and sound into files of their own',
    source,
    request: { ...input('small.mp4', 'apart/film.mp4'), preset: { name: 'separate-tracks' } },
    facts: SMALL,
    checks: [
      outputs('recipes/apart/film.mp4', 'recipes/apart/film-sound.mka'),
      samePackets('small.mp4', 'v'),
      streamsOf('recipes/apart/film-sound.mka', { codec_name: 'aac' }),
    ],
  },
  {
    title: 'vertical shows all of a film on its blurred self',
    source,
    request: {
      ...input('small.mp4', 'upright.mp4'),
      preset: { name: 'vertical', arguments: { height: 320 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(180, 320), aac),
      looksLike('small.mp4', { result: 'crop=180:100:0:110', source: 'scale=180:100' }),
      looksUnlike('small.mp4', { result: 'crop=180:100:0:0', source: 'scale=180:100' }),
    ],
  },
  {
    title: 'vertical makes a square too',
    source,
    request: {
      ...input('small.mp4', 'feed.mp4'),
      preset: { name: 'vertical', arguments: { aspect: '1:1', height: 180 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(180, 180), aac),
      looksLike('small.mp4', { result: 'crop=180:100:0:40', source: 'scale=180:100' }),
    ],
  },
  {
    title: 'letterbox puts a colour around a film',
    source,
    request: {
      ...input('small.mp4', 'framed.mp4'),
      preset: { name: 'letterbox', arguments: { width: 320, height: 240, colour: '#ff0000' } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(320, 240), aac),
      colour(RED, { region: '320:24:0:0' }, 20),
      looksLike('small.mp4', { result: 'crop=320:180:0:30' }),
    ],
  },
  {
    title: 'crop-to-aspect keeps the middle',
    source,
    request: { ...input('small.mp4', 'square.mp4'), preset: { name: 'crop-to-aspect' }, parameters: QUICK },
    checks: [streams(h264(180, 180), aac), looksLike('small.mp4', { source: 'crop=180:180' })],
  },
  {
    title: 'crop keeps a region',
    source,
    request: {
      ...input('small.mp4', 'region.mp4'),
      preset: { name: 'crop', arguments: { width: 101, height: 80, x: 20, y: 10 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(100, 80), aac),
      looksLike('small.mp4', { result: 'scale=100:80', source: 'crop=101:80:20:10,scale=100:80' }),
    ],
  },
  {
    title: 'crop-to-content cuts the bars off, also of 10 bits',
    source,
    request: { ...input('barred.mp4', 'unbarred.mp4'), preset: { name: 'crop-to-content' }, parameters: QUICK },
    checks: [streams(h264(320, 180)), looksLike('small.mp4', { threshold: 0.9 })],
  },
  {
    title: 'rotate turns a film to the left',
    source,
    request: {
      ...input('small.mp4', 'turned.mp4'),
      preset: { name: 'rotate', arguments: { by: 'left' } },
      parameters: QUICK,
    },
    checks: [streams(h264(180, 320), aac), looksLike('small.mp4', { result: 'transpose=clock' })],
  },
  {
    title: 'trim keeps the part between two times',
    source,
    request: {
      ...input('small.mp4', 'part.mp4'),
      preset: { name: 'trim', arguments: { start: 0.5, end: '0:01.5' } },
      parameters: QUICK,
    },
    checks: [duration(1, 0.06), frameCount(24), looksLike('small.mp4', { source: 'trim=0.5:1.5,setpts=PTS-STARTPTS' })],
  },
  {
    title: 'cut-without-encoding begins at a key frame',
    source,
    request: {
      ...input('small.mp4', 'copied-part.mp4'),
      preset: { name: 'cut-without-encoding', arguments: { start: 1 } },
    },
    checks: [duration(1, 0.1), streams(h264(320, 180), { codec_name: 'aac' })],
  },
  {
    title: 'speed halves the time and keeps the pitch',
    source,
    request: { ...input('small.mp4', 'twice.mp4'), preset: { name: 'speed' }, parameters: QUICK },
    facts: { frameRate: '24' },
    checks: [frameCount(24), duration(1, 0.1), streams(h264(320, 180), aac)],
  },
  {
    title: 'speed goes down to a quarter',
    source,
    request: {
      ...input('small.mp4', 'quarter.mp4'),
      preset: { name: 'speed', arguments: { factor: 0.25 } },
      parameters: QUICK,
    },
    facts: { frameRate: '24' },
    checks: [duration(8, 0.3), streams(h264(320, 180), aac)],
  },
  {
    title: 'reverse ends with the first frame',
    source,
    request: { ...input('small.mp4', 'backwards.mp4'), preset: { name: 'reverse' }, parameters: QUICK },
    checks: [frameCount(48), looksLike('small.mp4', { result: 'reverse' })],
  },
  {
    title: 'loop plays a film three times',
    source,
    request: { ...input('small.mp4', 'thrice.mp4'), preset: { name: 'loop', arguments: { times: 3 } } },
    checks: [duration(6, 0.2), streams(h264(320, 180), { codec_name: 'aac' })],
  },
  {
    title: 'fade begins and ends in black',
    source,
    request: {
      ...input('small.mp4', 'faded.mp4'),
      preset: { name: 'fade', arguments: { seconds: 0.5 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      colour(BLACK, { time: 0 }, 20),
      sameColour({ time: 1 }, 'small.mp4', { time: 1 }),
      colour(BLACK, { time: 1.95 }, 30),
      levelBetween(-90, -25, 'atrim=0:0.03'),
    ],
  },
  {
    title: 'frame-rate gives a film ten frames a second',
    source,
    request: {
      ...input('small.mp4', 'ten.mp4'),
      preset: { name: 'frame-rate', arguments: { fps: 10 } },
      parameters: QUICK,
    },
    checks: [frameCount(20), duration(2, 0.1)],
  },
  {
    title: 'split makes parts of a second',
    source,
    request: { ...input('small.mp4', 'parts/p%02d.mp4'), preset: { name: 'split', arguments: { length: 1 } } },
    checks: [outputs('recipes/parts/p00.mp4', 'recipes/parts/p01.mp4')],
  },
  {
    title: 'split-chapters writes each chapter without encoding, from its first key frame',
    source,
    request: { ...input('multi.mkv', 'chapters/c%02d.mp4'), preset: { name: 'split-chapters' } },
    checks: [
      outputs('recipes/chapters/c01.mp4', 'recipes/chapters/c02.mp4'),
      streams(h264(320, 180), aac, { codec_name: 'opus' }, { codec_name: 'mov_text' }, { codec_name: 'mov_text' }),
      duration(1, 0.1),
    ],
    facts: { ...SMALL, chapters: '0.75', subtitles: 2, textTracks: '0:3\n0:4' },
  },
  {
    title: 'split-chapters begins each chapter exactly where it begins',
    source,
    request: {
      ...input('multi.mkv', 'exact/c%02d.mp4'),
      preset: { name: 'split-chapters', arguments: { exact: true } },
    },
    checks: [
      outputs('recipes/exact/c01.mp4', 'recipes/exact/c02.mp4'),
      frameCount(18),
      async ({ at }) => expect(await colourAt(at('recipes/exact/c02.mp4'))).toHaveLength(3),
      streamsOf(
        'recipes/exact/c02.mp4',
        ...[h264(320, 180), aac, { codec_name: 'aac' }, { codec_name: 'mov_text' }, { codec_name: 'mov_text' }],
      ),
    ],
    facts: { ...SMALL, chapters: '0.75', subtitles: 2, textTracks: '0:3\n0:4' },
  },
  {
    title: 'split-chapters makes tracks of a book',
    source,
    request: { ...input('multi.mkv', 'tracks/t%02d.mp3'), preset: { name: 'split-chapters' } },
    checks: [
      outputs('recipes/tracks/t01.mp3', 'recipes/tracks/t02.mp3'),
      streams({ codec_name: 'mp3' }),
      duration(0.75, 0.06),
    ],
    facts: { ...SMALL, chapters: '0.75' },
  },
  {
    title: 'teaser fades two scenes into each other',
    source,
    request: {
      ...input('scenes.mp4', 'teaser.mp4'),
      preset: { name: 'teaser', arguments: { scenes: 2, seconds: 1, crossfade: 0.25 } },
      parameters: QUICK,
    },
    checks: [streams(h264(320, 180)), duration(1.75, 0.1), sameColour({ time: 1.6 }, 'scenes.mp4', { time: 1.85 }, 8)],
  },
  {
    title: 'gif repeats for ever and looks well',
    source,
    request: {
      ...input('small.mp4', 'short.gif'),
      preset: { name: 'gif', arguments: { width: 160, fps: 10, start: 0.5, length: 1 } },
    },
    checks: [
      streams({ codec_name: 'gif', width: 160, height: 90 }),
      frameCount(10),
      async ({ file }) => expect((await readFile(file)).includes('NETSCAPE2.0\u0003\u0001\u0000\u0000')).toBe(true),
      looksLike('small.mp4', { source: 'trim=0.5:1.5,setpts=PTS-STARTPTS,fps=10,scale=160:90', threshold: 0.85 }),
    ],
    facts: SMALL,
  },
  {
    title: 'gif with a size is as wide as fits',
    source,
    request: {
      ...input('small.mp4', 'budget.gif'),
      preset: { name: 'gif', arguments: { fps: 10, length: 2, size: 0.2 } },
    },
    facts: SMALL,
    checks: [streams({ codec_name: 'gif', width: 159 }), sizeBetween(80_000, 200_000), duration(2, 0.1)],
  },
  {
    title: 'animated-webp moves',
    source,
    request: {
      ...input('small.mp4', 'short.webp'),
      preset: { name: 'animated-webp', arguments: { width: 160, length: 1 } },
    },
    checks: [
      async ({ file }) => {
        const bytes = await readFile(file);
        expect(bytes.subarray(8, 12).toString()).toBe('WEBP');
        expect(bytes.toString('latin1').match(/ANMF/g)).toHaveLength(12);
      },
    ],
  },
  {
    title: 'animated-avif moves',
    source,
    request: {
      ...input('small.mp4', 'short.avif'),
      preset: { name: 'animated-avif', arguments: { width: 64, fps: 5, length: 1 } },
    },
    checks: [
      // Since release 7, ffmpeg reads the still picture of the file too, as the stream before the animation.
      async (result) =>
        expect((await describeResult(result)).streams.at(-1)).toMatchObject({
          codec_name: 'av1',
          width: 64,
          height: 36,
          nb_frames: '5',
        }),
      async ({ file }) => expect((await readFile(file)).subarray(8, 12).toString()).toBe('avis'),
    ],
  },
  {
    title: 'poster takes the frame at a time',
    source,
    request: { ...input('small.mp4', 'poster.jpg'), preset: { name: 'poster', arguments: { at: 1, width: 160 } } },
    checks: [
      streams({ codec_name: 'mjpeg', width: 160, height: 90 }),
      sameColour({ time: 0 }, 'small.mp4', { time: 1 }),
    ],
  },
  {
    title: 'poster takes the frame of the middle, of a height',
    source,
    request: {
      ...input('scenes.mp4', 'middle.png'),
      preset: { name: 'poster', arguments: { at: 'middle', height: 91 } },
    },
    facts: SMALL,
    checks: [
      streams({ codec_name: 'png', width: 162, height: 91 }),
      sameColour({ time: 0 }, 'scenes.mp4', { time: 1 }),
    ],
  },
  {
    title: 'poster finds a frame without a time',
    source,
    request: { ...input('small.mp4', 'typical.png'), preset: { name: 'poster', arguments: { width: 160 } } },
    checks: [streams({ codec_name: 'png', width: 160, height: 90 })],
  },
  {
    title: 'contact-sheet has pictures from beginning to end',
    source,
    request: {
      ...input('scenes.mp4', 'sheet.jpg'),
      preset: { name: 'contact-sheet', arguments: { columns: 2, rows: 2, width: 160 } },
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [
      streams({ codec_name: 'mjpeg', width: 332, height: 192 }),
      sameColour({ time: 0, region: '160:90:4:4' }, 'small.mp4', { time: 0 }),
      sameColour({ time: 0, region: '160:90:168:98' }, 'other.mp4', { time: 0.5 }),
    ],
  },
  {
    title: 'contact-sheet writes the time of each picture into it',
    source,
    request: {
      ...input('scenes.mp4', 'times.png'),
      preset: { name: 'contact-sheet', arguments: { columns: 2, rows: 2, width: 160, times: true } },
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [
      streams({ codec_name: 'png', width: 332, height: 192 }),
      looksLike('small.mp4', { result: 'crop=160:60:4:4', source: 'scale=160:90,crop=160:60:0:0', threshold: 0.85 }),
      looksUnlike('small.mp4', {
        ...{ result: 'crop=60:16:4:76', source: 'scale=160:90,crop=60:16:0:72' },
        threshold: 0.85,
      }),
    ],
  },
  {
    title: 'sprite-sheet has a picture for each time that its track names',
    source,
    request: {
      ...input('scenes.mp4', 'sprites/seek.jpg'),
      preset: { name: 'sprite-sheet', arguments: { every: 0.9, columns: 2, width: 160 } },
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [
      outputs('recipes/sprites/seek.jpg', 'recipes/sprites/seek.vtt'),
      streams({ codec_name: 'mjpeg', width: 320, height: 180 }),
      async (result) => {
        const track = await readResultText(result, 'recipes/sprites/seek.vtt');
        expect(track).toMatch(/^WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nseek.jpg#xywh=0,0,160,90\n/);
        // Muxers of ffmpeg 7 count the last frame of the source otherwise.
        expect(track).toMatch(/\n00:00:01.800 --> 00:00:0(?:2.000|1.958)\nseek.jpg#xywh=0,90,160,90\n$/);
      },
      sameColour({ time: 0, region: '160:90:0:0' }, 'small.mp4', { time: 0.4 }),
      sameColour({ time: 0, region: '160:90:0:90' }, 'other.mp4', { time: 0.95 }),
    ],
  },
  {
    title: 'sprite-sheet of a film that is shorter than the time between two pictures has one, as players show it',
    source,
    request: { ...input('oblong.mp4', 'sprites/short.jpg'), preset: { name: 'sprite-sheet' } },
    facts: { ...SMALL, sounds: 0 },
    checks: [
      streams({ codec_name: 'mjpeg', width: 160, height: 120, sample_aspect_ratio: '1:1' }),
      sameColour({ time: 0 }, 'small.mp4', { time: 1.9 }),
    ],
  },
  {
    title: 'frames writes a picture twice a second',
    source,
    request: { ...input('small.mp4', 'stills/f%02d.jpg'), preset: { name: 'frames', arguments: { every: 0.5 } } },
    checks: [
      async ({ job }) => expect(job.outputs?.length).toBeGreaterThanOrEqual(4),
      streams({ codec_name: 'mjpeg', width: 320, height: 180 }),
    ],
  },
  {
    title: 'pictures-to-video plays numbered pictures',
    source,
    request: {
      ...input('frames/img%03d.png', 'lapse.mp4'),
      preset: { name: 'pictures-to-video', arguments: { fps: 5 } },
      parameters: QUICK,
    },
    checks: [streams({ ...h264(320, 180), avg_frame_rate: '5/1' }), duration(2)],
  },
  {
    title: 'slideshow fades from picture to picture, with music',
    source,
    request: {
      inputs: ['slides/wide.jpg', 'slides/tall.png'],
      output: 'recipes/show.mp4',
      preset: { name: 'slideshow', arguments: { seconds: 1, fade: 0.5, music: 'voice.wav', size: '720p' } },
      parameters: { ...QUICK, s: '320x180' },
    },
    checks: [
      streams(h264(320, 180), { codec_name: 'aac' }),
      duration(2, 0.06),
      sameColour({ time: 0 }, 'slides/wide.jpg'),
    ],
    // The size of the recipe would take long.
    warnings: ['OVERRIDES_RECIPE'],
  },
  {
    title: 'slideshow goes on after its music has ended',
    source,
    request: {
      inputs: ['slides/wide.jpg', 'slides/tall.png'],
      output: 'recipes/show-short.mp4',
      preset: { name: 'slideshow', arguments: { seconds: 3, fade: 0, music: 'voice.wav', size: '720p' } },
      parameters: { ...QUICK, s: '320x180' },
    },
    checks: [duration(6, 0.06)],
    // The size of the recipe would take long.
    warnings: ['OVERRIDES_RECIPE'],
  },
  {
    title: 'slideshow ends with silence, also if the music would go on',
    source,
    request: {
      inputs: ['slides/wide.jpg', 'slides/tall.png'],
      output: 'recipes/show-end.mp4',
      preset: { name: 'slideshow', arguments: { seconds: 2, fade: 0, music: 'lena.flac', size: '720p' } },
      parameters: { ...QUICK, s: '320x180' },
    },
    checks: [duration(4, 0.06), levelChangeBelow(-15, 'lena.flac', 'atrim=3.8:4')],
    // The size of the recipe would take long.
    warnings: ['OVERRIDES_RECIPE'],
  },
  {
    title: 'picture-and-sound lasts as long as the sound',
    source,
    request: {
      inputs: ['cover.jpg', 'voice.wav'],
      output: 'recipes/still.mp4',
      preset: { name: 'picture-and-sound' },
      parameters: QUICK,
    },
    checks: [streams(h264(180, 180), { codec_name: 'aac' }), duration(3, 0.6)],
  },
  {
    title: 'resize-picture converts and scales',
    source,
    request: { ...input('cover.jpg', 'cover.png'), preset: { name: 'resize-picture', arguments: { width: 90 } } },
    checks: [streams({ codec_name: 'png', width: 90, height: 90 })],
  },
  {
    title: 'mp3 takes the sound of a film',
    source,
    request: { ...input('small.mp4', 'sound.mp3'), preset: { name: 'mp3' } },
    checks: [format('mp3'), streams({ codec_name: 'mp3', channels: 2 }), duration(2, 0.1), levelChange(0, 'small.mp4')],
  },
  {
    title: 'm4a takes the sound of a film',
    source,
    request: { ...input('small.mp4', 'sound.m4a'), preset: { name: 'm4a', arguments: { bitrate: '96' } } },
    checks: [streams(aac), duration(2, 0.1)],
  },
  {
    title: 'flac keeps every sample',
    source,
    request: { ...input('voice.wav', 'voice.flac'), preset: { name: 'flac' } },
    checks: [streams({ codec_name: 'flac' }), duration(3, 0.01), levelChange(0, 'voice.wav')],
  },
  {
    title: 'wav suits speech recognition',
    source,
    request: { ...input('small.mp4', 'speech.wav'), preset: { name: 'wav', arguments: { rate: 16000, mono: true } } },
    checks: [streams({ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }), duration(2, 0.1)],
  },
  {
    title: 'podcast is a mono MP3 of an even loudness',
    source,
    request: { ...input('movie.mp4', 'episode.mp3'), preset: { name: 'podcast' } },
    checks: [streams({ codec_name: 'mp3', channels: 1, sample_rate: '44100' }), bitRate(90, 105), loudness(-16, 0.5)],
  },
  {
    title: 'opus keeps the tags of a song',
    source,
    request: { ...input('song.mp3', 'song.opus'), preset: { name: 'opus' } },
    checks: [streams({ codec_name: 'opus' }), tags({ title: 'Lena' })],
  },
  {
    title: 'mp3 keeps the tags of a sound',
    source,
    request: { ...input('song.mp3', 'tagged.mp3'), preset: { name: 'mp3' } },
    checks: [tags({ title: 'Lena' })],
  },
  {
    title: 'mp3 keeps the tags of Ogg with an option',
    source,
    request: {
      ...input('tagged.ogg', 'from-ogg.mp3'),
      preset: { name: 'mp3' },
      parameters: { map_metadata: '0:s:a:0' },
    },
    checks: [tags({ title: 'Lena' })],
  },
  {
    title: 'sound-speed takes two thirds of the time',
    source,
    request: { ...input('voice.wav', 'faster.mp3'), preset: { name: 'sound-speed' } },
    checks: [streams({ codec_name: 'mp3' }), duration(2, 0.1)],
  },
  {
    title: 'sound-speed goes down to a quarter',
    source,
    request: { ...input('voice.wav', 'slower.flac'), preset: { name: 'sound-speed', arguments: { factor: 0.25 } } },
    checks: [streams({ codec_name: 'flac' }), duration(12, 0.1)],
  },
  {
    title: 'opus-voice is tiny',
    source,
    request: { ...input('voice.wav', 'message.opus'), preset: { name: 'opus-voice' } },
    checks: [streams({ codec_name: 'opus', channels: 1 }), duration(3, 0.05), sizeBetween(3000, 16_000)],
  },
  {
    title: 'loudness reaches the target',
    source,
    request: { ...input('lena.flac', 'even.wav'), preset: { name: 'loudness', arguments: { target: -23 } } },
    checks: [loudness(-23, 0.5), duration(12.27, 0.03)],
  },
  {
    title: 'loudness limits what would exceed the true peak',
    source,
    request: {
      ...input('uneven.wav', 'limited.wav'),
      preset: { name: 'loudness', arguments: { target: -16, truePeak: -6 } },
    },
    checks: [truePeakBelow(-5.8)],
  },
  {
    title: 'loudness without loss holds the true peak of surround',
    source,
    request: {
      ...input('surround.flac', 'limited.flac'),
      preset: { name: 'loudness', arguments: { target: -14, truePeak: -3 } },
    },
    checks: [truePeakBelow(-2.8)],
  },
  {
    title: 'video-loudness copies the picture',
    source,
    request: { ...input('movie.mp4', 'even.mp4'), preset: { name: 'video-loudness' } },
    checks: [streams({ codec_name: 'h264', width: 854 }, { codec_name: 'aac' }), duration(3, 0.2), loudness(-16, 0.5)],
  },
  {
    title: 'change-volume makes a film quieter',
    source,
    request: { ...input('small.mp4', 'quiet.mp4'), preset: { name: 'change-volume', arguments: { decibels: -12 } } },
    checks: [streams(h264(320, 180), aac), levelChange(-12, 'small.mp4')],
  },
  {
    title: 'remove-silence leaves no pause that is longer than asked for',
    source,
    request: { ...input('gaps.wav', 'dense.wav'), preset: { name: 'remove-silence', arguments: { pause: 0.16 } } },
    checks: [duration(2.1, 0.1), silentSpans()],
  },
  {
    title: 'video-remove-silence cuts a pause with its picture, but for what may stay',
    source,
    request: {
      ...input('paused.mp4', 'tight.mp4'),
      preset: { name: 'video-remove-silence', arguments: { pause: 0.2 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(320, 180), aac),
      // 0 to 0.6 s and 1.4 to 2 s of the film.
      duration(1.2, 0.1),
      silentSpans([0.5, 0.7]),
      sameColour({ time: 1 }, 'paused.mp4', { time: 1.8 }, 8),
    ],
  },
  {
    title: 'clean-voice keeps the voice',
    source,
    request: { ...input('voice.wav', 'clean.wav'), preset: { name: 'clean-voice' } },
    checks: [duration(3, 0.05), levelChangeBetween(-6, 1, 'voice.wav')],
  },
  {
    title: 'remove-audio leaves only the picture',
    source,
    request: { ...input('small.mp4', 'mute.mp4'), preset: { name: 'remove-audio' } },
    checks: [streams(h264(320, 180)), async (result) => expect((await describeResult(result)).streams).toHaveLength(1)],
  },
  {
    title: 'replace-audio takes the sound of the second input',
    source,
    request: {
      inputs: ['small.mp4', 'voice.wav'],
      output: 'recipes/dubbed.mp4',
      preset: { name: 'replace-audio' },
    },
    facts: SMALL,
    checks: [streams(h264(320, 180), { codec_name: 'aac', channels: 1 }), duration(2, 0.1)],
  },
  {
    title: 'background-music lasts as long as the film',
    source,
    request: {
      ...input('small.mp4', 'music.mp4'),
      preset: { name: 'background-music', arguments: { music: 'voice.wav', volume: 0.3 } },
    },
    facts: SMALL,
    checks: [streams(h264(320, 180), aac), duration(2, 0.1), levelChangeBetween(1, 30, 'small.mp4')],
  },
  {
    title: 'background-music begins where it should, after what is skipped, and fades in and out',
    source,
    request: {
      inputs: ['quiet.mp4', 'tone.wav'],
      output: 'recipes/placed-music.mp4',
      preset: {
        name: 'background-music',
        arguments: { volume: 1, start: 0.5, skip: 1, fadeIn: 0.4, fadeOut: 0.5 },
      },
    },
    facts: SMALL,
    checks: [
      streams(h264(320, 180), aac),
      duration(2, 0.1),
      silentSpans([0, 0.5]),
      // The tone has a level of its own in its first second, which is skipped.
      levelBetween(-19, -16, 'atrim=1:1.4'),
      levelBetween(-40, -23, 'atrim=0.5:0.7'),
      levelBetween(-40, -23, 'atrim=1.75:1.95'),
    ],
  },
  {
    title: 'replace-audio lets a voice begin later and fade in',
    source,
    request: {
      inputs: ['small.mp4', 'tone.wav'],
      output: 'recipes/later.mp4',
      preset: { name: 'replace-audio', arguments: { start: '0:00.5', fadeIn: 0.4, fadeOut: 0.5 } },
    },
    facts: SMALL,
    checks: [
      duration(2, 0.1),
      silentSpans([0, 0.5]),
      levelBetween(-70, -23, 'atrim=0.5:0.7'),
      levelBetween(-40, -23, 'atrim=1.75:1.95'),
    ],
  },
  {
    title: 'waveform draws the sound in a colour',
    source,
    request: {
      ...input('voice.wav', 'wave.png'),
      preset: { name: 'waveform', arguments: { width: 300, height: 60, colour: 'red' } },
    },
    checks: [
      streams({ codec_name: 'png', width: 300, height: 60 }),
      async ({ file }) => {
        const [red, green] = await colourAt(file, {});
        expect(red).toBeGreaterThan(green + 10);
      },
    ],
  },
  {
    title: 'audiogram lasts as long as the sound',
    source,
    request: {
      ...input('voice.wav', 'audiogram.mp4'),
      preset: { name: 'audiogram', arguments: { width: 320, height: 180 } },
      parameters: QUICK,
    },
    checks: [streams(h264(320, 180), { codec_name: 'aac' }), duration(3, 0.1)],
  },
  {
    title: 'add-cover puts a picture into a song',
    source,
    request: { inputs: ['song.mp3', 'cover.jpg'], output: 'recipes/covered.mp3', preset: { name: 'add-cover' } },
    checks: [
      streams({ codec_name: 'mp3' }, { codec_name: 'mjpeg', width: 180, disposition: { attached_pic: 1 } }),
      tags({ title: 'Lena' }),
    ],
  },
  {
    title: 'picture-in-picture shows the inset in its corner',
    source,
    request: {
      ...input('small.mp4', 'pip.mp4'),
      preset: { name: 'picture-in-picture', arguments: { inset: 'other.mp4', place: 'top-right', margin: 8 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      streams(h264(320, 180), aac),
      looksLike('small.mp4', { result: 'crop=200:180:0:0', source: 'crop=200:180:0:0' }),
      sameColour({ time: 1, region: '80:44:232:8' }, 'other.mp4', { time: 1 }),
    ],
  },
  {
    title: 'picture-in-picture mixes the sounds of both',
    source,
    request: {
      ...input('small.mp4', 'pip-both.mp4'),
      preset: { name: 'picture-in-picture', arguments: { inset: 'small.mp4', sound: 'both' } },
      parameters: QUICK,
    },
    facts: SMALL,
    // Twice the same sound is 6 dB louder.
    checks: [streams(h264(320, 180), aac), levelChangeBetween(4, 7, 'small.mp4')],
  },
  {
    title: 'picture-in-picture has the sound of the inset, if the large film has none',
    source,
    request: {
      ...input('noisy.mp4', 'pip-inset.mp4'),
      preset: { name: 'picture-in-picture', arguments: { inset: 'small.mp4', sound: 'both' } },
      parameters: QUICK,
    },
    facts: { ...SMALL, sounds: 0 },
    checks: [streams(h264(320, 180), aac), levelChangeBetween(-1, 1, 'small.mp4')],
  },
  {
    title: 'side-by-side shows both',
    source,
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'recipes/both.mp4',
      preset: { name: 'side-by-side', arguments: { height: 180 } },
      parameters: QUICK,
    },
    checks: [
      streams(h264(640, 180), aac),
      looksLike('small.mp4', { result: 'crop=320:180:0:0' }),
      looksLike('other.mp4', { result: 'crop=320:180:320:0' }),
    ],
  },
  {
    title: 'watermark puts a logo into a corner',
    source,
    request: {
      inputs: ['small.mp4', 'logo.png'],
      output: 'recipes/marked.mp4',
      preset: { name: 'watermark', arguments: { percent: 20, opacity: 1, margin: 10 } },
      parameters: QUICK,
    },
    facts: SMALL,
    checks: [
      streams(h264(320, 180), aac),
      colour(RED, { region: '58:30:249:137' }, 25),
      looksLike('small.mp4', { result: 'crop=320:120:0:0', source: 'crop=320:120:0:0' }),
    ],
  },
  {
    title: 'burn-subtitles draws the words in a colour and a size, in a box',
    source,
    request: {
      inputs: ['green.mp4', 'words.srt'],
      output: 'recipes/styled.mp4',
      preset: {
        name: 'burn-subtitles',
        arguments: { colour: 'yellow', outline: 'red', size: 20, box: true, quality: 'best' },
      },
      parameters: QUICK,
    },
    checks: [
      // Above the letters, the box; at the letters, yellow on red.
      colour(RED, { time: 0.5, region: '100:2:110:139' }, 40),
      async ({ file }) => {
        const [red, green, blue] = await colourAt(file, { time: 0.5, region: '200:20:60:146' });
        expect(red).toBeGreaterThan(200);
        expect(green).toBeGreaterThan(30);
        expect(green).toBeLessThan(200);
        expect(blue).toBeLessThan(40);
      },
    ],
  },
  {
    title: 'burn-subtitles draws the words in a font of the request',
    source,
    request: {
      inputs: ['green.mp4', 'words.srt'],
      output: 'recipes/burnt.mp4',
      preset: { name: 'burn-subtitles', arguments: { font: 'fonts/text.ttf', fontName: UNKNOWN_FAMILY } },
      parameters: QUICK,
    },
    checks: [
      async (result) =>
        expect((await describeResult(result)).streams.map((one) => one['codec_type'])).not.toContain('subtitle'),
      looksUnlike('green.mp4', {
        result: 'trim=start_frame=6:end_frame=20,crop=120:30:100:145',
        source: 'trim=start_frame=6:end_frame=20,crop=120:30:100:145',
      }),
    ],
  },
  {
    title: 'soft-subtitles adds a track',
    source,
    request: {
      inputs: ['small.mp4', 'words.srt'],
      output: 'recipes/tracks.mp4',
      preset: { name: 'soft-subtitles', arguments: { language: 'deu' } },
    },
    checks: [streams(h264(320, 180), { codec_name: 'aac' }, { codec_name: 'mov_text', tags: { language: 'deu' } })],
  },
  {
    title: 'extract-subtitles writes the second track',
    source,
    request: { ...input('multi.mkv', 'second.srt'), preset: { name: 'extract-subtitles', arguments: { track: 2 } } },
    checks: [containsText('00:00:0')],
  },
  {
    title: 'text-overlay writes any text',
    source,
    request: {
      ...input('green.mp4', 'titled.mp4'),
      preset: { name: 'text-overlay', arguments: { text: "It's 100%: [a], b; \\c", size: 20, box: 'blue' } },
      parameters: QUICK,
    },
    checks: [
      looksLike('green.mp4', { result: 'crop=320:100:0:0', source: 'crop=320:100:0:0' }),
      async ({ file }) => {
        const [, green, blue] = await colourAt(file, { region: '100:20:110:140' });
        expect(blue).toBeGreaterThan(green + 30);
      },
    ],
  },
  {
    title: 'deinterlace makes a frame of each field',
    source,
    request: { ...input('interlaced.mkv', 'fields.mp4'), preset: { name: 'deinterlace' }, parameters: QUICK },
    checks: [streams({ ...h264(320, 180), field_order: 'progressive' }), duration(1, 0.1)],
  },
  {
    title: 'stabilise makes the motion of a shaken film smaller',
    source,
    request: { ...input('shaky.mp4', 'steady.mp4'), preset: { name: 'stabilise' }, parameters: QUICK },
    checks: [
      streams(h264(320, 180)),
      frameCount(24),
      async ({ file, at }) => {
        const [after, before] = await Promise.all([meanMotion(file), meanMotion(at('shaky.mp4'))]);
        expect(after).toBeLessThan(before * 0.7);
      },
    ],
  },
  {
    title: 'hdr-to-sdr looks like the film from which the HDR was made',
    source,
    request: { ...input('hdr.mkv', 'sdr.mp4'), preset: { name: 'hdr-to-sdr' }, parameters: QUICK },
    checks: [
      streams({ ...h264(320, 180), color_transfer: 'bt709', color_primaries: 'bt709', color_space: 'bt709' }),
      looksLike('small.mp4', { source: 'trim=end_frame=12', threshold: 0.85 }),
    ],
  },
  {
    title: 'denoise-video removes grain',
    source,
    request: { ...input('noisy.mp4', 'smooth.mp4'), preset: { name: 'denoise-video' }, parameters: QUICK },
    checks: [looksLike('noisy.mp4', { source: 'hqdn3d=4:3:6:4.5', threshold: 0.85 })],
  },
  {
    title: 'black-and-white removes the colours',
    source,
    request: { ...input('green.mp4', 'grey.mp4'), preset: { name: 'black-and-white' }, parameters: QUICK },
    checks: [
      async ({ file }) => {
        const [red, green, blue] = await colourAt(file, { region: '60:160:10:10' });
        expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(8);
      },
    ],
  },
  {
    title: 'adjust-colours darkens',
    source,
    request: {
      ...input('small.mp4', 'dark.mp4'),
      preset: { name: 'adjust-colours', arguments: { brightness: -0.3 } },
      parameters: QUICK,
    },
    checks: [
      async ({ file, at }) => {
        const [after] = await colourAt(file, { time: 1 });
        const [before] = await colourAt(at('small.mp4'), { time: 1 });
        expect(after).toBeLessThan(before - 40);
      },
    ],
  },
  {
    title: 'blur-region leaves the rest sharp',
    source,
    request: {
      ...input('small.mp4', 'blurred.mp4'),
      preset: { name: 'blur-region', arguments: { x: 160, y: 0, width: 160, height: 180 } },
      parameters: QUICK,
    },
    checks: [
      looksLike('small.mp4', { result: 'crop=150:180:0:0', source: 'crop=150:180:0:0' }),
      looksUnlike('small.mp4', { result: 'crop=150:180:170:0', source: 'crop=150:180:170:0' }),
    ],
  },
  {
    title: 'prores makes a file for editors',
    source,
    request: { ...input('small.mp4', 'edit.mov'), preset: { name: 'prores', arguments: { profile: 'proxy' } } },
    checks: [
      streams({ codec_name: 'prores', profile: 'Proxy', pix_fmt: 'yuv422p10le' }, { codec_name: 'pcm_s16le' }),
      looksLike('small.mp4'),
    ],
  },
  {
    title: 'dnxhr makes a file for editors',
    source,
    request: { ...input('small.mp4', 'edit.mxf'), preset: { name: 'dnxhr', arguments: { profile: 'lb' } } },
    checks: [
      streams({ codec_name: 'dnxhd', profile: 'DNXHR LB', pix_fmt: 'yuv422p' }, { codec_name: 'pcm_s16le' }),
      looksLike('small.mp4'),
    ],
  },
  {
    title: 'remove-metadata removes chapters and all tags, also those of tracks',
    source,
    request: { ...input('multi.mkv', 'clean.mkv'), preset: { name: 'remove-metadata' } },
    checks: [
      tags({ title: undefined }),
      chapters(),
      async (result) => {
        const { streams: all } = await describeResult(result);
        expect(all).toHaveLength(5);
        for (const { tags: found = {} } of all)
          expect(Object.keys(found as object).filter((name) => !/^(?:DURATION|ENCODER)$/.test(name))).toEqual([]);
      },
    ],
  },
];
