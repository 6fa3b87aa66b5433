import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import {
  atMostInput,
  EVEN,
  FAST_START,
  H264,
  H264_QUALITY,
  HEIGHT,
  ladderHeights,
  phrases,
  STEREO_AAC,
  STEREO_AAC_IF_ANY,
  TO_HEIGHT,
  toSquarePixels,
  usualKilobits,
  VIDEO,
  WITHOUT_SUBTITLES,
  wholeNumber,
} from './parts.ts';

/** The options of one rendition in a ladder of MP4 files. */
const rendition = (label: string, rate: string) =>
  ({
    map: { when: 'input.sounds', value: [`[${label}]`, '0:a:0'], otherwise: [`[${label}]`] },
    'c:v': 'libx264',
    preset: 'medium',
    // Limit the quality, so that a simple video such as a screen recording stays below the maximum bit rate.
    crf: '22',
    maxrate: `{{${rate}}}k`,
    bufsize: `{{${rate}Buffer}}k`,
    pix_fmt: 'yuv420p',
    ...STEREO_AAC_IF_ANY,
    ...FAST_START,
  }) as const;

/** Scales down before `thumbnail`, which keeps 100 images in memory. */
const POSTER = toSquarePixels("'round(min(iw*sar,1280))'");

/** Recipes that write several files in one run. Either all files are published or none. */
export const SEVERAL: readonly Recipe[] = [
  {
    name: 'web-package',
    version: 3,
    title: 'Web package: video, poster and audio',
    description:
      'Writes an MP4 for the web, a poster beside it ("film-poster.jpg" for "film.mp4") and, if the video has audio, an audio file ("film-sound.m4a").',
    result: WITHOUT_SUBTITLES,
    words: phrases`
      web package, publish a video, everything for a web page, video with poster, mp4 and jpg, mp4 and poster, poster
      and sound, film poster and audio, several files at once, all in one go, video page, cms, upload set, bundle,
      preview image and audio file, film and preview image, poster and audio file`,
    inputs: [VIDEO],
    outputs: ['mp4'],
    arguments: {
      ...HEIGHT,
      ...H264_QUALITY,
      at: {
        type: 'time',
        share: true,
        description: 'The time of the poster, or "middle". Default: a typical frame of the beginning.',
      },
    },
    request: {
      parameters: {},
      outputs: [
        {
          role: 'film',
          description: 'The video as H.264 and AAC.',
          parameters: {
            map: ['0:v:0', '0:a:0?'],
            vf: { when: 'height', value: TO_HEIGHT, otherwise: EVEN },
            ...H264,
            ...STEREO_AAC,
            ...FAST_START,
          },
        },
        {
          role: 'poster',
          description: 'One frame.',
          suffix: '-poster.jpg',
          parameters: {
            map: '0:v:0',
            ss: '{{at}}',
            vf: { when: 'at', value: POSTER, otherwise: `${POSTER},thumbnail=n=100` },
            'frames:v': '1',
            'q:v': '2',
          },
        },
        {
          role: 'sound',
          description: 'The audio as AAC, if there is any.',
          suffix: '-sound.m4a',
          when: 'input.sounds',
          parameters: { map: '0:a:0', vn: '', 'c:a': 'aac', 'b:a': '160k', ...FAST_START },
        },
      ],
    },
  },
  {
    name: 'mp4-ladder',
    version: 3,
    title: 'MP4 files in three qualities',
    description:
      'Writes an MP4 and two smaller ones beside it ("film-medium.mp4" and "film-small.mp4" for "film.mp4"), decoded only once. Players that cannot stream choose a file.',
    result: { ...WITHOUT_SUBTITLES, changes: ['size'] },
    words: phrases`
      mp4 renditions, several resolutions, several sizes, multiple resolutions, three sizes, 1080p 720p 480p, quality
      levels, mp4 ladder, ladder of files, source sets, html5 sources, one file for each quality, high medium low,
      desktop and mobile version, three resolutions, plain mp4 files, low medium high, progressive files, files of
      different sizes, same film in three sizes`,
    inputs: [VIDEO],
    outputs: ['mp4'],
    arguments: {
      top: atMostInput(
        wholeNumber(
          240,
          2160,
          1080,
          'The height of the largest. A lower video keeps its height. The others have two thirds and a third of it.',
          'px',
        ),
      ),
    },
    values: {
      ...ladderHeights({ high: 'large', middle: 'medium', low: 'small' }),
      ...Object.fromEntries(
        ['large', 'medium', 'small'].flatMap((height) => [
          [`${height}Rate`, `round(1.5 * ${usualKilobits(height)})`],
          [`${height}RateBuffer`, `2 * ${height}Rate`],
        ]),
      ),
    },
    request: {
      parameters: {
        filter_complex:
          '[0:v]split=3[a][b][c];[a]scale=-2:{{large}}[large];[b]scale=-2:{{medium}}[medium];[c]scale=-2:{{small}}[small]',
      },
      outputs: [
        { role: 'large', description: 'The largest.', parameters: rendition('large', 'largeRate') },
        {
          role: 'medium',
          description: 'Two thirds of its height.',
          suffix: '-medium.mp4',
          parameters: rendition('medium', 'mediumRate'),
        },
        {
          role: 'small',
          description: 'A third of its height.',
          suffix: '-small.mp4',
          parameters: rendition('small', 'smallRate'),
        },
      ],
    },
  },
  {
    name: 'separate-tracks',
    version: 2,
    title: 'Separate the video and the audio of a file',
    description:
      'Writes the video of a file without audio, and its first audio stream, if it has one, beside it ("film-sound.mka" for "film.mp4"). Nothing is re-encoded.',
    result: { keeps: ['picture', 'hdr', 'alpha', 'chapters', 'tags'] },
    words: phrases`
      split video and audio, separate video and sound, demux, separate audio and video, split audio and video, picture
      and sound apart, video without sound and the sound, detach audio, all tracks, tracks into files, stems, separate
      tracks, separate the sound from the picture, split the video and audio, picture track, audio track and video
      track, two separate files, apart from each other, picture and sound separately`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'mkv', 'webm'],
    arguments: {},
    request: {
      parameters: {},
      outputs: [
        { role: 'picture', description: 'The video.', parameters: { map: '0:v:0', 'c:v': 'copy', ...FAST_START } },
        {
          role: 'sound',
          description: 'The first audio stream, in Matroska, which holds every codec. A video without audio has none.',
          suffix: '-sound.mka',
          when: 'input.sounds',
          parameters: { map: '0:a:0', 'c:a': 'copy' },
        },
      ],
    },
  },
];
