import { conversion, type Mistake, mistake } from './mistake.ts';

const vf = (text: string) => ({ parameters: { vf: text } });
const af = (text: string) => ({ parameters: { af: text } });
const graph = (text: string, more?: object) => ({ parameters: { filter_complex: text, ...more } });
const files = (...inputs: readonly string[]) => ({ input: undefined, inputs });
const logo = files('film.mp4', 'photo.png');
const songs = files('film.mp4', 'more/song.mp3');
const IDS = ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'];
/** The answer to a right request. */
const SILENT = /"commands"(?!.*"warnings":\[\{)/s;
const right = (args: Mistake['args']): Mistake => conversion(args, SILENT);

/** Filtergraphs in another spelling, with names that no filter has, and with labels that lead nowhere. */
const GRAPHS: readonly Mistake[] = [
  // Several faults at once.
  conversion(vf('yadif=true;denoise=medium;scale=-1:576'), /"corrected":\{.*"vf":"yadif,hqdn3d,scale=-2:576"/),
  conversion(vf('fade=in:0:1s,fade=out:end:1s'), /"corrected":\{.*"vf":"fade=t=in:st=0:d=1,fade=t=out:d=1:st=3"/),
  // A frame that is smaller than the picture that "scale" makes.
  conversion(
    vf('scale=1280:-2,pad=640:480:(ow-iw)/2:(oh-ih)/2'),
    /"corrected":\{.*scale=640:480:force_original_aspect_ratio=decrease,pad=640:480/,
  ),
  // A film that is to be repeated.
  conversion(
    { parameters: { t: '10', loop: '0' } },
    /Leave it out: the input plays once, or send \\"stream_loop\\": \\"-1\\"\. That repeats it up to the end that \\"t\\" sets/,
  ),
  // The sound of a language, without its subtitles.
  conversion(
    { input: 'more/german.mkv', output: 'o.mp3', parameters: { map: '0:m:language:deu', vn: '' } },
    /Send \\"map\\": \\"0:a:m:language:deu\\"/,
  ),
  // Names of other filters, in expressions.
  conversion(vf('crop=100:100:width/2:height/2'), /crop=100:100:iw\/2:ih\/2/),
  conversion(vf('crop=w=100:h=100:x=(w-100)\\/2:y=0'), /x=\(iw-100\)/),
  conversion(vf('scale=W/2:H/2'), /scale=iw\/2:ih\/2/),
  conversion(vf('pad=width+20:height+20:10:10'), /pad=iw\+20:ih\+20:10:10/),
  conversion(vf('drawtext=text=Hi:x=(width-text_width)/2:y=height-50'), /x=\(w-tw\)\/2:y=h-50/),
  conversion({ ...logo, ...graph('[0:v][1:v]overlay=x=width-10:y=10') }, /overlay=x=W-10:y=10/),
  conversion(vf('scale=foo:-2'), /uses the unknown name \\"foo\\".*Allowed: iw, in_w/),
  right(vf('crop=in_w/2:ih-ih/2:(iw-ow)/2:0')),
  right(vf('scale=w=trunc(ih*dar/2)*2:h=-2')),
  // Places in one word.
  conversion(vf('drawtext=text=Hi:position=center'), /x=\(w-text_w\)\/2:y=\(h-text_h\)\/2/),
  conversion(vf('drawtext=text=Hi:x=top-right'), /x=w-text_w:y=0/),
  conversion(vf('drawtext=text=Hi:position=bottom'), /drawtext=text=Hi:x=\(w-text_w\)\/2:y=h-text_h\\"/),
  conversion(vf('drawtext=text=Hi:valign=bottom:halign=right'), /drawtext=text=Hi:x=w-text_w:y=h-text_h\\"/),
  conversion(vf('drawtext=text=Hi:position=top-left:x=9'), /drawtext=text=Hi:y=0:x=9\\"/),
  conversion(vf("drawtext=text='12:30':position=center"), /"corrected":\{.*:30:x=\(w-text_w\)\/2:y=\(h-text_h\)\/2"/),
  conversion(vf('drawtext=text=Hi:alignment=2'), /x=\(w-text_w\)\/2:y=h-text_h/),
  conversion(vf('drawtext=text=Hi:x=center:y=9'), /drawtext=text=Hi:x=\(w-text_w\)\/2:y=9\\"/),
  conversion(vf('crop=100:100:top-right'), /crop=100:100:iw-ow:0/),
  conversion(vf('drawbox=x=center:y=center:w=50:h=50'), /drawbox=x=\(iw-w\)\/2:y=\(ih-h\)\/2/),
  conversion({ ...logo, ...graph('[0:v][1:v]overlay=right:bottom:10') }, /overlay=W-w-10:H-h-10/),
  // Other spellings.
  conversion(vf('drawtext=font=arial.ttf:text=Hi'), /drawtext=font=Arial:text=Hi/),
  // Filters of both kinds in one chain.
  conversion(vf('scale=640:-2,volume=0.5'), /Send \\"vf\\": \\"scale=640:-2\\" and \\"af\\": \\"volume=0\.5\\"/),
  conversion(af('rubberband=pitch=+3'), /rubberband=pitch=1\.1892/),
  // Inputs that are not there.
  conversion({ ...logo, ...graph('[0:v][2:v]overlay=10:10') }, /\[0:v\]\[1:v\]overlay=10:10.*as number 2/),
  conversion({ ...songs, ...graph('amix=inputs=3') }, /only 2 audio streams.*amix=inputs=2/),
  conversion({ ...files('film.mp4', 'film.mp4'), ...graph('[0:v][1:v]concat=n=3') }, /only 2 video.*concat=n=2/),
  right({ ...songs, ...graph('amix=inputs=2:duration=first') }),
  conversion(
    { ...files('more/broadcast.mp4', 'photo.png'), ...graph('[1:v][0:v]overlay=10:10') },
    /wrong order.*\[\\"photo\.png\\",\\"more\/broadcast\.mp4\\"\]/,
  ),
  // A filter beside the graph that makes the picture.
  conversion(
    graph('[0:v]fade=in:0:25[v]', { map: ['[v]', '0:a'], vf: 'scale=320:-2' }),
    /\\"\[0:v\]fade=in:0:25,scale=320:-2\[v\]\\", and leave \\"vf\\" out/,
  ),
  conversion(graph('loop=3:25', { vf: 'hflip' }), /\\"loop=3:25,hflip\\", and leave \\"vf\\" out/),
  right({ ...songs, ...graph('[0:a][1:a]amix=duration=first', { vf: 'hflip' }) }),
];

/** Options of other filters as filters, and values that mean another option. */
const FILTERS: readonly Mistake[] = [
  // A filter of sound that is named as one stays with the sound.
  conversion(
    vf('fade=out:st=2:d=1,afade=out:st=2:d=1'),
    /"corrected":\{.*"vf":"fade=out:st=2:d=1","af":"afade=out:st=2:d=1"/,
  ),
  conversion(
    vf('subtitles=more/talk.srt:fontsize=30:fontcolor=yellow'),
    /"corrected":\{.*force_style=FontSize=30\\\\,PrimaryColour=&H00FFFF"\},.*"inputs":\["film\.mp4","more\/talk\.srt"\]/,
  ),
  conversion(vf('scale=w=128,h=72,blur=5'), /"corrected":\{.*"vf":"scale=w=128:h=72,gblur=5"/),
  conversion(
    vf('subtitles=more/talk.srt:fontsize=28:color=yellow:si=0'),
    /"corrected":\{.*more\/talk\.srt:si=0:force_style=FontSize=28\\\\,PrimaryColour=&H00FFFF/,
  ),
  conversion({ parameters: { af: 'afade=out:2' } }, /count samples, not seconds.*\\"afade=t=out:d=2\\"/),
  conversion(
    { ...files('film.mp4', 'film.mp4'), ...graph('[0:v][1:v]xfade=duration=1[v]', { map: ['[v]', '0:a'] }) },
    /xfade has no .+offset.+xfade=duration=1:offset=2\.9/,
  ),
  // A style has commas, and its file may not be an input yet.
  conversion(
    vf('subtitles=more/talk.srt:force_style=FontSize=24,Bold=1'),
    /"corrected":\{.*force_style=FontSize=24\\\\,Bold=1"\},.*"inputs":\["film\.mp4","more\/talk\.srt"\]/,
  ),
  conversion({ parameters: { vf: 'speed=2', af: 'atempo=2' } }, /"corrected":\{.*"vf":"setpts=PTS\/2","af":"atempo=2"/),
  // The start of a fade-out follows from the length of the film.
  conversion(vf('fade=in:0:1s,fade=out:st=-1:d=1'), /"corrected":\{.*fade=t=in:st=0:d=1,fade=t=out:d=1:st=3"/),
  conversion(
    graph('[0:v]scale=128:72[Small];[small]hflip[v]', { map: ['[v]', '0:a'] }),
    /"corrected":\{.*\[0:v\]scale=128:72\[Small\];\[Small\]hflip\[v\]/,
  ),
  mistake(
    'convert_media',
    {
      input: 'film.mp4',
      filter_complex: '[0:v]split=3[a][b];[a]scale=64:-2[x];[b]scale=32:-2[y]',
      outputs: [
        { output: 'a.mp4', parameters: { map: '[x]' } },
        { output: 'b.mp4', parameters: { map: '[y]' } },
      ],
      dryRun: true,
    },
    /"corrected":\{.*makes 3 streams, and 2 have labels.*split=2\[a\]\[b\]/,
    /No filtergraph has/,
  ),
  conversion(
    { parameters: { fs: '10MB' } },
    /whole video in that size.*\\"target-size\\",\\"arguments\\":\{\\"size\\":10\}/,
  ),
  conversion(vf('brightness=0.2'), /Send \\"vf\\": \\"eq=brightness=0\.2\\"/),
  conversion(vf('sharpen=1.5'), /unsharp=luma_amount=1\.5/),
  conversion(
    { ...logo, ...graph('[1:v]opacity=50%[l];[0:v][l]overlay') },
    /format=rgba,colorchannelmixer=aa=0\.5\[l\]/,
  ),
  conversion(af('bass=+5dB'), /bass=g=\+5/),
  conversion(af('equalizer=1000:3'), /equalizer=f=1000:g=3/),
  conversion(vf('subtitles=0'), /names a stream.*subtitles=video\.mp4:si=0/, /\\"0\\"\]/),
  conversion(vf('drawtext=text=Hi:start=1:end=3'), /enable=between\(t.*,1.*,3\)/, /2,5/),
  conversion(vf('drawtext=text=Hi:fontsize=5%'), /fontsize=h\*0\.05/),
  conversion(vf("drawtext=text='One\\nTwo'"), /the letter n.*text='One\\\\nTwo'/),
  conversion(vf('pad=16:9'), /reads pixels.*max\(iw.*,ih\*16\/9\)/),
  conversion({ output: 't.jpg', parameters: { 'frames:v': '5' } }, /"LAST_FRAME"/),
  right({ output: 't.jpg', parameters: { 'frames:v': '1' } }),
  conversion(
    { ...files('film.mp4', 'film.mp4'), ...graph('[0][1]concat=n=2:v=1:a=1') },
    /\[0:v\]\[0:a\]\[1:v\]\[1:a\]concat/,
  ),
  conversion(
    { ...files('film.mp4', 'more/broadcast.mp4'), ...graph('[0:v][1:v]hstack') },
    /same height.*scale=-2:120\[scaled1\]/,
  ),
  {
    ...conversion(
      { ...files('more/fast.mp4', 'film.mp4'), ...graph('[0:v][1:v]hstack') },
      /different frame rates.*fps=50\[same0\]/,
    ),
    rightFrom: 7,
  },
  // Filters that make pictures of one size of any.
  ...['hstack', 'concat'].map((join) =>
    right({
      ...files('film.mp4', 'more/broadcast.mp4'),
      ...graph(`[0:v]ciescope,setsar=1,fps=25[a];[1:v]ciescope,setsar=1,fps=25[b];[a][b]${join}[v]`, {
        map: ['[v]'],
        an: '',
      }),
    }),
  ),
];

/** Files and recipes. */
const FILES: readonly Mistake[] = [
  conversion({ output: 'film.mp4' }, /Send another path, such as \\"film-new\.mp4\\"/),
  conversion({ input: '../film.mp4' }, /Send \\"film\.mp4\\" if it is there/),
  conversion({ input: 'photos/', preset: { name: 'slideshow' } }, /Send \\"inputs\\": \[\\"photos\/1\.png/),
  conversion(
    { ...files('photos/1.png', 'photos/2.png', 'more/song.mp3'), preset: { name: 'slideshow' } },
    /\{\\"music\\":\\"more\/song\.mp3\\"\}, and only the images in \\"inputs\\": \[\\"photos\/1\.png\\",\\"photos\/2\.png/,
  ),
  conversion(
    { preset: { name: 'watermark', arguments: { logo: 'photo.png', position: '10,10' } } },
    /Send \\"place\\": one of \\"top-left/,
    /\\"ss\\"/,
  ),
  conversion(
    { cut: { keep: [{ start: 3, end: 1 }] } },
    /send \{\\"start\\": 1, \\"end\\": 3\}.*\{\\"start\\": 3, \\"end\\": 4\}/,
  ),
];

/** Maps that select nothing. */
const MAPS: readonly Mistake[] = [
  conversion(
    { parameters: { map: ['0:v', '1:a'] } },
    /Send \\"map\\": \[\\"0:v\\",\\"0:a\\"\], or add the path of another file to \\"inputs\\" as number 1/,
  ),
  conversion({ parameters: { map: '-0:a' } }, /Send \\"map\\": \[\\"0\\",\\"-0:a\\"\]/),
  conversion({ parameters: { map: '0.0' } }, /"fix":"Send \\"0:0\\"/),
  conversion({ parameters: { map: 'all' } }, /"fix":"Send \\"0\\"/),
  conversion(
    { input: 'more/german.mkv', parameters: { map: ['0:v', '0:a:m:language:ger'] } },
    /names this language.*Send \\"map\\": \[\\"0:v\\",\\"0:a:m:language:deu\\"\]/,
  ),
  conversion(
    { input: 'more/german.mkv', parameters: { map: ['0:v', '0:a:m:language:fre'] } },
    /only the languages deu.*For \\"deu\\", send \\"map\\": \[\\"0:v\\",\\"0:a:m:language:deu\\"\]/,
  ),
  right({ input: 'more/german.mkv', parameters: { map: ['0:v', '0:a:m:language:deu'] } }),
];

/** What a copy begins late, or leaves out. */
const COPIES: readonly Mistake[] = [
  conversion({ parameters: { ss: '1', c: 'copy' } }, /begins with audio alone.*Send \\"c:v\\": \\"libx264\\" as well/),
  right({ parameters: { ss: '1', c: 'copy', vn: '' }, output: 'o.m4a' }),
  conversion({ input: 'more/german.mkv', parameters: { c: 'copy' } }, /subtitles .*Send \\"c:s\\": \\"mov_text\\"/),
  conversion({ input: 'more/chapters.mp4', output: 'a.wav' }, /2 chapters.*\.m4a/),
  right({ input: 'more/chapters.mp4', output: 'a.mp3' }),
];

/** Sets of a manifest. */
const SETS: readonly Mistake[] = [
  conversion(
    { output: 'd/m.mpd', parameters: { adaptation_sets: 'id=0,streams=v' } },
    /no set for the audio.*id=0,streams=v id=1,streams=a/,
  ),
  right({ output: 'd/m.mpd', parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=a' } }),
];

/** Ids and states in other shapes, and tools that are none. */
const JOBS: readonly Mistake[] = [
  mistake('cancel_job', { jobId: IDS }, /Send \\"jobIds\\": \[\\"0199/),
  mistake('cancel_job', { jobIds: IDS }, /JOB_NOT_FOUND/),
  // More than the whole picture is a size, not a part.
  conversion(vf('crop=1920:1080'), /scale=1920:1080:force_original_aspect_ratio=increase,crop=1920:1080/),
  // A filter can read no file but an input.
  right({ ...files('film.mp4', 'more/talk.srt'), ...vf('subtitles=talk.srt') }),
  conversion(
    { ...vf('subtitles=talk.srt'), parameters: { vf: 'subtitles=talk.srt', 'c:v': 'copy' } },
    /"corrected":.*"inputs":\["film.mp4","more\/talk.srt"\]/,
  ),
  conversion(
    { ...files('film.mp4', 'more/talk.srt'), ...vf('subtitles=en/talk.srt') },
    /reads the file \\"en\/talk.srt\\", which is not an input/,
  ),
  conversion({ input: '/home/me/film.mp4' }, /Send \\"film.mp4\\"/),
  conversion(
    { input: 'more/tracks.mkv', output: 'a.srt', parameters: { map: '0:s' } },
    /holds one stream of subtitles.*\\"map\\": \\"0:s:0\\".*0:s:1/,
    /Leave \\"c\\" out/,
  ),
  conversion(
    { input: 'more/tracks.mkv', output: 'a.mp3', parameters: { map: '0:a' } },
    /holds one stream of audio.*\\"map\\": \\"0:a:1\\"/,
  ),
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', { input: 'anullsrc=r=48000:cl=stereo', parameters: { f: 'lavfi' } }],
      parameters: { shortest: '' },
    },
    /"corrected":.*\{"source":"anullsrc=r=48000:cl=stereo"\}/,
  ),
  mistake('wait_for_job', { jobIds: IDS.join(', ') }, /Send \\"jobIds\\": \[\\"0199/),
  mistake('get_job', { jobIds: IDS.slice(1) }, /Send \\"jobId\\": \\"0199/),
  mistake('list_jobs', { state: 'running' }, /Send \\"status\\": \\"PROCESSING\\"/),
  mistake('list_jobs', { status: ['FAILED', 'CANCELLED'] }, /Call once for each: send \\"FAILED\\"/),
  mistake('list_jobs', { since: 'yesterday' }, /listed newest first/),
  mistake('render_preview', { input: 'film.mp4', parameters: { vf: 'hflip' } }, /shows a file as it is/),
  mistake('retry_job', { jobId: IDS[0] }, /Call convert_media with the same arguments/),
  mistake('convert_batch', { files: 'photos/*.png' }, /Call convert_media with "each"/),
  mistake('render_preview', { input: 'film.mp4', at: [1, 2] }, /Frame at 2 s/),
];

export const GRAPH_MISTAKES: readonly Mistake[] = [
  ...GRAPHS,
  ...FILTERS,
  ...FILES,
  ...MAPS,
  ...COPIES,
  ...SETS,
  ...JOBS,
];
