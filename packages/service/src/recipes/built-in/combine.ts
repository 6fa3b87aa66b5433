import type { Recipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import {
  AUDIO,
  COPIED,
  choice,
  ENCODED,
  EVEN,
  FAST_START,
  filteredVideo,
  H264_FILES,
  H264_QUALITY,
  H264_VIDEO,
  MARGIN,
  number,
  OVERLAY_PLACES,
  phrases,
  VIDEO,
  WITHOUT_SUBTITLES,
  wholeNumber,
} from './parts.ts';

const STREAM_OF_TEXT = { role: 'subtitles', description: 'A subtitle file, such as .srt, .vtt or .ass.' } as const;

/** The positions of a line of text for `drawtext`. */
const TEXT_PLACES = {
  top: 'x=(w-text_w)/2:y={{margin}}',
  bottom: 'x=(w-text_w)/2:y=h-text_h-{{margin}}',
  centre: 'x=(w-text_w)/2:y=(h-text_h)/2',
  'top-left': 'x={{margin}}:y={{margin}}',
  'top-right': 'x=w-text_w-{{margin}}:y={{margin}}',
  'bottom-left': 'x={{margin}}:y=h-text_h-{{margin}}',
  'bottom-right': 'x=w-text_w-{{margin}}:y=h-text_h-{{margin}}',
} as const;

/** The arguments for the position and size of a small video or image on a large video. `percent`: the default width in percent. */
const overlayArguments = (what: 'video' | 'image', percent: number) =>
  ({
    place: choice(OVERLAY_PLACES, 'bottom-right', `Where the ${what} is.`),
    percent: number(1, 100, percent, 'Its width in percent of the width of the large video.', '%'),
    ...MARGIN,
  }) as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The width in pixels that the argument `percent` of `overlayArguments` stands for. */
const OVERLAY_WIDTH = { overlayWidth: '2 * max(1, round(input.width * percent / 200))' } as const;

/** Colours in the notation of ASS subtitles: &H, then blue, green and red. */
/** By their names in iconv. */
const ENCODINGS = [
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `WINDOWS-${page}`),
  ...'ISO-8859-1 ISO-8859-2 ISO-8859-5 ISO-8859-7 ISO-8859-9 ISO-8859-15 KOI8-R KOI8-U CP437 CP850 CP852 CP866'.split(
    ' ',
  ),
  ...'SHIFT_JIS EUC-JP GB18030 GBK BIG5 EUC-KR CP949 TIS-620'.split(' '),
];

const SUBTITLE_COLOURS = {
  white: '&HFFFFFF',
  yellow: '&H00FFFF',
  orange: '&H00A5FF',
  red: '&H0000FF',
  pink: '&HCBC0FF',
  green: '&H00FF00',
  cyan: '&HFFFF00',
  blue: '&HFF0000',
  grey: '&H808080',
  black: '&H000000',
} as const;

/** The styles that `force_style` changes, one for each argument. A comma precedes each; ffmpeg ignores the first comma. */
const SUBTITLE_STYLE = Object.entries({
  fontName: 'FontName={{fontName}}',
  colour: 'PrimaryColour={{colour}}',
  outline: 'OutlineColour={{outline}}',
  size: 'Fontsize={{fontSize}}',
  box: 'BorderStyle=3',
})
  .map(([name, style]) => `{{#${name}}}\\,${style}{{/${name}}}`)
  .join('');

/** The start of a part in the time base of its frames. */
const PART_START = 'round({{input.start}}/TB)';

/** Recipes that combine several inputs, or draw text on a video. */
export const COMBINE: readonly Recipe[] = [
  filteredVideo({
    name: 'picture-in-picture',
    version: 3,
    title: 'Picture in picture',
    description:
      'Shows a small video in a corner of a large one, such as a camera over a screen recording. The small video disappears when it ends. The audio is from the large video, from the small one, or from both.',
    result: { ...WITHOUT_SUBTITLES, changes: ['shape', 'loudness'] },
    words: phrases`
      pip, picture in picture, webcam, inset, corner, facecam, overlay video, reaction video, screen recording, camera
      bubble, small video in the corner, camera over slides, presenter, talking head, camera over screen, video in a
      video, gameplay with facecam, overlay a second video, video on top of another, face over the screen, my face,
      camera in the corner, over my slides, webcam over, small window, film in the corner, small camera picture, person
      in the corner, my camera over the presentation`,
    inputs: [VIDEO, { role: 'inset', description: 'The small video.' }],
    arguments: {
      ...overlayArguments('video', 25),
      sound: choice(
        { large: '0', inset: '1', both: '2' },
        'large',
        'Which audio is heard. If the large video has no audio, "both" means the audio of the small one.',
      ),
    },
    values: {
      ...OVERLAY_WIDTH,
      own: 'max(0, 1 - sound)',
      mix: 'max(0, sound - 1) * min(1, input.sounds)',
      other: '1 - own - mix',
    },
    parameters: {
      filter_complex: `[1:v]scale={{overlayWidth}}:-2[small];[0:v]${EVEN}[large];[large][small]overlay={{place}}:eof_action=pass[v]{{#mix}};[0:a:0][1:a:0]amix=inputs=2:duration=first:normalize=0,alimiter=level=0[mixed]{{/mix}}`,
      map: ['[v]', '{{#own}}0:a?{{/own}}{{#other}}1:a:0{{/other}}{{#mix}}[mixed]{{/mix}}'],
    },
  }),
  {
    name: 'side-by-side',
    version: 2,
    title: 'Two videos side by side',
    description:
      'Shows two videos beside each other in the same height, until the shorter one ends. The audio is from the left one.',
    result: { ...WITHOUT_SUBTITLES, changes: ['shape'] },
    words: phrases`
      side by side, comparison, compare, before after, split screen, hstack, next to each other, duet, two videos,
      beside each other, two takes, two angles, next to one another, left and right, split the screen, both videos at
      once, stack, horizontally, comparison video, a b test, two cameras, next to, at the same time, left half and right
      half, two clips in one frame, compare the original with, both in one picture, two films at once, one left one
      right`,
    inputs: [
      { role: 'left', description: 'The left video.' },
      { role: 'right', description: 'The right video.' },
    ],
    outputs: H264_FILES,
    arguments: {
      height: wholeNumber(16, 2160, 720, 'The height in pixels. An odd one becomes even.', 'px'),
      ...H264_QUALITY,
    },
    values: { lines: '2 * round(height / 2)' },
    request: {
      parameters: {
        filter_complex:
          '[0:v]scale=-2:{{lines}},setsar=1[a];[1:v]scale=-2:{{lines}},setsar=1[b];[a][b]hstack=inputs=2:shortest=1[v]',
        map: ['[v]', '0:a?'],
        ...H264_VIDEO,
        shortest: '',
      },
    },
  },
  filteredVideo({
    name: 'watermark',
    version: 2,
    title: 'Logo or watermark',
    description: 'Puts an image, such as a logo, on a video.',
    result: { ...WITHOUT_SUBTITLES, changes: ['shape'] },
    words: phrases`
      logo, watermark, brand, branding, png on video, stamp, copyright, overlay image, transparent picture, company
      logo, logo on top, logo bottom right, channel logo, png overlay, branding on the video, signature, sticker on the
      video, icon, lower right corner, picture on top of the video, emblem, overlay a png, our sign, png in the corner,
      put a picture over the video, mark in the corner, company sign, image overlay`,
    inputs: [VIDEO, { role: 'logo', description: 'The image, best as PNG with transparency.' }],
    arguments: {
      ...overlayArguments('image', 15),
      opacity: number(0, 1, 0.8, 'From 0, invisible, to 1, opaque.'),
    },
    values: OVERLAY_WIDTH,
    parameters: {
      filter_complex: `[1:v]format=rgba,colorchannelmixer=aa={{opacity}},scale={{overlayWidth}}:-2[logo];[0:v]${EVEN}[film];[film][logo]overlay={{place}}[v]`,
      map: ['[v]', '0:a?'],
    },
  }),
  filteredVideo({
    name: 'burn-subtitles',
    version: 6,
    title: 'Subtitles burnt into the video',
    description:
      'Draws the subtitles of a file into the video, so that every player shows them and nobody can switch them off.',
    result: { ...WITHOUT_SUBTITLES, changes: ['shape'] },
    words: phrases`
      hardsub, hard subtitles, burn, burn in, hardcode, captions, always visible, permanent, open captions, srt, embed
      into picture, always on, translated text, subtitles burned in, burned, burnt, hardcoded, embed subtitles
      permanently, cannot be switched off, cannot be disabled, for deaf viewers, show lyrics, lyrics, karaoke, text
      under the film, subtitles for instagram, captions on screen, always show, text in the picture, translation in the
      picture, drawn on the picture, subtitles for good, printed, srt into the picture, subtitles that always show, text
      drawn, subtitles fixed, sing along, add subtitles, words burned into the picture`,
    inputs: [
      VIDEO,
      {
        ...STREAM_OF_TEXT,
        description: `${STREAM_OF_TEXT.description} Its times are those of the whole video, also if only a part of it is converted. If its times count from the start of the part, cut out the part first, and add the subtitles to that file.`,
      },
      {
        role: 'font',
        optional: true,
        description: 'A font file, such as .ttf, for the subtitles. Name it in `fontName`.',
      },
    ],
    arguments: {
      fontName: {
        type: 'text',
        maxLength: 60,
        // A comma would start another style.
        without: ',',
        description: 'The family of the font, as the file `font` states it, or of a font that the service has.',
      },
      colour: {
        type: 'choice',
        choices: SUBTITLE_COLOURS,
        description: 'The colour of the letters. Default: the colour in the file, or white.',
      },
      outline: {
        type: 'choice',
        choices: SUBTITLE_COLOURS,
        description: 'The colour of their outline, or of the box. Default: the colour in the file, or black.',
      },
      size: number(
        1,
        50,
        'optional',
        'The size of the letters in percent of the height of the image, for .srt and .vtt. Default: 5.6, or the size in the file.',
        '%',
      ),
      box: {
        type: 'flag',
        default: false,
        description: 'Whether the words have a box behind them instead of an outline.',
      },
      encoding: {
        type: 'choice',
        choices: Object.fromEntries(ENCODINGS.map((name) => [name, name])),
        description: 'The encoding of the subtitle file. Default: UTF-8.',
      },
    },
    // libass assumes a height of 288 lines for a subtitle file without a size.
    values: { fontSize: '2.88 * size' },
    parameters: {
      // For a part of a film, the filter needs the times of the film: those of its words. Rounded, because a rest would move frames.
      vf: `${EVEN}{{#input.start}},setpts=PTS+${PART_START}{{/input.start}},subtitles={{subtitles}}{{#encoding}}:charenc={{encoding}}{{/encoding}}{{#fontName|colour|outline|size|box}}:force_style=${SUBTITLE_STYLE}{{/fontName|colour|outline|size|box}}{{#input.start}},setpts=PTS-${PART_START}{{/input.start}}`,
    },
  }),
  {
    name: 'soft-subtitles',
    version: 2,
    title: 'Subtitles as a track of the video',
    description:
      'Adds a subtitle file to a video as a track that viewers can switch on and off, before the text tracks that the video has. Nothing is re-encoded.',
    result: COPIED,
    words: phrases`
      softsub, soft subtitles, add subtitles, captions, switch on, optional, closed captions, srt, subtitle track,
      language, selectable, subtitles as an option, turn on and off, toggle, can be turned off, switch off, mux
      subtitles, embed srt, add srt, several languages, subtitle stream, offer subtitles, choose, choose the language,
      viewers choose, optional subtitles, can be hidden, put a caption file, add a subtitle file, subtitles people can
      switch, text that can be turned off, caption file into the mp4, subtitles on and off, hide and show, subtitle that
      can be turned off, turn off, subtitles that one can turn off, optional english subtitles, several subtitle
      languages`,
    inputs: [VIDEO, STREAM_OF_TEXT],
    outputs: ['mp4', 'm4v', 'mov'],
    arguments: {
      language: {
        type: 'text',
        maxLength: 3,
        default: 'eng',
        description: 'The language as an ISO 639-2 code: eng, deu, fra, spa.',
      },
    },
    request: {
      parameters: {
        map: ['0:v', '0:a?', '1:s', '{{#input.textTracks}}{{input.textTracks}}{{/input.textTracks}}'],
        'c:v': 'copy',
        'c:a': 'copy',
        'c:s': 'mov_text',
        'metadata:s:s:0': 'language={{language}}',
        ...FAST_START,
      },
    },
  },
  {
    name: 'captions-from-speech',
    version: 1,
    title: 'Speech to text: transcribe, generate captions',
    description:
      'Transcribes what is said: captions with times as a file, or as one more stream of an .mkv with the video unchanged. It needs a model that the operator installs. The list of recipes says if no model is installed.',
    result: { keeps: [], incomparable: 'It writes what is said.' },
    words: phrases`
      transcribe, transcript, transcription, transcribe a meeting, transcribe an interview, transcribe a podcast,
      transcribe voice memos, speech to text, voice to text, audio to text, video to text, stt, asr, recognise speech,
      what is said, what people say, spoken words as text, write down the words, captions, generate captions, auto
      captions, automatic captions, auto subtitles, automatic subtitles, generate subtitles, create subtitles, make
      captions, subtitles from speech, captions from speech, captions from audio, subtitles from sound, speech to
      subtitles, speech to srt, dictation, minutes of a meeting, caption a lecture`,
    inputs: [AUDIO],
    outputs: ['srt', 'vtt', 'mkv'],
    arguments: {
      language: {
        type: 'text',
        maxLength: 4,
        default: 'auto',
        description: 'The code of the spoken language: en, de, ja. `auto` detects it.',
      },
    },
    request: {
      transcribe: { language: '{{language}}' },
      parameters: { c: { when: 'output.mkv', value: 'copy' } },
    },
  },
  {
    name: 'extract-subtitles',
    version: 1,
    title: 'Subtitles out of a video',
    description: 'Writes a text subtitle track of a video to a separate file.',
    result: { keeps: ['subtitles'], incomparable: 'It writes text.' },
    words: phrases`
      extract subtitles, rip subtitles, get captions, save srt, export, vtt, pull the subtitles from the mkv, get the
      subtitles out, subtitles to a file, dump subtitles, separate srt file, english subtitles from a film, out of the
      film, save the captions, captions to a text file, subtitle file from, text from the subtitles, captions as a file,
      subtitles as srt`,
    inputs: [VIDEO],
    outputs: ['srt', 'vtt', 'ass'],
    arguments: {
      track: wholeNumber(1, 100, 1, 'Which of the subtitle tracks.'),
    },
    values: { index: 'track - 1' },
    request: { parameters: { map: '0:s:{{index}}' } },
  },
  filteredVideo({
    name: 'text-overlay',
    version: 3,
    title: 'Text on the video',
    description: 'Writes a line of text on a video, such as a title or a name.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      text, title, caption, write, label, heading, drawtext, name, lower third, words on screen, font, write on the
      video, title on the first scene, title text, add a title, put text, print the date, date, timestamp, show a name,
      burn text, headline, quote, credits, words on the picture, write the date, opening shot, across the picture,
      chapter title, name of the speaker, add text, show text, put words, write something, show the date, words over the
      video, lettering, name under the person, write the name, caption under a person`,
    arguments: {
      text: { type: 'text', maxLength: 200, required: true, description: 'The line of text.' },
      place: choice(TEXT_PLACES, 'bottom', 'Where the text is.'),
      size: wholeNumber(6, 500, 48, 'The height of the letters in pixels.', 'px'),
      colour: { type: 'colour', default: 'white', description: 'The colour of the letters.' },
      box: { type: 'colour', default: 'black@0.5', description: 'The colour of the box behind them.' },
      ...MARGIN,
    },
    parameters: {
      vf: `drawtext=text={{text}}:expansion=none:fontsize={{size}}:fontcolor={{colour}}:box=1:boxcolor={{box}}:boxborderw=10:{{place}},${EVEN}`,
    },
  }),
];
