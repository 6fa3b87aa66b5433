import { SHEET_GRID } from '@telecine/contract/domain/preview.ts';
import type { Recipe, RecipeArgument, RecipeResult } from '@telecine/contract/domain/recipe.ts';
import {
  AAC,
  choice,
  EVEN,
  FAST_START,
  H264,
  H264_FILES,
  H264_QUALITY,
  number,
  phrases,
  toSquarePixels,
  VIDEO,
  wholeNumber,
} from './parts.ts';

const ANIMATION = {
  width: wholeNumber(16, 1920, 480, 'The width in pixels, at most that of the video.', 'px'),
  fps: number(1, 50, 12, 'Frames per second. Fewer make a smaller file.', 'fps'),
  start: { type: 'time', share: true, default: '0', description: 'Where the animation begins.' },
  length: { type: 'time', min: 0.04, max: 120, default: '5', description: 'How long it is.' },
} as const satisfies Readonly<Record<string, RecipeArgument>>;

const ANIMATED = {
  keeps: ['picture', 'alpha'],
  times: 'part',
  changes: ['frame-rate', 'size'],
} as const satisfies RecipeResult;
const PART = { ...VIDEO, parameters: { ss: '{{start}}', t: '{{length}}' } } as const;
const TO_WIDTH = toSquarePixels('{{width}}');
/**
 * Never enlarges the video: an animation would be larger, and show nothing more. Without `eof_action=pass`, nothing would be left of a video
 * of one frame. Without `trim`, the last frame would stay as long as in the video.
 */
const toSmall = (width: string): string =>
  `fps={{fps}}:eof_action=pass,trim=end={{length}},${toSquarePixels(`'round(min(${width},iw*sar))'`, ':flags=lanczos')}`;
const SMALL = toSmall('{{width}}');
const TO_GIF = 'split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither={{dither}}';

/**
 * The bytes of a GIF for each pixel of each frame. Measured: 0.4 to 0.6 for parts of videos at widths of 160 to 480 pixels with `dither`
 * smooth.
 */
const GIF_BYTES = 0.7;
/** The smallest width of a GIF that is limited to a file size. */
const GIF_WIDTH = 64;

/** Scales to `height`, or to `width` if no height is sent, or to at most 1280 if neither is. The filters contain no quotes, because sections must not contain quotes. */
const TO_SIDE =
  '{{#height}}scale=max(1\\,round({{height}}*dar)):{{height}},setsar=1{{/height}}{{^height}}scale={{#width}}{{width}}{{/width}}{{^width}}round(min(1280\\,iw*sar)){{/width}}:max(2\\,2*round(ow/dar/2)),setsar=1{{/height}}';
/** Scales like `TO_SIDE`, but never enlarges the video. */
const NO_LARGER =
  '{{#height}}scale=max(1\\,round(oh*dar)):min({{height}}\\,ih),setsar=1{{/height}}{{^height}}scale=min({{#width}}{{width}}{{/width}}{{^width}}1280{{/width}}\\,iw):max(2\\,2*round(ow/dar/2)),setsar=1{{/height}}';

/** The option for the best JPEG quality. Other formats have another scale, or none. */
const JPEG_QUALITY = { 'q:v': { when: 'output.jpg', value: '2' } } as const;

const STILL = { 'frames:v': '1', ...JPEG_QUALITY } as const;

/**
 * The filters of a sheet: one image for each time. Without `eof_action=pass`, `fps` would round the number of images. If the video ends
 * before the audio, the last image is repeated.
 */
const sheet = (count: string, tile: string, drawn = ''): string =>
  `fps=1/{{step}}:eof_action=pass,${TO_WIDTH}${drawn},tpad=stop_mode=clone:stop={{${count}}},tile=${tile}`;

/**
 * Draws the time in a corner of each image. `fps` takes the image in the middle of each interval, but its timestamp is the start of the
 * interval. So half an interval is added.
 */
const TIMES = String.raw`{{#times}},drawtext=text=%{pts\\:hms\\:{{half}}}:x=4:y=h-th-4:fontsize=max(9\,h/10):fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=3{{/times}}`;

/** The maximum width and height of a sheet in pixels. WebP allows 16,383 each way, and ffmpeg allows 268 million pixels in total. */
const SHEET_SIDE = 16_000;

/** The maximum width of each image on a sheet. */
const sheetWidth = (across: string, rows: string) =>
  ({
    max: `floor(min(${SHEET_SIDE} / ${across}, ${SHEET_SIDE} / ${rows} * input.width / input.height))`,
    reason: `A sheet has at most ${SHEET_SIDE} pixels in each direction; other numbers of columns make room.`,
  }) as const;

/** Recipes that turn videos into images and animations, and images into videos. */
export const IMAGES: readonly Recipe[] = [
  {
    name: 'gif',
    version: 5,
    title: 'Animated GIF with a good palette',
    description: 'Makes a GIF of a part of a video, with colours chosen for it. It loops for ever.',
    result: ANIMATED,
    words: phrases`
      gif, giphy, gif under a size, gif below, small gif, animation, meme, palette, reaction, slack, readme, animated,
      animated gif, looping gif, short animation, gif from a video, funny, emote, reaction gif, tenor, repeats, moving
      picture, short loop, for a chat, funny scene, animated image, short looping animation, chat animation, make a gif`,
    inputs: [PART],
    outputs: ['gif'],
    arguments: {
      ...ANIMATION,
      dither: choice(
        { smooth: 'sierra2_4a', pattern: 'bayer:bayer_scale=4', none: 'none' },
        'smooth',
        'How colours are mixed. "pattern" and "none" make smaller files.',
      ),
      size: number(
        0.1,
        500,
        'optional',
        'The largest size of the file in megabytes. The width is reduced by an estimate from experience: noise needs more bytes, drawings and screens need fewer.',
        'MB',
      ),
    },
    values: {
      pixels: `1000000 * size / (${GIF_BYTES} * max(1, fps * min(length, max(0, input.duration - start))))`,
      fitting: 'min(width, floor(sqrt(pixels * input.width / input.height)))',
      smallest: `ceil(100 * size / pixels * ${GIF_WIDTH ** 2} * input.height / input.width) / 100`,
    },
    limits: {
      size: {
        min: 'smallest',
        reason: `It would be less than ${GIF_WIDTH} pixels wide; a shorter "length" or fewer "fps" make room.`,
      },
    },
    request: {
      parameters: {
        vf: { when: 'size', value: `${toSmall('{{fitting}}')},${TO_GIF}`, otherwise: `${SMALL},${TO_GIF}` },
        loop: '0',
      },
    },
  },
  {
    name: 'animated-webp',
    version: 5,
    title: 'Animated WebP',
    description: 'Makes an animated WebP of a part of a video: like a GIF with all colours, and much smaller.',
    result: ANIMATED,
    words: phrases`
      webp, animation, animated, gif alternative, smaller than gif, sticker, moving webp, smaller animation, animation
      smaller than a gif, gif too large, my gif is too big, gif to webp, animated sticker, gif replacement, replacement
      for a gif, instead of a gif, lighter than a gif, modern gif, loads faster than a gif, better than a gif, replace a
      gif, sticker with motion, modern animation format, substitute for gif`,
    inputs: [PART],
    outputs: ['webp'],
    arguments: {
      ...ANIMATION,
      quality: wholeNumber(0, 100, 70, 'From 0 to 100.'),
    },
    request: { parameters: { vf: SMALL, 'c:v': 'libwebp', 'q:v': '{{quality}}', loop: '0', an: '' } },
  },
  {
    name: 'animated-avif',
    version: 5,
    title: 'Animated AVIF',
    description: 'Makes an animated AVIF of a part of a video: the smallest animation that current browsers show.',
    result: { ...ANIMATED, keeps: ['picture'] },
    words: phrases`
      avif, animation, animated, smallest, gif alternative, av1, moving avif, smaller animation, animation smaller than
      a gif, gif too large, gif to avif, gif replacement, replacement for a gif, instead of a gif, lighter than a gif,
      modern animation format, loads faster than a gif, replace a gif`,
    inputs: [PART],
    outputs: ['avif'],
    arguments: {
      ...ANIMATION,
      quality: choice({ small: '45', good: '35', high: '25' }, 'good', 'The quality of the image.'),
    },
    request: {
      parameters: {
        vf: SMALL,
        'c:v': 'libaom-av1',
        crf: '{{quality}}',
        'b:v': '0',
        'cpu-used': '8',
        pix_fmt: 'yuv420p',
        an: '',
      },
    },
  },
  {
    name: 'poster',
    version: 4,
    title: 'Poster frame or thumbnail',
    description: 'Takes one image out of a video: at a time, or a typical one of its beginning.',
    result: { keeps: ['picture'], times: 'still', changes: ['size'] },
    words: phrases`
      thumbnail, poster, first frame, last frame, screenshot, screenshot of a video, screenshot at, still, frame, preview, snapshot, grab, one
      frame, freeze frame, cover picture of a video, picture from a video, middle, moment, one picture, still picture,
      cover of the video, cover image of a video, one still, capture a moment, jpeg from a second, picture at a time,
      single frame, title picture, video thumbnail, freeze, screen grab, frame grab, best frame, at a specific second,
      specific time, before the video plays, before it starts, shown before the player starts, before anybody presses
      play, best moment, still image of a video, image of a video, frame as a picture, picture at second, grab a
      picture, picture of a scene, a still, play button, one still of the film, image for the video page, video cover,
      one photo, photo out of a video, take a photo, picture out of the video, one photo out of a video, photo at a
      minute, shot from a film, extract a thumbnail`,
    inputs: [{ ...VIDEO, parameters: { ss: '{{at}}' } }],
    outputs: ['jpg', 'png', 'webp'],
    arguments: {
      at: {
        type: 'time',
        share: true,
        description: 'The time of the image, or "middle". Default: a typical one of the first hundred frames.',
      },
      width: wholeNumber(
        16,
        7680,
        'optional',
        'The width in pixels. With "height", it has no effect. Default: 1280, or the width of a smaller video.',
        'px',
      ),
      height: wholeNumber(16, 4320, 'optional', 'The height in pixels.', 'px'),
    },
    request: {
      parameters: {
        // `thumbnail` keeps 100 frames in memory. So scale down first, and enlarge only the chosen frame.
        vf: `{{^at}}${NO_LARGER},thumbnail=n=100,{{/at}}${TO_SIDE}`,
        ...STILL,
      },
    },
  },
  {
    name: 'contact-sheet',
    version: 4,
    title: 'Contact sheet',
    description:
      'Puts images from the whole video into one image, in rows and columns, with the time of each if wanted.',
    result: { keeps: ['picture'], incomparable: 'Many frames are in one image.' },
    words: phrases`
      overview, timestamps, grid, mosaic, tiles, storyboard, index, montage, collage, many frames, sheet, frames from
      video, frames in one picture, screenshots, grid of stills, four by four, little screenshots, many screenshots in
      one picture, overview picture, thumbnail sheet, all scenes at a glance, summary picture, filmstrip, thumbnails of
      a film, at a glance, one page, one page of pictures, whole film in one picture, many small pictures, small
      pictures of a film, moments in one image, several frames in one image, tiled, summary of the film, what happens in
      the film, visual summary, picture grid, one image of many frames, image with many moments, pictures in rows, nine
      frames in one image, table of pictures, picture table, contents of a video, contents as pictures, overview of the
      contents, all parts of the film in one image`,
    inputs: [VIDEO],
    outputs: ['jpg', 'png', 'webp'],
    arguments: {
      columns: wholeNumber(1, 20, SHEET_GRID.columns, 'Images in a row.'),
      rows: wholeNumber(1, 20, SHEET_GRID.rows, 'Rows.'),
      width: wholeNumber(16, 1920, 320, 'The width of each image.', 'px'),
      times: { type: 'flag', default: false, description: 'Write the time of each image into it.' },
    },
    values: { count: 'columns * rows', rate: 'count / input.duration', step: '1 / rate', half: 'step / 2' },
    limits: { width: sheetWidth('columns', 'rows') },
    request: { parameters: { vf: sheet('count', '{{columns}}x{{rows}}:padding=4:margin=4', TIMES), ...STILL } },
  },
  {
    name: 'sprite-sheet',
    version: 3,
    title: 'Sprite sheet with WebVTT for the seek bar',
    description:
      'Puts small images at regular times into one image, and writes a WebVTT file of the same name that says which part belongs to which time. Players show them while the viewer seeks.',
    result: { keeps: ['picture'], incomparable: 'Many frames are in one image.' },
    words: phrases`
      sprite, sprites, sprite sheet, seek bar, seekbar, scrubber, scrubbing, timeline preview, hover preview, preview
      thumbnails, thumbnails on hover, thumbnail track, thumbnails vtt, thumbnail strip, vtt thumbnails, trick play,
      bif, storyboard vtt, storyboard for a player, video.js, jw player, plyr, shaka, progress bar, mouse over, xywh,
      hovering, hovers, scrub, thumbnails while scrubbing, preview while seeking, timeline thumbnails, small pictures
      while seeking, drag the slider, previews on hover`,
    inputs: [VIDEO],
    outputs: ['jpg', 'png', 'webp'],
    arguments: {
      every: number(
        0.1,
        3600,
        5,
        'Seconds between two images. Long videos get at most 500 images, with more time between them.',
        's',
      ),
      columns: wholeNumber(1, 100, 10, 'Images in a row.'),
      width: wholeNumber(16, 640, 160, 'The width of each image in pixels.', 'px'),
    },
    values: {
      step: 'max(every, input.duration / 500)',
      count: 'max(1, ceil(input.duration / step - 0.001))',
      across: 'min(columns, count)',
      rows: 'ceil(count / across)',
    },
    limits: { width: sheetWidth('across', 'rows') },
    request: {
      parameters: { vf: sheet('count', '{{across}}x{{rows}}'), ...STILL },
      thumbnailTrack: {
        everySeconds: '{{step}}',
        durationSeconds: '{{input.duration}}',
        columns: '{{across}}',
        rows: '{{rows}}',
      },
    },
  },
  {
    name: 'frames',
    version: 4,
    title: 'Images from a video at regular times',
    description:
      'Writes an image of a video every few seconds, the first one from its start. Name the output with a counter, such as "frame_%04d.jpg".',
    result: { keeps: ['picture'], times: 'pieces', changes: ['frame-rate'] },
    words: phrases`
      frames, extract images, stills, every second, image sequence, dataset, screenshots, thumbnails, png sequence,
      machine learning, pictures from a video, picture per second, picture each second, every frame, all frames, extract
      every image, save each frame, every 5 seconds, screenshot every, regular screenshots, training images, video to
      pictures, video to jpg, photos from a video, dump frames, one picture each, save pictures, image every, picture
      every five seconds, single pictures, to images, regularly a picture, picture at intervals, each frame as a file,
      frames as files, every second one picture, png each second, one picture per second`,
    inputs: [VIDEO],
    outputs: ['jpg', 'png', 'webp'],
    arguments: {
      every: { type: 'time', min: 0.01, default: '1', description: 'The time between two images.' },
    },
    // With these options, even a video shorter than `every` yields one image. `round=up` takes each image at its exact time; the default
    // takes it half an interval later.
    request: {
      parameters: {
        vf: "fps=1/{{every}}:start_time=0:round=up:eof_action=pass,scale='round(iw*sar)':ih,setsar=1",
        ...JPEG_QUALITY,
      },
    },
  },
  {
    name: 'pictures-to-video',
    version: 2,
    title: 'Video of numbered images (time-lapse)',
    description: 'Makes a video of an image sequence. Name the input with a counter, such as "img_%04d.jpg".',
    result: { keeps: ['picture'], times: 'joined' },
    words: phrases`
      timelapse, time-lapse, image sequence, stop motion, animation, png sequence, rendered frames, numbered, frames to
      video, jpg to mp4, stop-motion, photo series, animation from pictures, video from png files, sequence of pictures,
      render, blender, numbered pictures, movie from frames, time lapse from photos, jpgs to video, png files, drawings,
      drawings one after another, cartoon, hand drawn, renderings, png files to a video, picture sequence to video, clay
      animation, image sequence into a video`,
    inputs: [{ role: 'pictures', description: 'An image sequence.', parameters: { framerate: '{{fps}}' } }],
    outputs: H264_FILES,
    arguments: {
      fps: number(0.1, 120, 25, 'Images per second.', 'fps'),
      ...H264_QUALITY,
    },
    request: { parameters: { vf: EVEN, ...H264, ...FAST_START } },
  },
  {
    name: 'slideshow',
    version: 4,
    title: 'Slideshow with crossfades and music',
    description:
      'Shows images one after the other, with crossfades between them and music if there is any. The video ends with the images, and the music fades out.',
    result: { keeps: ['picture'], times: 'joined', changes: ['shape'] },
    words: phrases`
      smooth change between pictures, slideshow, slides, photos, pictures, album, wedding, holiday, presentation, crossfade, song, memories, birthday,
      family, photo album, holiday pictures, family pictures, pictures with music, photos with a song, grandma, photo
      show, photo movie, picture show, graduation, funeral, memorial, pictures one after another, transitions, vacation,
      photo film, ken burns, pictures and a song, photo collection, best of pictures, show our photos, film from photos,
      film of pictures, pictures to a song`,
    inputs: [
      { role: 'picture', description: 'The first image.', duration: '{{seconds}}' },
      {
        role: 'pictures',
        description: 'The other images.',
        optional: true,
        many: true,
        duration: '{{withCrossfade}}',
        crossfade: { when: 'fade', value: '{{crossfade}}' },
      },
      { role: 'music', description: 'An audio file that plays meanwhile.', optional: true },
    ],
    outputs: H264_FILES,
    arguments: {
      seconds: number(
        0.2,
        60,
        4,
        'How long each image is shown. The crossfade to the next image is part of this time: six images of 3 s last 18 s.',
        's',
      ),
      fade: number(
        0,
        10,
        1,
        'The length of a crossfade in seconds, at most half of the time of an image. 0: none.',
        's',
      ),
      size: choice(
        {
          '720p': '1280x720',
          '1080p': '1920x1080',
          '4k': '3840x2160',
          square: '1080x1080',
          vertical: '1080x1920',
        },
        '1080p',
        'The size of the video.',
      ),
      ...H264_QUALITY,
    },
    values: {
      crossfade: 'min(fade, seconds / 2)',
      // An image is shown longer by the crossfade from the previous image, which overlaps the end of that image.
      withCrossfade: 'seconds + crossfade',
      // Used only with music. The music is also an input, so it is subtracted.
      length: '(inputs.count - 1) * seconds',
      musicFade: 'min(3, length / 4)',
      musicFadeStart: 'length - musicFade',
    },
    request: {
      parameters: {
        s: '{{size}}',
        ...H264,
        'c:a': { when: 'music', value: AAC['c:a'] },
        af: { when: 'music', value: 'afade=t=out:st={{musicFadeStart}}:d={{musicFade}}' },
        ...FAST_START,
      },
    },
  },
  {
    name: 'picture-and-sound',
    version: 2,
    title: 'Video of one image and an audio file',
    description: 'Shows an image while an audio file plays, for platforms that accept only videos.',
    result: { keeps: ['picture', 'sound', 'languages', 'tags'] },
    words: phrases`
      still image, cover, song to video, podcast as video, album art, static, mp3 to mp4, music video, audio to video,
      one picture, static image, song with a picture, still image with music, mp3 on youtube, youtube from an mp3,
      upload a song to youtube, album cover video, single image, photo under a song, picture of a presentation with a
      voice, only accepts video, song as a video, static picture, one slide with speech, takes only video, cover picture
      with music`,
    inputs: [
      { role: 'picture', description: 'The image.', parameters: { loop: '1', framerate: '10' } },
      { role: 'sound', description: 'The audio file.' },
    ],
    outputs: H264_FILES,
    arguments: H264_QUALITY,
    request: {
      parameters: {
        map: ['0:v', '1:a'],
        vf: EVEN,
        ...H264,
        tune: 'stillimage',
        ...AAC,
        'b:a': '192k',
        shortest: '',
        ...FAST_START,
      },
    },
  },
  {
    name: 'resize-picture',
    version: 2,
    title: 'Convert or resize an image',
    description: 'Writes an image in another format and, if a width is given, in another size.',
    result: { keeps: ['picture', 'alpha'], times: 'still', changes: ['size'] },
    words: phrases`
      jpg, png, webp, jpeg, image, photo, convert image, resize image, tiff, bmp, thumbnail of a photo, picture to webp,
      smaller picture, png to jpg, jpg to webp, heic, convert a photo, scale an image, smaller photo, photo for the web,
      not so wide, compress a picture, picture format, avatar, shrink a picture, turn a photo into, heif, picture to
      jpeg, png into jpg, webp to png, smaller image, thumbnail size, convert picture, image format, photo format, heic
      to jpg, jpeg from heic, make an image smaller`,
    inputs: [{ role: 'picture', description: 'An image.' }],
    outputs: ['jpg', 'png', 'webp'],
    arguments: {
      width: wholeNumber(1, 10_000, 'optional', 'The width in pixels. Default: the width of the input.', 'px'),
    },
    request: {
      parameters: {
        vf: { when: 'width', value: 'scale={{width}}:max(1\\,round(ow/dar)):flags=lanczos,setsar=1' },
        ...STILL,
      },
    },
  },
];
