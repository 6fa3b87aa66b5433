import type { MediaCause } from './media-cause.ts';

const COPY = { c: 'copy' } as const;

/** Tags and dispositions for chapters, programs and streams that the output does not have. */
export const TAG_CAUSES: readonly MediaCause[] = [
  {
    title: 'a name for a chapter of a film without chapters',
    request: { input: 'talk.mp4', output: 'chapter.mp4', parameters: { ...COPY, 'metadata:c:0': 'title=Intro' } },
    message: 'ffmpeg rejected a value of the request: Invalid chapter index 0 in metadata specifier.',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: {
      input: undefined,
      inputs: ['talk.mp4', 'chapters.ffmeta'],
      parameters: { ...COPY, map_chapters: '1' },
    },
    seconds: 4,
  },
  {
    title: 'a chapter counted from 1',
    request: {
      inputs: ['talk.mp4', 'chapters.ffmeta'],
      output: 'second.mp4',
      parameters: { ...COPY, 'metadata:c:1': 'title=Start' },
    },
    message: 'ffmpeg rejected a value of the request: Invalid chapter index 1 in metadata specifier.',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: { parameters: { ...COPY, 'metadata:c:0': 'title=Start' } },
  },
  {
    title: 'a name for a chapter that the request leaves out',
    request: {
      inputs: ['talk.mp4', 'chapters.ffmeta'],
      output: 'left-out.mp4',
      parameters: { ...COPY, map_chapters: '-1', 'metadata:c:0': 'title=Start' },
    },
    message: 'ffmpeg rejected a value of the request: Invalid chapter index 0 in metadata specifier.',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: { parameters: { ...COPY, map_chapters: '1', 'metadata:c:0': 'title=Start' } },
  },
  {
    title: 'a name for a program of a transport stream',
    request: { input: 'talk.mp4', output: 'program.ts', parameters: { ...COPY, 'metadata:p:0': 'title=News' } },
    message: 'ffmpeg rejected a value of the request: Invalid program index 0 in metadata specifier.',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: { parameters: { ...COPY, metadata: 'service_name=News' } },
  },
  {
    title: 'tags copied from a chapter that does not exist',
    request: { input: 'talk.mp4', output: 'copied.mp4', parameters: { ...COPY, 'map_metadata:g': '0:c:0' } },
    message: 'ffmpeg rejected a value of the request: Invalid chapter index 0 while processing metadata maps.',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: { parameters: COPY },
  },
  {
    title: 'a language of subtitles that the film does not have',
    request: { input: 'talk.mp4', output: 'language.mp4', parameters: { ...COPY, 'metadata:s:s:0': 'language=eng' } },
    message: '"metadata:s:s:0" has no effect: the output has no subtitle stream.',
    warning: 'NO_EFFECT',
    fix: 'Leave "metadata:s:s:0" out, or send "map" for the stream that is meant.',
    followed: { parameters: COPY },
  },
  {
    title: 'a language of subtitles that ffmpeg left out',
    request: { input: 'subs.mkv', output: 'dropped.mp4', parameters: { ...COPY, 'metadata:s:s:0': 'language=eng' } },
    message: '"metadata:s:s:0" has no effect: the output has no subtitle stream.',
    warning: 'NO_EFFECT',
    fix: 'Leave "metadata:s:s:0" out, or send "map" for the stream that is meant.',
    followed: { parameters: { ...COPY, 'c:s': 'mov_text', 'metadata:s:s:0': 'language=eng' } },
  },
  {
    title: 'a language of the first sound counted from 1',
    request: { input: 'talk.mp4', output: 'first.mp4', parameters: { ...COPY, 'metadata:s:a:1': 'language=eng' } },
    message: '"metadata:s:a:1" has no effect: the output has 1 audio stream, counted from 0.',
    warning: 'NO_EFFECT',
    fix: 'Leave "metadata:s:a:1" out, or send "map" for the stream that is meant.',
    followed: { parameters: { ...COPY, 'metadata:s:a:0': 'language=eng' } },
  },
  {
    title: 'a disposition of a stream that the output does not have',
    request: { input: 'talk.mp4', output: 'default.mkv', parameters: { ...COPY, 'disposition:s:0': 'default' } },
    message: '"disposition:s:0" has no effect: the output has no subtitle stream.',
    warning: 'NO_EFFECT',
    fix: 'Leave "disposition:s:0" out, or send "map" for the stream that is meant.',
    followed: { parameters: COPY },
  },
];
