import { format, streams } from './checks/container.ts';
import { samePackets } from './checks/packets.ts';
import { looksLike, looksUnlike } from './checks/picture.ts';
import { lines } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

const h264 = { codec_name: 'h264' };
const aac = { codec_name: 'aac' };

/** Subtitles: added, extracted, converted and burnt in. */
export const SUBTITLES: readonly CommonRequest[] = [
  {
    title: 'adds subtitles with a language and a title to an MP4',
    source: 'question sites: "add subtitles to mp4 without burning in", mov_text',
    request: {
      inputs: ['small.mp4', 'worte.srt'],
      output: 'subtitles/soft.mp4',
      parameters: {
        map: ['0:v', '0:a', '1:s'],
        'c:v': 'copy',
        'c:a': 'copy',
        'c:s': 'mov_text',
        'metadata:s:s:0': ['language=deu', 'handler_name=Deutsch'],
      },
    },
    checks: [
      streams(h264, aac, { codec_name: 'mov_text', tags: { language: 'deu', handler_name: 'Deutsch' } }),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'adds subtitles in two languages to Matroska, the second as default',
    source: 'question sites: "set default subtitle track in mkv"',
    request: {
      inputs: ['small.mp4', 'words.srt', 'worte.srt'],
      output: 'subtitles/two.mkv',
      parameters: {
        map: ['0', '1', '2'],
        c: 'copy',
        'metadata:s:s:0': 'language=eng',
        'metadata:s:s:1': 'language=ger',
        'disposition:s:0': '0',
        'disposition:s:1': 'default+forced',
      },
    },
    checks: [
      streams(
        h264,
        aac,
        { codec_name: 'subrip', tags: { language: 'eng' }, disposition: { default: 0, forced: 0 } },
        { codec_name: 'subrip', tags: { language: 'ger' }, disposition: { default: 1, forced: 1 } },
      ),
    ],
  },
  {
    title: 'adds subtitles to WebM',
    source: 'ffmpeg documentation, muxer webm: WebVTT',
    request: {
      inputs: ['small.mp4', 'words.srt'],
      output: 'subtitles/words.webm',
      parameters: {
        map: ['0:v', '1:s'],
        'c:v': 'libvpx-vp9',
        deadline: 'realtime',
        'cpu-used': '8',
        s: '160x90',
        'c:s': 'webvtt',
      },
    },
    checks: [format('webm'), streams({ codec_name: 'vp9' }, { codec_name: 'webvtt' })],
  },
  {
    title: 'extracts subtitles as SubRip',
    source: 'question sites: "extract subtitles from mkv"',
    request: { input: 'multi.mkv', output: 'subtitles/out.srt', parameters: { map: '0:s:1' } },
    checks: [
      // The audio encoder's priming shifts everything by 21 ms.
      lines('1', '00:00:00,221 --> 00:00:00,921', 'Guten Morgen', '2', '00:00:01,121 --> 00:00:01,821', 'Zweite Zeile'),
    ],
  },
  {
    title: 'extracts subtitles of one language as WebVTT',
    source: 'question sites: "extract webvtt by language"',
    request: { input: 'multi.mkv', output: 'subtitles/out.vtt', parameters: { map: '0:s:m:language:eng' } },
    checks: [lines('WEBVTT', '00:00.221 --> 00:00.921', 'Good morning', '00:01.121 --> 00:01.821', 'Größe & Maß')],
  },
  {
    title: 'converts SubRip to ASS',
    source: 'ffmpeg documentation, encoder ass',
    request: { input: 'words.srt', output: 'subtitles/words.ass' },
    checks: [lines('[Script Info]', /^Style: Default,/, /^Dialogue: 0,0:00:00.20,0:00:00.90,Default,.*,Good morning$/)],
  },
  {
    title: 'converts ASS to SubRip',
    source: 'question sites: "ass to srt"',
    request: { input: 'styled.ass', output: 'subtitles/styled.srt', parameters: { 'c:s': 'srt' } },
    checks: [lines('00:00:00,500 --> 00:00:01,500', /<b>Bold<\/b> words/)],
  },
  {
    title: 'delays subtitles by 1.5 seconds',
    source: 'question sites: "shift subtitles in time", itsoffset',
    request: { input: 'words.srt', output: 'subtitles/later.srt', parameters: { itsoffset: '1.5', 'c:s': 'copy' } },
    checks: [lines('00:00:01,700 --> 00:00:02,400', 'Good morning', '00:00:02,600 --> 00:00:03,300')],
  },
  {
    title: 'reads subtitles in ISO 8859-1',
    source: 'ffmpeg documentation, "sub_charenc"',
    request: {
      inputs: [{ input: 'latin1.srt', parameters: { sub_charenc: 'ISO-8859-1' } }],
      output: 'subtitles/utf8.srt',
    },
    checks: [lines('Good morning', 'Größe & Maß')],
  },
  {
    title: 'removes subtitles',
    source: 'question sites: "remove subtitles from mkv"',
    request: { input: 'multi.mkv', output: 'subtitles/none.mkv', parameters: { c: 'copy', sn: '' } },
    // Without a map, ffmpeg keeps one of the two languages.
    warnings: ['UNUSED_STREAM'],
    checks: [streams(h264, aac)],
  },
  {
    title: 'burns subtitles into the video',
    source: 'ffmpeg wiki, "HowToBurnSubtitlesIntoVideo"',
    request: {
      inputs: ['green.mp4', 'words.srt'],
      output: 'subtitles/burnt.mp4',
      parameters: {
        vf: "subtitles=words.srt:force_style='Fontsize=40,PrimaryColour=&H000000FF'",
        'c:v': 'libx264',
        preset: 'ultrafast',
        crf: '15',
      },
    },
    checks: [
      streams({ ...h264, width: 320 }),
      looksUnlike('green.mp4', {
        result: 'trim=start_frame=6:end_frame=20,crop=320:90:0:90',
        source: 'trim=start_frame=6:end_frame=20,crop=320:90:0:90',
      }),
      looksLike('green.mp4', {
        result: 'trim=end_frame=4,crop=320:90:0:90',
        source: 'trim=end_frame=4,crop=320:90:0:90',
      }),
    ],
  },
  {
    title: 'burns styled subtitles into a scaled video',
    source: 'ffmpeg documentation, filter ass',
    request: {
      inputs: ['green.mp4', 'styled.ass'],
      output: 'subtitles/styled.mp4',
      parameters: { vf: 'scale=640:-2,ass=styled.ass', 'c:v': 'libx264', preset: 'ultrafast', crf: '15' },
    },
    checks: [
      streams({ ...h264, width: 640, height: 360 }),
      looksUnlike('green.mp4', {
        result: 'trim=start_frame=14:end_frame=30,crop=320:40:160:315',
        source: 'trim=start_frame=14:end_frame=30,scale=640:-2,crop=320:40:160:315',
      }),
    ],
  },
];
