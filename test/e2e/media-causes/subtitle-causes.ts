import { graph, H264, type MediaCause } from './media-cause.ts';

const DRAWN = graph('[0:v][0:s:0]overlay=eof_action=pass[v]', ['[v]', '0:a?']);

/** Subtitles that are pictures, where text is needed, and the other way round. */
export const SUBTITLE_CAUSES: readonly MediaCause[] = [
  {
    title: 'the subtitles of a disc as text',
    request: { input: 'disc.mkv', output: 'disc.mp4', parameters: { ...H264, 'c:s': 'mov_text' } },
    message: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    fix: 'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
    followed: { parameters: DRAWN },
    seconds: 4,
  },
  {
    title: 'the subtitles of a disc as text with filters',
    request: { input: 'disc.mkv', output: 'disc.mkv', parameters: { ...H264, 'c:s': 'srt', vf: 'scale=160:-2' } },
    message: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    fix: 'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
    followed: {
      parameters: graph('[0:v][0:s:0]overlay=eof_action=pass,scale=w=160:h=-2[v]', ['[v]', '0:a?']),
    },
    seconds: 4,
    size: '160x90',
  },
  {
    title: 'the subtitles of a disc in a copy to MP4',
    request: { input: 'disc.mkv', output: 'copy.mp4', parameters: { map: '0', c: 'copy' } },
    message: 'The format mp4 cannot hold a copy of hdmv_pgs_subtitle.',
    fix: 'Leave "copy" out, so that the streams are encoded, or send an output that ends with ".mkv".',
    followed: { output: 'copy.mkv', parameters: { map: '0', c: 'copy', 'c:s': 'copy' } },
    seconds: 4,
  },
  {
    title: 'the subtitles of a disc as a text file',
    request: { input: 'disc.mkv', output: 'disc.srt' },
    message: 'The format srt can use no stream of the inputs.',
    fix: 'Send a file with such streams, or an output for those of the inputs: .mp4 for video, .m4a for audio, .srt for text subtitles, .mkv for image subtitles. Leave "vn", "an" and "sn" out if they drop what is meant.',
    followed: { output: 'only-subtitles.mkv', parameters: { map: '0:s', 'c:s': 'copy' } },
  },
  {
    title: 'the filter subtitles with the subtitles of a disc',
    request: {
      inputs: ['talk.mp4', 'disc.sup'],
      output: 'b.mp4',
      parameters: { ...H264, vf: 'hflip,subtitles=disc.sup' },
    },
    message: 'The filter subtitles draws text, and the subtitles of the file are images.',
    fix: 'Draw them with the filter overlay: "filter_complex": "[0:v][0:s:0]overlay=eof_action=pass[v]" and "map": ["[v]","0:a?"].',
    followed: { parameters: graph('[0:v]hflip[base];[base][1:s:0]overlay=eof_action=pass[v]', ['[v]', '0:a?']) },
    seconds: 4,
  },
  {
    title: 'text as subtitles of a disc',
    request: { input: 'subs.mkv', output: 'dvd.mkv', parameters: { ...H264, 'c:s': 'dvdsub' } },
    message: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    fix: 'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
    followed: { parameters: { ...H264, 'c:s': 'srt' } },
    seconds: 4,
  },
  {
    title: 'the fourth of one subtitle stream',
    request: { input: 'subs.mkv', output: 'burned.mp4', parameters: { ...H264, vf: 'subtitles=subs.mkv:si=3' } },
    message: 'The file "subs.mkv" has no subtitles, or fewer subtitle streams than "si" names: it counts them from 0.',
    fix: 'Send a file with subtitles, such as .srt or .ass, or a lower "si".',
    followed: { parameters: { ...H264, vf: 'subtitles=subs.mkv:si=0' } },
  },
  {
    title: 'subtitles that are not UTF-8',
    request: {
      inputs: ['silent.mp4', 'german.srt'],
      output: 'german.mp4',
      parameters: { map: ['0', '1'], c: 'copy', 'c:s': 'mov_text' },
    },
    message: 'The subtitles in "german.srt" are not UTF-8.',
    fix: 'Save the file as UTF-8, or name its encoding, as "sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles: WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia.',
    followed: { inputs: ['silent.mp4', { input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
  {
    title: 'subtitles that a recipe draws, and that are not UTF-8',
    request: { inputs: ['silent.mp4', 'german.srt'], output: 'burnt.mp4', preset: { name: 'burn-subtitles' } },
    message: 'The subtitles in "german.srt" are not UTF-8.',
    fix: /"sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles:/,
    followed: { preset: { name: 'burn-subtitles', arguments: { encoding: 'WINDOWS-1252' } } },
  },
  {
    title: 'subtitles that a recipe adds, and that are not UTF-8',
    request: { inputs: ['silent.mp4', 'german.srt'], output: 'soft.mp4', preset: { name: 'soft-subtitles' } },
    message: 'The subtitles in "german.srt" are not UTF-8.',
    fix: /"sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles:/,
    followed: { inputs: ['silent.mp4', { input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
  {
    title: 'an encoding that iconv does not know',
    request: { inputs: [{ input: 'german.srt', parameters: { sub_charenc: 'deutsch' } }], output: 'deutsch.srt' },
    message:
      'ffmpeg rejected a value of the request: Unable to open iconv context with input character encoding "deutsch".',
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: { inputs: [{ input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
];
