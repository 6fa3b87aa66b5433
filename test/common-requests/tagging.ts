import { chapters, duration, streams, tags } from './checks/container.ts';
import { samePackets } from './checks/packets.ts';
import { sameSamples } from './checks/sound.ts';
import { lines } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

const cover = { codec_name: 'mjpeg', width: 180, disposition: { attached_pic: 1 } };

/** Tags, chapters and covers. */
export const TAGGING: readonly CommonRequest[] = [
  {
    title: 'sets title, artist and date without re-encoding',
    source: 'ffmpeg documentation, "metadata"',
    request: {
      input: 'small.mp4',
      output: 'tagging/tags.mp4',
      parameters: {
        c: 'copy',
        metadata: ['title=Größe & "Maß"', 'artist=A; B', 'date=2024', 'comment=50% = half: yes\\no'],
      },
    },
    checks: [
      tags({ title: 'Größe & "Maß"', artist: 'A; B', date: '2024', comment: '50% = half: yes\\no' }),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'removes all tags',
    source: 'question sites: "remove all metadata"',
    request: {
      input: 'multi.mkv',
      output: 'tagging/bare.mkv',
      parameters: { map_metadata: '-1', map_chapters: '-1', c: 'copy', fflags: '+bitexact' },
    },
    // Without a map, ffmpeg keeps one of the two languages.
    warnings: ['UNUSED_STREAM'],
    checks: [
      tags({ title: undefined, encoder: 'Lavf' }),
      chapters(),
      streams({ codec_name: 'h264' }, { codec_name: 'aac' }, { codec_name: 'subrip' }),
    ],
  },
  {
    title: 'adds chapters from a metadata file',
    source: 'ffmpeg documentation, "Metadata": ffmetadata',
    request: {
      inputs: ['small.mp4', 'chapters.txt'],
      output: 'tagging/chapters.mp4',
      parameters: { map_metadata: '1', map: '0', c: 'copy' },
    },
    checks: [
      chapters([0, 0.75, 'Opening'], [0.75, 2, 'The rest']),
      tags({ title: 'Two chapters' }),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'extracts tags and chapters into a metadata file',
    source: 'ffmpeg documentation, "Metadata": ffmetadata',
    request: { input: 'multi.mkv', output: 'tagging/tags.txt', format: 'ffmetadata' },
    checks: [
      lines(
        ';FFMETADATA1',
        'title=Two chapters',
        '[CHAPTER]',
        'START=0',
        'END=750000000',
        'title=Opening',
        '[CHAPTER]',
        'title=The rest',
      ),
    ],
  },
  {
    title: 'copies the tags of another file',
    source: 'ffmpeg documentation, "map_metadata"',
    request: {
      inputs: ['small.mp4', 'song.mp3'],
      output: 'tagging/taken.mp4',
      parameters: { map: '0', map_metadata: '1', c: 'copy' },
    },
    checks: [tags({ title: 'Lena' })],
  },
  {
    title: 'sets the languages of the audio streams',
    source: 'question sites: "set audio track language"',
    request: {
      input: 'multi.mkv',
      output: 'tagging/languages.mp4',
      parameters: {
        map: ['0:v', '0:a'],
        map_chapters: '-1',
        c: 'copy',
        'metadata:s:a:0': ['language=fra', 'title=Français'],
        'metadata:s:a:1': 'language=nld',
      },
    },
    checks: [
      streams(
        { codec_name: 'h264' },
        { codec_name: 'aac', tags: { language: 'fra' } },
        { codec_name: 'opus', tags: { language: 'nld' } },
      ),
    ],
  },
  {
    title: 'sets the creation time',
    source: 'question sites: "set creation_time"',
    request: {
      input: 'small.mp4',
      output: 'tagging/made.mp4',
      parameters: { c: 'copy', metadata: 'creation_time=2020-02-29T12:34:56Z' },
    },
    checks: [tags({ creation_time: '2020-02-29T12:34:56.000000Z' })],
  },
  {
    title: 'adds a cover to an MP3',
    source: 'ffmpeg documentation, muxer mp3: attached picture',
    request: {
      inputs: ['song.mp3', 'cover.jpg'],
      output: 'tagging/cover.mp3',
      parameters: {
        map: ['0:a', '1:v'],
        c: 'copy',
        id3v2_version: '3',
        'metadata:s:v': ['title=Album cover', 'comment=Cover (front)'],
      },
    },
    checks: [
      streams({ codec_name: 'mp3' }, { ...cover, tags: { title: 'Album cover', comment: 'Cover (front)' } }),
      samePackets('cover.jpg', 'v:0'),
      tags({ title: 'Lena' }),
    ],
  },
  {
    title: 'adds a cover to an M4A',
    source: 'question sites: "add album art to m4a"',
    request: {
      inputs: ['voice.wav', 'cover.jpg'],
      output: 'tagging/cover.m4a',
      parameters: { map: ['0', '1'], 'c:a': 'aac', 'c:v': 'copy', 'disposition:v:0': 'attached_pic' },
    },
    checks: [streams({ codec_name: 'aac' }, cover), duration(3, 0.03), samePackets('cover.jpg', 'v:0')],
  },
  {
    title: 'adds a cover to a FLAC',
    source: 'question sites: "flac with cover art"',
    request: {
      inputs: ['voice.wav', 'cover.jpg'],
      output: 'tagging/cover.flac',
      parameters: {
        map: ['0:a', '1:v'],
        'c:a': 'flac',
        'c:v': 'copy',
        'disposition:v': 'attached_pic',
        'metadata:s:v': 'comment=Cover (front)',
      },
    },
    checks: [streams({ codec_name: 'flac' }, cover), sameSamples('voice.wav')],
  },
  {
    title: 'adds a poster to an MP4',
    source: 'ffmpeg documentation, "disposition": a thumbnail',
    request: {
      inputs: ['small.mp4', 'frames/img001.png'],
      output: 'tagging/poster.mp4',
      parameters: { map: ['0', '1'], c: 'copy', 'c:v:1': 'png', 'disposition:v:1': 'attached_pic' },
    },
    checks: [
      streams({ codec_name: 'h264' }, { codec_name: 'aac' }, { codec_name: 'png', disposition: { attached_pic: 1 } }),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'extracts the cover of an MP3',
    source: 'question sites: "extract cover art from mp3"',
    request: { input: 'record.mp3', output: 'tagging/cover.jpg', parameters: { an: '', 'c:v': 'copy' } },
    checks: [streams({ codec_name: 'mjpeg', width: 180 }), samePackets('cover.jpg', 'v:0')],
  },
  {
    title: 'removes the cover from an MP3',
    source: 'question sites: "remove cover art from mp3"',
    request: { input: 'record.mp3', output: 'tagging/no-cover.mp3', parameters: { vn: '', 'c:a': 'copy' } },
    checks: [streams({ codec_name: 'mp3' }), samePackets('song.mp3', 'a:0')],
  },
];
