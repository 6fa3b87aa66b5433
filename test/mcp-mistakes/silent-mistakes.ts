import { conversion, type Mistake, mistake } from './mistake.ts';

const JOINED = '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]';
const both = ['film.mp4', 'more/shaped.mp4'];
const files = (...inputs: readonly string[]) => ({ input: undefined, inputs });
const vf = (text: string) => ({ parameters: { vf: text } });
const af = (text: string) => ({ parameters: { af: text } });
/** The answer to a right request. */
const SILENT = /"commands"(?!.*"warnings":\[\{)/s;
const right = (args: Mistake['args']): Mistake => conversion(args, SILENT);

/** Requests that ffmpeg accepts, and whose results are not what was meant, beside right ones that look like them. */
export const SILENT_MISTAKES: readonly Mistake[] = [
  // Frame rates that differ, with which a job of ffmpeg 5 does not end.
  conversion(
    { ...files(...both), parameters: { filter_complex: JOINED, map: ['[v]', '[a]'] } },
    /concat needs videos of the same frame rate.*With ffmpeg 5, the job may not end.*fps=24\[part1\]/,
  ),
  right({ ...files(...both), output: 'o.gif', parameters: { filter_complex: '[0:v][1:v]concat=n=2[v]', map: '[v]' } }),
  right({ ...files(...both), parameters: { filter_complex: JOINED, map: ['[v]', '[a]'], vsync: 'vfr' } }),
  right({ ...files(...both), parameters: { filter_complex: JOINED, map: ['[v]', '[a]'], r: '25' } }),
  right({ ...files('film.mp4', 'film.mp4'), parameters: { filter_complex: JOINED, map: ['[v]', '[a]'] } }),
  right({ ...files('more/fast.mp4', 'more/uneven.mp4'), parameters: { filter_complex: JOINED, map: ['[v]', '[a]'] } }),
  right({
    ...files(...both),
    parameters: { filter_complex: '[0:v]fps=50[x];[x][1:v]concat=n=2[v]', map: '[v]', an: '' },
  }),
  // Inputs in the wrong order, and pictures of one frame.
  conversion(
    { ...files('photo.png', 'film.mp4'), preset: { name: 'watermark' } },
    /wrong order.*Send \\?"inputs\\?": \[\\?"film\.mp4\\?",\\?"photo\.png\\?"\]/,
  ),
  right({ ...files('film.mp4', 'photo.png'), preset: { name: 'watermark' } }),
  right({
    input: undefined,
    inputs: [{ input: 'photo.png', parameters: { loop: '1' } }, 'film.mp4'],
    parameters: { filter_complex: '[1:v]chromakey=green[cut];[0:v][cut]overlay=shortest=1[v]', map: ['[v]', '1:a'] },
  }),
  conversion(
    {
      input: undefined,
      inputs: ['photo.png', { input: 'film.mp4', parameters: { ss: '1' } }],
      preset: { name: 'watermark' },
    },
    /wrong order.*Send the elements 0 and 1 of/,
  ),
  conversion(
    { ...files('photo.png', 'more/song.mp3'), parameters: { shortest: '' } },
    /is one frame.*\\"loop\\":\\"1\\"/,
  ),
  conversion({ ...files('photo.png', 'more/song.mp3') }, /is one frame beside.*\\"loop\\":\\"1\\"/),
  // Qualities beside bit rates, lost channels and streams, and long segments.
  conversion(
    { input: 'more/song.mp3', output: 'o.mp3', parameters: { 'c:a': 'libmp3lame', 'q:a': '2', 'b:a': '256k' } },
    /both control.*Leave it out: \\"q:a\\" sets a constant quality, or leave \\"q:a\\" out: the bit rate is then 256k\./,
  ),
  conversion({ input: 'more/surround.wav', output: 'o.mp3' }, /has 6 channels.*\\"ac\\": \\"2\\".*o\.m4a/),
  right({ input: 'more/surround.wav', output: 'o.mp3', parameters: { ac: '2' } }),
  right({ input: 'more/surround.wav', output: 'o.m4a' }),
  right({ input: 'more/surround.wav', output: 'o.mp3', preset: { name: 'mp3' } }),
  conversion(
    { input: 'more/fast.mp4', output: 'o.m3u8', parameters: { g: '200', hls_time: '1', hls_list_size: '0' } },
    /segments of 1 s, but with.*up to 4 s.*n_forced\*1/,
  ),
  right({ input: 'more/fast.mp4', output: 'o.m3u8', parameters: { g: '50', hls_time: '1', hls_list_size: '0' } }),
  conversion(
    { input: 'more/tracks.mkv', output: 'o.mkv', parameters: { 'c:v': 'libx264', 'c:a': 'copy', 'c:s': 'copy' } },
    /2 audio streams and 2 subtitle streams.*\[\\"0:v\\",\\"0:a\\",\\"0:s\\"\] for all/,
  ),
  conversion(
    { input: 'more/two.mkv', output: 'o.mp4', parameters: { 'c:v': 'copy' } },
    /2 audio streams, and.*\[\\"0:v\\",\\"0:a\\"\] for all/,
    /0:s/,
  ),
  conversion(
    {
      ...files('more/surround.wav', 'more/fast.mp4'),
      output: 'o.m4a',
      parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]' },
    },
    /6 \+ 2 make 8.*amix=inputs=2:duration=shortest/,
  ),
  conversion(
    {
      ...files('more/fast.mp4', 'more/song.mp3'),
      output: 'o.mp3',
      parameters: { filter_complex: '[0:a][1:a]amix=inputs=2[a]', map: '[a]' },
    },
    /lasts as long as.*song\.mp3.*amix=inputs=2:duration=first.*, or send \\"duration=longest\\" in amix if the longer one/,
  ),
  right({
    ...files('more/fast.mp4', 'more/song.mp3'),
    output: 'o.mp3',
    parameters: { filter_complex: '[0:a][1:a]amix=inputs=2:duration=longest[a]', map: '[a]' },
  }),
  conversion(
    { input: 'more/song.mp3', output: 'o.m4a', ...af('pan=stereo|c0=c0|c1=c1') },
    /pan reads c1.*pan=stereo\|c0=FC\|c1=FC/,
  ),
  mistake(
    'analyze_media',
    { input: 'more/two.mkv', measure: ['volume'] },
    /2 audio streams, and the first was measured.*send its number as \\"audio\\": 1/,
  ),
  mistake('analyze_media', { input: 'more/two.mkv', measure: ['volume'], audio: 1 }, /"meanDb"/, /"warnings"/),
  mistake(
    'analyze_media',
    { input: 'more/two.mkv', measure: ['volume'], audio: 2 },
    /2 audio streams, which count from 0/,
  ),
  mistake('analyze_media', { input: 'film.mp4', measure: ['black'], audio: 1 }, /Nothing in .*Leave it out/),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['interlacing'], ss: '60' },
    /"ss.. starts at 60 s, but .*ends at 4/,
  ),
  // Parts after the end.
  conversion(
    { parameters: { ss: '30', t: '1', c: 'copy' } },
    /ends at 4(?:\.\d+)? s.*Send \\"ss\\": \\"3(?:\.\d+)?\\" for the last 1 s/,
  ),
  // The last frame is on screen until the end.
  right({ input: 'more/fast.mp4', output: 'o.png', parameters: { ss: '3.995', 'frames:v': '1' } }),
  // Fades that end long before the film does.
  conversion(
    { input: 'more/song.mp3', output: 'o.mp3', ...af('afade=t=out:d=1') },
    /stays silent.*afade=t=out:d=1:st=/,
  ),
  conversion(vf('fade=out:d=1'), /stays black.*fade=type=out:d=1:st=3/),
  right({ input: 'more/song.mp3', output: 'o.mp3', ...af('afade=t=out:st=5:d=1') }),
  // Pixels of another shape.
  conversion({ input: 'more/fast.mp4', parameters: { aspect: '4:3' } }, /squeeze the video.*crop=ih\*4\/3:ih/),
  conversion({ input: 'more/fast.mp4', ...vf('setdar=9/16') }, /squeeze the video.*crop=ih\*9\/16:ih/),
  right({ input: 'more/fast.mp4', parameters: { c: 'copy', aspect: '4:3' } }),
  right({ input: 'more/fast.mp4', ...vf('setdar=16/9') }),
  right({ input: 'more/broadcast.mp4', parameters: { aspect: '16:9' } }),
  // Streams that are left out.
  conversion({ input: 'more/two.mkv', parameters: { c: 'copy' } }, /2 audio streams.*Send \\"map\\"/),
  right({ input: 'more/two.mkv', output: 'o.mkv', parameters: { c: 'copy', map: '0' } }),
  // One of several channels, and one of picture and sound.
  conversion({ input: 'more/fast.mp4', ...af('adelay=2000') }, /delays only 1 of 2 channels.*adelay=delays=2000:all=1/),
  right({ input: 'more/fast.mp4', ...af('adelay=2000|2000') }),
  conversion(vf('reverse'), /audio plays forwards.*\\"af\\": \\"areverse\\"/),
  conversion({ parameters: { filter_complex: '[0:v]reverse' } }, /audio plays forwards.*\\"af\\": \\"areverse\\"/),
  ...['o.gif', 'o.webp'].map((output) => right({ output, parameters: { filter_complex: '[0:v]reverse' } })),
  conversion(af('areverse'), /video plays forwards.*\\"vf\\": \\"reverse\\"/),
  conversion(af('atempo=2'), /setpts=PTS\/2/),
  conversion(vf('setpts=0.5*PTS'), /atempo=2/),
  conversion(
    { parameters: { filter_complex: '[0:v]setpts=0.5*PTS[v]', map: ['[v]', '0:a'] } },
    /only the video 2 times as fast.*atempo=2/,
  ),
  conversion(vf('trim=1:3'), /\\"(?:af|ss)\\"/),
  right({ parameters: { vf: 'setpts=PTS/2,fps=25', af: 'atempo=2' } }),
  right({ parameters: { vf: 'reverse', af: 'areverse' } }),
  right({ output: 'o.mp3', ...af('areverse') }),
  // A song that is longer than the film.
  conversion(
    { ...files('film.mp4', 'more/song.mp3'), parameters: { map: ['0:v', '1:a'], 'c:v': 'copy' } },
    /\\"more\/song\.mp3\\" lasts.*Send \\"shortest\\": \\"\\"/,
  ),
  right({ ...files('film.mp4', 'more/song.mp3'), parameters: { map: ['0:v', '1:a'], shortest: '' } }),
  right({ ...files('film.mp4', 'more/song.mp3'), parameters: { map: ['0:v', '1:a'], 'frames:v:0': '20' } }),
  // A playlist of the end alone.
  conversion({ output: 'h/a.m3u8', parameters: { hls_time: '0.5', g: '12' } }, /\\"hls_list_size\\": \\"0\\"/),
  right({ output: 'h/a.m3u8', parameters: { hls_time: '0.5', hls_playlist_type: 'vod', g: '12' } }),
  right({ output: 'h/a.m3u8', parameters: { hls_time: '0.5' } }),
  right({ output: 'h/a.m3u8', parameters: { c: 'copy', hls_time: '0.5' } }),
  // Values of which ffmpeg uses only a part.
  conversion({ parameters: { 'c:v': 'libx264', tune: 'film,grain' } }, /film and grain.*Send \\"tune\\": \\"film\\"/),
  right({ parameters: { 'c:v': 'libx264', tune: 'film,fastdecode' } }),
  conversion(vf('crop=iw*9/16:ih'), /not 9:16.*crop=min\(iw/),
  conversion(vf('crop=iw*9/16:ih:10:0'), /not 9:16.*crop=min\(iw[^"]*\):x=10:y=0/),
  conversion(vf('crop=iw:iw*16/9'), /cannot cut 214x.*crop=66:120/),
  right(vf('crop=ih*9/16:ih')),
  right({ input: 'more/upright.mp4', ...vf('crop=iw:ih*9/16') }),
  conversion(
    { input: 'more/surround.wav', output: 'o.wav', ...af('pan=stereo|FL=FL+SL|FR=FR+SR') },
    /pan=stereo\|FL=FL\+BL\|FR=FR\+BR/,
  ),
  conversion(
    {
      ...files('film.mp4', 'photo.png'),
      parameters: { filter_complex: '[0:v]crop=50:50:400:0[c];[c][1:v]overlay=400:0[v]', map: ['[v]', '0:a'] },
    },
    /The filter overlay draws at 400,0, outside|ffmpeg moves it/,
  ),
  // Subtitles that are pictures.
  ...[
    { map: '0', c: 'copy' },
    { map: '0', 'c:s': 'mov_text' },
  ].map((parameters) =>
    conversion({ input: 'more/disc.mkv', parameters }, /are images.*filter_complex/, /Send \\"c:s\\": \\"mov_text/),
  ),
  conversion({ input: 'more/disc.mkv', output: 'a.srt' }, /are images.*cannot read text/),
  right({ input: 'more/disc.mkv', output: 'o.mkv', parameters: { map: '0', c: 'copy' } }),
  // A bit rate beside the quality of a recipe.
  conversion(
    { preset: { name: 'web-h264' }, parameters: { 'b:v': '2M' } },
    /Leave it out: the recipe sets \\"crf\\"/,
    /Send one/,
  ),
  // The length of an MP3 is an estimate, but not one of hours.
  conversion(
    { input: 'more/song.mp3', output: 'a.mp3', ...af('afade=t=out:st=6000:d=2000') },
    /in seconds, not in milliseconds.*afade=t=out:st=6:d=2\\"/,
  ),
  // The first pass of a command line.
  conversion(
    { parameters: { 'c:v': 'libx264', 'b:v': '1M', pass: '1', an: '', f: 'null' } },
    /"corrected":\{[^}]*\{"c:v":"libx264","b:v":"1M","pass":"2"\}/,
  ),
  // The settings of a measurement that nobody named.
  conversion({ cut: { remove: 'silence' } }, /with \{\\"noiseDb\\":-60,\\"minSeconds\\":2\}/),
  // The sound of the second film, from its own start on.
  conversion(
    {
      ...files('film.mp4', 'film.mp4'),
      parameters: { filter_complex: '[0:v][1:v]xfade=offset=3:duration=1[v]', map: ['[v]', '1:a'] },
    },
    /begins at 3 s, and its audio at 0/,
  ),
  // The film in a file of sound.
  conversion({ output: 'a.m4a' }, /Send \\"vn\\": \\"\\"/),
];
