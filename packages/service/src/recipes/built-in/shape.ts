import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import {
  AAC,
  choice,
  ENCODED,
  EVEN,
  FAST_START,
  filteredVideo,
  H264,
  H264_FILES,
  H264_QUALITY,
  phrases,
  STEREO_AAC,
  VIDEO,
  WITH_SUBTITLES,
  wholeNumber,
} from './parts.ts';

const even = (text: string): string => `'trunc(${text}/2)*2'`;

/** The frame of an upright or square video. It is 1080 pixels wide unless the client sends a height. */
const FRAME_WIDTH = '{{#height}}{{frameWidth}}{{/height}}{{^height}}1080{{/height}}';
const FRAME_HEIGHT = '{{#height}}{{frameHeight}}{{/height}}{{^height}}{{usualHeight}}{{/height}}';
const FRAME = `${FRAME_WIDTH}:${FRAME_HEIGHT}`;
const IN_FRAME = `scale=${FRAME}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
const COVERING_FRAME = `scale=${FRAME}:force_original_aspect_ratio=increase,crop=${FRAME}`;

/** Scales the whole image so that it fits into the frame. */
const INSIDE = 'scale={{frameWidth}}:{{frameHeight}}:force_original_aspect_ratio=decrease:force_divisible_by=2';
/** Fills the part of the frame that the image of `INSIDE` leaves free. */
const REST = 'pad={{frameWidth}}:{{frameHeight}}:(ow-iw)/2:(oh-ih)/2';

/** Recipes that change the shape of the video: its sides, corners and rotation. */
export const SHAPE: readonly Recipe[] = [
  {
    name: 'vertical',
    version: 5,
    title: 'Vertical video (9:16, 4:5)',
    description:
      'Makes a landscape video upright for stories, reels, shorts and TikTok, or square for feeds: whole on a blurred background, cropped, or with bars, in stereo.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      9:16, 9x16, 4:5, square with blurred background, tiktok, reels, shorts, stories, instagram, portrait, upright,
      phone screen, blurred background, snapchat, taller than wide, landscape to portrait, for tiktok, youtube shorts,
      instagram reel, horizontal to vertical, fit a phone screen, story, 9 by 16, full screen on a phone, blurry sides,
      wide to tall, tall video, taller, portrait version, mobile format, status video, make a wide video tall, from 16:9
      to 9:16, upright version, blurred sides`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      fill: {
        type: 'choice',
        choices: {
          blur: `split[back][front];[back]${COVERING_FRAME},boxblur='min(20,(cw-1)/2)':2[blurred];[front]${IN_FRAME}[whole];[blurred][whole]overlay=(W-w)/2:(H-h)/2`,
          crop: COVERING_FRAME,
          bars: `${IN_FRAME},pad=${FRAME}:(ow-iw)/2:(oh-ih)/2`,
        },
        default: 'blur',
        description: 'What fills the frame: the video blurred, the middle of the video alone, or black bars.',
      },
      aspect: choice(
        { '9:16': '0.5625', '4:5': '0.8', '1:1': '1' },
        '9:16',
        'The shape of the video: width to height.',
      ),
      height: wholeNumber(
        128,
        3840,
        'optional',
        'The height in pixels. Default: the height for a width of 1080.',
        'px',
      ),
      ...H264_QUALITY,
    },
    values: {
      frameHeight: '2 * round(height / 2)',
      frameWidth: '2 * round(frameHeight * aspect / 2)',
      usualHeight: '2 * round(540 / aspect)',
    },
    request: { parameters: { vf: '{{fill}},setsar=1', ...H264, ...STEREO_AAC, ...WITH_SUBTITLES, ...FAST_START } },
  },
  filteredVideo({
    name: 'letterbox',
    version: 3,
    title: 'Fit into a frame with bars',
    description: 'Scales a video into a frame of a given size, whole, and fills the rest with a colour.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      pad, padding, add black bars, letterbox, pillarbox, exact size, 1920x1080, frame, fit, black bars left and right,
      bars at the sides, fit inside, fill the rest, whole picture in a frame, add borders, 4:3 to 16:9, exact dimensions
      without cropping, keep aspect ratio, black bars around, add black edges, projector, display, not stretched,
      without stretching, without distorting, frame exactly, bars instead of cropping, exactly as large as, fill up with
      black`,
    arguments: {
      width: wholeNumber(16, 7680, 1920, 'The width in pixels. An odd one becomes even.', 'px'),
      height: wholeNumber(16, 4320, 1080, 'The height in pixels. An odd one becomes even.', 'px'),
      colour: { type: 'colour', default: 'black', description: 'The colour of the bars.' },
    },
    values: { frameWidth: '2 * round(width / 2)', frameHeight: '2 * round(height / 2)' },
    parameters: { vf: `${INSIDE},${REST}:color={{colour}},setsar=1` },
  }),
  filteredVideo({
    name: 'crop-to-aspect',
    version: 3,
    title: 'Crop to an aspect ratio',
    description:
      'Cuts the edges off so that the image has an aspect ratio such as 1:1 (square) or 16:9. The middle stays.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      square, 1:1, 4:5, 16:9, 4:3, 21:9, aspect, ratio, crop, cinemascope, instagram post, cut the edges, square video,
      square crop, facebook post, instagram feed, cut the sides away, crop the sides, widescreen, make it square, 16 by
      9, portrait crop, centre crop, center crop, quadratic, feed, cut to 16:9, cut to a square, sides cut off`,
    arguments: {
      aspect: choice(
        {
          '1:1': '1',
          '4:5': '0.8',
          '4:3': '1.333333',
          '16:9': '1.777778',
          '21:9': '2.333333',
          '9:16': '0.5625',
        },
        '1:1',
        'The aspect ratio, width by height.',
      ),
    },
    parameters: { vf: `crop=${even('min(iw,ih*{{aspect}})')}:${even('min(ih,iw/{{aspect}})')},setsar=1` },
  }),
  filteredVideo({
    name: 'crop',
    version: 3,
    title: 'Crop to a region',
    description: 'Keeps a rectangle of the image, given in pixels from the upper left corner.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      cut out, region, area, rectangle, edges, zoom in, part of the picture, pixels, crop to a rectangle, select a
      region, only a part of the screen, cut off the edges, coordinates, zoom into, crop pixels, cut away the top, zoom
      on, upper left, corner of the screen, only the left half, just one window, part of the frame, magnify, enlarge a
      part, only one half`,
    arguments: {
      width: wholeNumber(2, 8192, 'required', 'The width of the region.', 'px'),
      height: wholeNumber(2, 8192, 'required', 'The height of the region.', 'px'),
      x: wholeNumber(0, 8192, 0, 'Its left edge.', 'px'),
      y: wholeNumber(0, 8192, 0, 'Its upper edge.', 'px'),
    },
    parameters: { vf: `crop={{width}}:{{height}}:{{x}}:{{y}},${EVEN}` },
  }),
  {
    name: 'crop-to-content',
    version: 4,
    title: 'Remove black bars',
    description:
      'Cuts off black borders: letterbox bars at the top and bottom, pillarbox bars at the sides. The first of two passes measures them.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      remove black bars, black bars at top and bottom, get rid of black bars, black borders, black edges, letterboxed,
      autocrop, auto crop, crop automatically, cropdetect, cut off black bars, crop to content, unletterbox, widescreen
      bars, delete the black edges, screen capture with borders, black frame around the video, black strips, dark bars,
      take the bars away, bars round the film, trim the black, unwanted bars, empty border, bars above and below, black
      stripes at the edges, black margins, cut black edges away, black edges away`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      limit: wholeNumber(1, 200, 24, 'How bright, of 255, a border may be.'),
      ...H264_QUALITY,
    },
    // cropdetect reads a limit of 1 or more as an 8-bit value. In a 10-bit video, black is above such a limit. So convert the limit to a
    // share.
    values: { level: 'limit / 255' },
    request: {
      parameters: {
        vf: 'cropdetect=limit={{level}}:round=2:skip=0,crop',
        ...H264,
        pass: '2',
        ...AAC,
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
  filteredVideo({
    name: 'rotate',
    version: 3,
    title: 'Rotate or mirror a video',
    description: 'Turns a video by a quarter or a half, or mirrors it.',
    result: { ...ENCODED, changes: ['orientation'] },
    words: phrases`
      sideways, upside down, wrong way, 90 degrees, 180, clockwise, flip, mirror, orientation, transpose, selfie,
      quarter turn, filmed on its side, lying on its side, phone on its side, turn the video, rotate by ninety degrees,
      wrong orientation, lies on its side, head over heels, portrait shown as landscape, counterclockwise, mirrored,
      mirror image, flipped, backwards text, stand it upright, tilted, turned, lies sideways, stands on its head, wrong
      way round, turn left, turn right, wrong way up, filmed vertically, on its side, quarter of a turn, held the phone
      wrong, standing on its head, on its head`,
    arguments: {
      by: choice(
        {
          right: 'transpose=clock',
          left: 'transpose=cclock',
          half: 'hflip,vflip',
          mirror: 'hflip',
          flip: 'vflip',
        },
        'right',
        'A quarter to the right or left, a half, mirrored left to right, or flipped top to bottom.',
      ),
    },
    parameters: { vf: `{{by}},${EVEN}` },
  }),
];
