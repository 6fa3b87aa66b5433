import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import {
  COPIED_SUBTITLES,
  copyTracks,
  ENCODED,
  EVEN,
  filteredVideo,
  H264,
  H264_FILES,
  H264_QUALITY,
  H264_VIDEO,
  NO_CHAPTERS,
  number,
  PART_OF,
  phrases,
  subtitlesIn,
  VIDEO,
  wholeNumber,
} from './parts.ts';

const RANGE = {
  // No default: a request with "cut" may have no "ss".
  start: { type: 'time', description: 'Where the part begins. Default: at the start of the input.' },
  end: { type: 'time', description: 'Where it ends. Default: at the end of the input.' },
} as const;

/** Returns a template text that applies only to outputs with video. */
const ofVideo = (text: string): string =>
  `{{#output.mp4|output.mov|output.mkv}}${text}{{/output.mp4|output.mov|output.mkv}}`;
const OF_AUDIO =
  '{{#output.m4a}}{{input.m4aCodec}}{{/output.m4a}}{{#output.mp3}}libmp3lame{{/output.mp3}}{{#output.opus|output.ogg}}{{input.oggCodec}}{{/output.opus|output.ogg}}';

const FILMS = 'output.mp4|output.mov|output.m4v|output.mkv|output.webm|output.ts';
/** Another video has other key frames, so that the part would begin earlier. */
const SHOWN = '{{#input.shown}}{{input.shown}}{{/input.shown}}{{^input.shown}}0:V:0?{{/input.shown}}';
const ofFilm = (text: string): string => `{{#${FILMS}}}${text}{{/${FILMS}}}`;

const SUBTITLES = subtitlesIn('output.mp4|output.mov');

/** Recipes that change times: parts, speed, order and fades. */
export const TIMING: readonly Recipe[] = [
  filteredVideo({
    name: 'trim',
    version: 3,
    title: 'Cut out a part, to the frame',
    description:
      'Keeps the part of a video between two times. It is re-encoded, so that it begins and ends exactly there.',
    result: { keeps: [...PART_OF.keeps, 'subtitles'], times: 'part' },
    words: phrases`
      cut, cut a part, clip, trim, section, excerpt, from to, seconds, minutes, beginning, first, start, end, remove intro,
      highlight, scene, middle, cut the middle out of a film, boring part, last minute, first minute, cut off, remove
      the beginning, remove the end, cut the intro off, keep only, shorter version, between two times, a part of, from
      minute to minute, crop in time, exact cut, bit, middle out, until, from until, only need, first seconds, chop off,
      from 1:30 to 2:45, remove the last seconds, everything after, take a part out, shorten, only the part, only the
      middle, part from`,
    inputs: [{ ...VIDEO, parameters: { ss: '{{start}}', to: '{{end}}' } }],
    arguments: RANGE,
    parameters: { vf: EVEN },
  }),
  {
    name: 'cut-without-encoding',
    version: 2,
    title: 'Cut out a part without re-encoding',
    description:
      'Keeps the part between two times in a moment and without loss, with all audio and subtitles that the output can contain, but begins at the key frame before the start, which can be seconds earlier.',
    result: {
      keeps: ['picture', 'sound', 'languages', 'subtitles', 'tags', 'hdr', 'alpha'],
      times: 'part-from-key-frame',
    },
    words: phrases`
      cut, trim, lossless cut, fast cut, copy, without quality loss, no re-encoding, quick, keyframe, keep only a part
      without losing quality, without losing quality, lossless trim, stream copy cut, cut quickly, keep quality,
      original quality, from 1:30 to 2:45 without loss, quality untouched, no loss of quality, exact copy of a part, cut
      a section without re-encoding`,
    inputs: [{ ...VIDEO, parameters: { ss: '{{start}}', to: '{{end}}' } }],
    outputs: ['mp4', 'mov', 'm4v', 'mkv', 'webm', 'ts', 'mp3', 'm4a'],
    arguments: RANGE,
    request: {
      parameters: {
        // A track of a cover would make the part begin late.
        ...copyTracks(ofFilm(SHOWN), ofFilm('0:a?')),
        ...NO_CHAPTERS,
        // A cover has the time 0, so the audio would begin late.
        avoid_negative_ts: { when: 'input.covers', otherwise: 'make_zero' },
      },
    },
  },
  filteredVideo({
    name: 'speed',
    version: 4,
    title: 'Change the speed',
    description:
      'Plays a video faster or slower, with its audio at the same pitch: 2 is twice as fast, 0.5 half as fast. The frame rate stays: frames are left out or repeated.',
    result: { ...PART_OF, times: 'speed' },
    words: phrases`
      fast, faster, slow motion, slow down, speed up, twice as fast, double, half speed, timelapse, tempo, 2x,
      hyperlapse, 4x, slow-mo, slomo, slowmotion, fast forward, double speed, time lapse of a video, quickly, 1.5x,
      faster lecture, accelerate, half as fast, twice, slowly, sped up, eight times, times faster, quicker, time lapse,
      half the speed, at double speed, slow the video, see it slowly, times slower, five times slower, tempo of a video`,
    arguments: {
      factor: number(0.25, 100, 2, 'How many times as fast.', 'x'),
    },
    parameters: {
      // After `setpts`, ffmpeg 7 knows no frame rate. Encoders then take the time base for it, and choose a level that players reject. Without
      // `eof_action=pass`, nothing would be left of a video that becomes shorter than half a frame.
      vf: {
        when: 'input.frameRate',
        value: `setpts=PTS/{{factor}},fps={{input.frameRate}}:eof_action=pass,${EVEN}`,
        otherwise: `setpts=PTS/{{factor}},${EVEN}`,
      },
      // One `atempo` filter reaches factors from 0.5 to 100. Two filters in a row reach 0.25.
      af: 'atempo=sqrt({{factor}}),atempo=sqrt({{factor}})',
    },
  }),
  filteredVideo({
    name: 'reverse',
    version: 5,
    title: 'Play backwards',
    description:
      'Reverses a short video with its audio. The whole video is in memory meanwhile, so this suits clips of some seconds.',
    result: { ...PART_OF, times: 'reversed' },
    words: phrases`
      reverse, backwards, rewind, backward, in reverse, play in reverse, rewinding, reversed, last frame first,
      end to start, from the end to the beginning, back to front, from back to front`,
    // At a varying rate, `reverse` would show each frame for as long as another one. What begins after the sound would begin as late again.
    parameters: {
      vf: `fps=source_fps,reverse,setpts=PTS-STARTPTS,${EVEN}`,
      af: 'areverse',
    },
  }),
  {
    name: 'loop',
    version: 3,
    title: 'Repeat several times',
    description: 'Plays a video or an audio file several times in a row, without re-encoding.',
    result: { keeps: ['picture', 'sound', 'languages', 'tags', 'hdr', 'alpha'], times: 'repeated' },
    words: phrases`
      repeat, loop, again, times, longer, endless, looping, play again and again, ten times, duplicate, repeat a sound,
      longer version, loop 10 times, hour long, over and over, times in a row, ten times in a row, forever, repeatedly,
      several times, run again`,
    inputs: [{ ...VIDEO, parameters: { stream_loop: '{{more}}' } }],
    outputs: ['mp4', 'mov', 'm4v', 'mkv', 'webm', 'mp3', 'm4a'],
    arguments: {
      times: wholeNumber(2, 1000, 2, 'How often it is played.'),
    },
    values: { more: 'times - 1' },
    request: { parameters: { c: 'copy', 'c:s': COPIED_SUBTITLES['c:s'], ...NO_CHAPTERS } },
  },
  filteredVideo({
    name: 'fade',
    version: 3,
    title: 'Fade in and out',
    description: 'Fades video and audio in from black at the start and out at the end.',
    result: { ...ENCODED, changes: ['colours', 'loudness'] },
    words: phrases`
      fade, black, smooth start, soft ending, fade in, fade out, fade to black, from black, fade the sound, fade in the
      music, fade out at the end, gently start, dissolve, gently, fade away, soft start, dark at the end, slowly
      appears, slowly disappears, begin from black, end in black`,
    arguments: {
      seconds: number(0.1, 30, 1, 'The length of each fade in seconds.', 's'),
    },
    values: { start: 'max(0, input.duration - seconds)' },
    parameters: {
      vf: `fade=t=in:d={{seconds}},fade=t=out:st={{start}}:d={{seconds}},${EVEN}`,
      af: { when: 'input.sounds', value: 'afade=t=in:d={{seconds}},afade=t=out:st={{start}}:d={{seconds}}' },
    },
  }),
  filteredVideo({
    name: 'frame-rate',
    version: 3,
    title: 'Change the frame rate',
    description:
      'Gives a video another number of frames per second at the same speed, and a constant one if it varies.',
    result: { ...ENCODED, changes: ['frame-rate'] },
    words: phrases`
      fps, frames per second, 30 fps, 60fps, 24 fps, 25, constant frame rate, variable, vfr, cfr, 60 to 30, 50 to 25, 50
      to 25 fps, reduce fps, increase fps, framerate, ntsc to pal, smooth motion, stutters, change fps, choppy, frames
      each second, pictures per second, half the frames, refresh rate`,
    arguments: {
      fps: number(1, 240, 30, 'Frames per second.', 'fps'),
    },
    parameters: { vf: `fps={{fps}},${EVEN}` },
  }),
  {
    name: 'split',
    version: 1,
    title: 'Split into parts of equal length',
    description:
      'Cuts a video into several files without re-encoding, each of about this length: cuts are at key frames. Name the output with a counter, such as "part_%03d.mp4".',
    result: { keeps: ['picture', 'sound', 'all-sound', 'languages', 'hdr', 'alpha', 'tags'], times: 'pieces' },
    words: phrases`
      chapters of ten minutes, split, parts, pieces, chunks, segments, divide, minutes each, several files, every 10 minutes, 15 minute files,
      equal parts, cut into pieces, long lecture, smaller files, break up, 10 minute parts, divide into, pieces of
      fifteen minutes, smaller parts, parts of ten minutes, cut every, single parts, slices, into parts`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'mkv', 'ts'],
    arguments: {
      length: { type: 'time', min: 0.1, default: '60', description: 'The length of a part.' },
    },
    request: {
      format: 'segment',
      parameters: { map: '0', c: 'copy', segment_time: '{{length}}', reset_timestamps: '1' },
    },
  },
  {
    name: 'split-chapters',
    version: 5,
    title: 'Split into a file for each chapter',
    description:
      'Writes each chapter of a video or an audiobook into its own file. Videos are not re-encoded: a file begins at the first key frame of its chapter, with "exact" at its start. Subtitles stay, each in the file where it begins (MP4 and MOV: only text). The last file has what follows the chapters, if over 5 s and 2 %. Tags stay, but for the title. Name the output with a counter, such as "chapter_%02d.mp4". For files named after their chapters, send times and names of a probe as "outputs" instead.',
    result: { keeps: ['picture', 'sound', 'all-sound', 'languages', 'subtitles', 'tags'], times: 'pieces' },
    words: phrases`
      split by chapters, split at chapters, chapters to files, one file per chapter, a file for every chapter, separate
      chapters, chapter files, per chapter, extract chapters, export chapters, cut at chapter marks, chapter markers,
      split an audiobook, audiobook into tracks, m4b to mp3 chapters, m4b splitter, single chapters, break a film into
      its chapters, divide by chapters, dvd chapters as files`,
    inputs: [{ role: 'film', description: 'A video or an audio file with at least two chapters.' }],
    outputs: ['mp4', 'mov', 'mkv', 'm4a', 'mp3', 'opus', 'ogg'],
    arguments: {
      exact: {
        type: 'flag',
        default: false,
        description: 'Re-encode a video, so that each file begins and ends exactly with its chapter.',
      },
      ...H264_QUALITY,
    },
    request: {
      format: 'segment',
      parameters: {
        // Map no cover images: players would show the cover of an audiobook as a video.
        map: [
          ofVideo('0:v:0'),
          `${ofVideo('0:a?')}{{#output.m4a|output.mp3|output.opus|output.ogg}}0:a:0{{/output.m4a|output.mp3|output.opus|output.ogg}}`,
          SUBTITLES.map,
        ],
        map_chapters: '-1',
        map_metadata: '{{#input.taggedStream}}{{input.taggedStream}}{{/input.taggedStream}}',
        'map_metadata:s:a': '{{#input.taggedStream}}{{input.taggedStream}}{{/input.taggedStream}}',
        'c:v': { when: 'exact', value: ofVideo(H264['c:v']), otherwise: ofVideo('copy') },
        preset: { when: 'exact', value: ofVideo(H264.preset) },
        crf: { when: 'exact', value: ofVideo(H264.crf) },
        pix_fmt: { when: 'exact', value: ofVideo(H264.pix_fmt) },
        // Sections contain no quotes.
        vf: { when: 'exact', value: ofVideo(EVEN.replaceAll("'", '')) },
        force_key_frames: { when: 'exact', value: ofVideo('{{input.chapters}}') },
        'c:a': { when: 'exact', value: `${ofVideo('aac')}${OF_AUDIO}`, otherwise: `${ofVideo('copy')}${OF_AUDIO}` },
        'c:s': SUBTITLES['c:s'],
        segment_times: '{{input.chapters}}',
        segment_start_number: '1',
        reset_timestamps: '1',
        // Remove the title. Otherwise each file would have the title of the whole file.
        metadata: 'title=',
        to: { when: 'input.chaptersEnd', value: '{{input.chaptersEnd}}' },
      },
    },
  },
  {
    name: 'teaser',
    version: 1,
    title: 'Make a teaser of scenes',
    description:
      'A short video of the scenes of a long one: the middle of each, spread over the video, with crossfades between them and no scene twice. The job finds the scenes itself. If the video has fewer scenes, the teaser has fewer.',
    result: { ...PART_OF, incomparable: 'It shows scenes that the job chooses.' },
    words: phrases`
      teaser, trailer, highlight reel, highlights, best of, supercut, preview video, summary of a video, short version
      of a film, video summary, montage of scenes, sizzle reel, recap, promo, scenes with crossfades, automatic teaser,
      sample of scenes, moving preview, scene detection, glimpse, video digest, condense a film`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      scenes: wholeNumber(2, 30, 6, 'How many scenes. Fewer, if the video has fewer.'),
      seconds: number(
        0.5,
        20,
        2,
        'How long each one is shown, crossfades included: 4 scenes of 2.875 s with crossfades of 0.5 s last 10 s. Shorter scenes, down to half, count if there are too few of this length.',
        's',
      ),
      crossfade: number(
        0,
        5,
        0.5,
        'The length of the crossfades, in seconds; at most a quarter of "seconds". 0: hard cuts.',
        's',
      ),
      threshold: number(
        1,
        100,
        10,
        'How much the image changes where a scene begins. A lower value finds more scenes.',
      ),
      ...H264_QUALITY,
    },
    values: { fade: 'min(crossfade, seconds / 4)' },
    request: {
      cut: {
        keep: { scenes: { threshold: '{{threshold}}' }, count: '{{scenes}}', partSeconds: '{{seconds}}' },
        crossfade: '{{fade}}',
      },
      parameters: { vf: EVEN, ...H264_VIDEO },
    },
  },
];
