import type { Recipe, RecipeResult } from '@telecine/contract/domain/recipe.ts';
import { AAC, AUDIO_FILES, FAST_START, H264_FILES, H264_QUALITY, H264_VIDEO, number, phrases, VIDEO } from './parts.ts';

/** The containers for a video whose streams are copied without re-encoding. */
const COPIED_FILES = ['mp4', 'mov', 'mkv'] as const;

const CROSSFADE = {
  crossfade: number(
    0.1,
    60,
    'optional',
    'The length of a crossfade between two of them in seconds. Default: none.',
    's',
  ),
} as const;

const JOINED = { keeps: ['picture', 'sound'], times: 'joined' } as const satisfies RecipeResult;

/** Recipes that join files, and a recipe that adds silent audio. */
export const JOINING: readonly Recipe[] = [
  {
    name: 'join',
    version: 3,
    title: 'Join videos',
    description:
      'Shows videos one after the other, whatever their sizes, rates and audio formats, with crossfades if wanted. They are scaled to fit the largest, on black. A video without audio gets silence.',
    result: JOINED,
    words: phrases`
      join mp4 files, merge mp4 files, join clips, merge two videos, concatenate, combine videos, put an intro before,
      append, one after the other, stitch, glue together, add an outro, several clips into one, concat, merge videos of
      different sizes, attach videos, put clips together, one long video, intro and outro, link videos, sequence of
      clips, compilation, merge the parts, two videos, two mp4, join two mp4, put together, assemble, one film out of
      several, single movie, single film, add a clip at the end, several videos into one, files one after the other, one
      movie out of three, append a video, after each other, clips from different cameras, clips with transitions,
      crossfade between clips, crossfade clips`,
    inputs: [
      { role: 'first', description: 'The first video.' },
      { role: 'next', description: 'The videos after it, in their order.', many: true, crossfade: '{{crossfade}}' },
    ],
    outputs: H264_FILES,
    arguments: { ...CROSSFADE, ...H264_QUALITY },
    request: { join: 'encode', parameters: H264_VIDEO },
  },
  {
    name: 'join-without-encoding',
    version: 1,
    title: 'Join parts of one recording without encoding',
    description:
      'Puts videos of one camera, or parts of one recording, one after the other in seconds, without loss. Rejects videos that differ, and says what differs.',
    result: { keeps: [...JOINED.keeps, 'hdr', 'alpha'], times: 'joined' },
    words: phrases`
      lossless join, merge clips without re-encoding, join videos without encoding, merge videos losslessly, concat
      copy, camera files, gopro chapters, dashcam, split recording, without quality loss, same camera, parts of a
      recording, camera splits files, 4 gb parts, chaptered files, fast merge, join losslessly, merge mp4 files without
      quality loss, recorder cut the file, camera cut the recording, one file again, split by the camera, cut by the
      camera, parts that the camera made, without encoding again`,
    inputs: [
      { role: 'first', description: 'The first part.' },
      { role: 'next', description: 'The parts after it, in their order.', many: true },
    ],
    outputs: [...COPIED_FILES, 'ts'],
    arguments: {},
    request: { join: 'copy', parameters: FAST_START },
  },
  {
    name: 'join-sounds',
    version: 2,
    title: 'Join audio files',
    description:
      'Plays audio files one after the other, whatever their formats, with crossfades if wanted: chapters, songs, parts of a podcast.',
    result: { keeps: ['sound'], times: 'joined' },
    words: phrases`
      merge mp3 files, merge chapters, chapters into m4b, m4b, mp3 chapters into an audiobook, join audio, concatenate sounds, audiobook chapters, podcast parts, combine songs, one audio file,
      append a jingle, several recordings into one, merge audio files, intro jingle before an episode, join tracks,
      merge voice memos, glue audio files together, two songs, songs as one track, merge tracks, one sound file, audio
      parts together, two recordings as one, sounds one after the other`,
    inputs: [
      { role: 'first', description: 'The first audio file.' },
      {
        role: 'next',
        description: 'The audio files after it, in their order.',
        many: true,
        crossfade: '{{crossfade}}',
      },
    ],
    outputs: AUDIO_FILES,
    arguments: CROSSFADE,
    request: { join: 'encode', parameters: { vn: '' } },
  },
  {
    name: 'add-silent-sound',
    version: 2,
    title: 'Add a silent audio track',
    description:
      'Gives a video without audio a silent audio track, which some sites, editors and players require. A video that has audio keeps it. Nothing is re-encoded. Subtitles and further video streams are left out.',
    result: { keeps: ['picture', 'sound', 'all-sound', 'languages', 'hdr', 'alpha', 'chapters', 'tags'] },
    words: phrases`
      silent track, silent audio, add silence, empty sound track, empty audio track, video has no audio track, needs an
      audio track, upload requires audio, null audio, dummy audio, blank audio, silence for a mute video, missing audio
      stream, no audio stream, insists on an audio stream, has no sound, sound track required, rejected without audio,
      needs sound, require a sound track`,
    inputs: [VIDEO],
    outputs: [...COPIED_FILES, 'm4v'],
    arguments: {},
    request: {
      parameters: {
        filter_complex: {
          when: 'input.sounds',
          otherwise: 'anullsrc=r=48000:cl=stereo,atrim=duration={{input.duration}}[silence]',
        },
        map: { when: 'input.sounds', value: ['0:v:0', '0:a'], otherwise: ['0:v:0', '[silence]'] },
        'c:v': 'copy',
        'c:a': { when: 'input.sounds', value: 'copy', otherwise: AAC['c:a'] },
        ...FAST_START,
      },
    },
  },
];
