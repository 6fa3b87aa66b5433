import { H264, type MediaCause } from './media-cause.ts';

/** Expressions of `select` and `aselect` that let nothing pass. */
export const SELECTION_CAUSES: readonly MediaCause[] = [
  {
    title: 'a selection after the end of a film',
    request: { input: 'silent.mp4', output: 'late.mp4', parameters: { ...H264, vf: 'select=gt(t\\,100)' } },
    message:
      'Nothing was written: the filter select let nothing pass: it starts at 100 s, but "silent.mp4" has only 3 s.',
    fix: 'Send "vf": "select=expr=gt(t\\\\,1)".',
    followed: { parameters: { ...H264, vf: 'select=expr=gt(t\\,1)' } },
  },
  {
    title: 'scenes that differ more than any do',
    request: { input: 'silent.mp4', output: 's%d.png', parameters: { vf: 'select=gt(scene\\,0.99)', fps_mode: 'vfr' } },
    message: /let nothing pass: no frame differs by more than 0\.99 from the one before\.$/,
    fix: /^Send "vf": "select=expr=gt\(scene\\\\,0\.3\)"\. If still nothing passes, lower it again\.$/,
    followed: { parameters: { vf: 'select=expr=gt(scene\\,0.01)', fps_mode: 'vfr' } },
  },
  {
    title: 'a selection of no sample',
    request: { input: 'short.wav', output: 'none.wav', parameters: { af: 'aselect=0' } },
    message: /the filter aselect let nothing pass: its expression was 0 for every frame\.$/,
    fix: 'Send "af": "anull", or send another expression of the filter.',
    followed: { parameters: { af: 'anull' } },
  },
  {
    title: 'the second of one sound',
    request: { input: 'talk.mp4', output: 'second.m4a', parameters: { map: '0:a:1' } },
    message: 'The map "0:a:1" selects nothing: "talk.mp4" has 1 audio stream, and they count from 0.',
    fix: 'Send "map": "0:a:0".',
    followed: { parameters: { map: '0:a:0' } },
    seconds: 4,
  },
  {
    title: 'the sound of a silent film',
    request: { input: 'silent.mp4', output: 'both.mkv', parameters: { ...H264, map: ['0:v', '0:a'] } },
    message: 'The map "0:a" selects nothing: "silent.mp4" has no audio, only video.',
    fix: 'Leave "0:a" out of "map". If only some files lack it, send "0:a?".',
    followed: { parameters: { ...H264, map: ['0:v', '0:a?'] } },
    seconds: 3,
  },
  {
    title: 'a song and a film with exchanged maps',
    request: {
      inputs: ['short.wav', 'silent.mp4'],
      output: 'exchanged.mkv',
      parameters: { map: ['0:v', '1:a'], 'c:v': 'copy' },
    },
    message: 'The map "0:v" selects nothing: "short.wav" has no video, only audio.',
    fix: 'Send "map": ["1:v","0:a"].',
    followed: { parameters: { map: ['1:v', '0:a'], 'c:v': 'copy' } },
  },
  {
    title: 'the number of a film in a format for sound',
    request: { input: 'talk.mp4', output: 'film.mp3', parameters: { map: '0:0', 'c:a': 'libmp3lame' } },
    message: 'The format mp3 holds audio, and the map "0:0" selects the video of "talk.mp4"; its audio is 0:1.',
    fix: 'Send "map": "0:a".',
    followed: { parameters: { map: '0:a', 'c:a': 'libmp3lame' } },
    seconds: 4,
  },
  {
    title: 'the number of a film beside a sound in a format for sound',
    request: {
      inputs: ['talk.mp4', 'talk.mp4'],
      output: 'two.opus',
      parameters: { map: ['1:a', '0:0'], 'c:a': 'libopus' },
    },
    message: /the map "0:0" selects the video/,
    fix: 'Send "map": ["1:a","0:a"].',
    followed: { parameters: { map: ['1:a'], 'c:a': 'libopus' } },
    seconds: 4,
  },
  {
    title: 'the sound of a film as a picture',
    request: { input: 'talk.mp4', output: 'sound.jpg', parameters: { map: '0:1', 'frames:v': '1' } },
    message: 'The output is an image, and the map "0:1" selects the audio of "talk.mp4".',
    fix: 'Send "map": "0:v".',
    followed: { parameters: { map: '0:v', 'frames:v': '1' } },
  },
  {
    title: 'adaptation sets for a film without sound',
    request: {
      input: 'silent.mp4',
      output: 'dash/manifest.mpd',
      parameters: { ...H264, adaptation_sets: 'id=0,streams=0 id=1,streams=1' },
    },
    message: '"adaptation_sets" names the stream 1, and the output has only video.',
    fix: 'Send "adaptation_sets": "id=0,streams=v".',
    followed: { parameters: { ...H264, adaptation_sets: 'id=0,streams=v' } },
  },
  {
    title: 'the other code of a language',
    request: { input: 'german.mka', output: 'german.m4a', parameters: { map: '0:a:m:language:deu' } },
    message: 'The map "0:a:m:language:deu" selects nothing: "german.mka" names this language "ger".',
    fix: 'Send "map": "0:a:m:language:ger".',
    followed: { parameters: { map: '0:a:m:language:ger' } },
  },
  {
    title: 'filters and a codec for the film of a song',
    request: { input: 'music.ogg', output: 'song.mp4', parameters: { 'c:v': 'libx264', vf: 'scale=320:180' } },
    warning: 'NO_EFFECT',
    message: '"vf" and "c:v" have no effect: "music.ogg" has no video, so the output has none.',
    fix: /^Leave "vf" and "c:v" out, or send an image/,
    followed: {
      input: undefined,
      inputs: ['music.ogg', { input: 'photo.jpg', parameters: { loop: '1' } }],
      parameters: { ...H264, vf: 'scale=320:180', pix_fmt: 'yuv420p', shortest: '' },
    },
    size: '320x180',
  },
];
