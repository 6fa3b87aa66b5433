import { graph, H264, type MediaCause } from './media-cause.ts';

const DRAWN = graph('[0:v][0:s:0]overlay=eof_action=pass[v]', ['[v]', '0:a?']);
const DRAW = '"filter_complex": "[0:v][0:s:0]overlay=eof_action=pass[v]" and "map": ["[v]","0:a?"]';
const KEEP = ': this draws them into the video, or send "c:s": "copy" and an output that ends in .mkv to keep them.';

/** Subtitles that are pictures, where text is needed, and the other way round. */
export const SUBTITLE_CAUSES: readonly MediaCause[] = [
  {
    title: 'the subtitles of a disc as text',
    request: { input: 'disc.mkv', output: 'disc.mp4', parameters: { ...H264, 'c:s': 'mov_text' } },
    message: 'The subtitles 0:s:0 of "disc.mkv" are images (hdmv_pgs_subtitle), and "mov_text" is for text.',
    fix: `Send ${DRAW}, and leave "c:s" out${KEEP}`,
    followed: { parameters: DRAWN },
    seconds: 4,
  },
  {
    title: 'the subtitles of a disc as text with filters',
    request: { input: 'disc.mkv', output: 'disc.mkv', parameters: { ...H264, 'c:s': 'srt', vf: 'scale=160:-2' } },
    message: /"srt" is for text\.$/,
    fix: /overlay=eof_action=pass,scale=w=160:h=-2\[v\]".*leave "vf" and "c:s" out/,
    followed: {
      parameters: graph('[0:v][0:s:0]overlay=eof_action=pass,scale=w=160:h=-2[v]', ['[v]', '0:a?']),
    },
    seconds: 4,
    size: '160x90',
  },
  {
    title: 'the subtitles of a disc in a copy to MP4',
    request: { input: 'disc.mkv', output: 'copy.mp4', parameters: { map: '0', c: 'copy' } },
    message: /are images \(hdmv_pgs_subtitle\), and the format mp4 holds text\.$/,
    fix: `Send ${DRAW.replace(' and', ',')} and "c:v": "libx264"${KEEP}`,
    followed: { output: 'copy.mkv', parameters: { map: '0', c: 'copy', 'c:s': 'copy' } },
    seconds: 4,
  },
  {
    title: 'the subtitles of a disc as a text file',
    request: { input: 'disc.mkv', output: 'disc.srt' },
    message: /images \(hdmv_pgs_subtitle\), and the format srt holds text\. ffmpeg cannot read text in images\.$/,
    fix: 'Send an output that ends in .mkv, with "map": "0:s" and "c:s": "copy".',
    followed: { output: 'only-subtitles.mkv', parameters: { map: '0:s', 'c:s': 'copy' } },
  },
  {
    title: 'the filter subtitles with the subtitles of a disc',
    request: {
      inputs: ['talk.mp4', 'disc.sup'],
      output: 'b.mp4',
      parameters: { ...H264, vf: 'hflip,subtitles=disc.sup' },
    },
    message: 'The filter subtitles draws text, and the subtitles in "disc.sup" are images.',
    fix: 'Send "filter_complex": "[0:v]hflip[base];[base][1:s:0]overlay=eof_action=pass[v]" and "map": ["[v]","0:a?"], and leave "vf" out.',
    followed: { parameters: graph('[0:v]hflip[base];[base][1:s:0]overlay=eof_action=pass[v]', ['[v]', '0:a?']) },
    seconds: 4,
  },
  {
    title: 'text as subtitles of a disc',
    request: { input: 'subs.mkv', output: 'dvd.mkv', parameters: { ...H264, 'c:s': 'dvdsub' } },
    message: 'The subtitles of "subs.mkv" are text (subrip), and "dvdsub" is for images.',
    fix: 'Send "c:s": "srt".',
    followed: { parameters: { ...H264, 'c:s': 'srt' } },
    seconds: 4,
  },
  {
    title: 'the fourth of one subtitle stream',
    request: { input: 'subs.mkv', output: 'burned.mp4', parameters: { ...H264, vf: 'subtitles=subs.mkv:si=3' } },
    message: '"subs.mkv" has 1 subtitle stream for "si=3": "si" counts subtitle streams only, from 0.',
    fix: 'Send "si=0".',
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
    fix: 'Name their encoding with the input, such as "inputs": ["silent.mp4",{"input":"german.srt","parameters":{"sub_charenc":"WINDOWS-1252"}}], or save the file as UTF-8.',
    followed: { inputs: ['silent.mp4', { input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
  {
    title: 'an encoding that iconv does not know',
    request: { inputs: [{ input: 'german.srt', parameters: { sub_charenc: 'deutsch' } }], output: 'deutsch.srt' },
    message: '"sub_charenc" must be the name of a text encoding, not "deutsch".',
    fix: 'Send "inputs": [{"input":"german.srt","parameters":{"sub_charenc":"WINDOWS-1252"}}].',
    followed: { inputs: [{ input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
];
