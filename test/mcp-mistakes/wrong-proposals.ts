import { conversion, type Mistake, mistake } from './mistake.ts';

const preset = (name: string, own?: object) => ({ preset: { name, ...(own && { arguments: own }) } });

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

/** Calls whose answer once proposed something else than was meant, or nothing. */
/** A picture over a film. */
const LOGO = { inputs: ['film.mp4', 'photo.png'], output: 'out.mp4', dryRun: true };

export const WRONG_PROPOSALS: readonly Mistake[] = [
  // Presets of HandBrake.
  conversion(
    { parameters: { preset: 'Fast 1080p30' } },
    /preset of HandBrake.*Send \\"preset\\": \{\\"name\\":\\"web-h264\\",\\"arguments\\":\{\\"height\\":1080\}\} beside/,
    /tune/,
  ),
  conversion({ preset: 'HQ 720p30 Surround' }, /\{\\"name\\":\\"web-h264\\",\\"arguments\\":\{\\"height\\":720\}\}/),
  conversion(preset('H.265 MKV 1080p30'), /\{\\"name\\":\\"web-hevc\\",\\"arguments\\":\{\\"height\\":1080\}\}/),
  conversion({ parameters: { preset: 'slow film' } }, /\\"preset\\": \\"slow\\" and \\"tune\\": \\"film\\"/),
  // Several files in one text, and one film of the files of a folder.
  conversion(
    { input: 'more/fast.mp4|film.mp4', parameters: { c: 'copy' } },
    /Send \\"inputs\\": \[\\"more\/fast\.mp4\\",\\"film\.mp4\\"\] and \\"join\\": \\"copy\\"/,
  ),
  conversion({ input: 'more/fast.mp4 film.mp4' }, /\\"film\.mp4\\"\] and \\"join\\": \\"encode\\"/),
  mistake(
    'convert_media',
    { each: 'photos/', ...preset('slideshow'), output: 'o.mp4', dryRun: true },
    /"corrected":\{(?!"each").*"inputs":\["photos\/1\.png","photos\/2\.png"\]/,
    /\{name\}/,
  ),
  mistake(
    'convert_media',
    { each: 'photos/', ...preset('pictures-to-video'), output: 'o.mp4', dryRun: true },
    /"corrected":\{(?!"each").*"input":"photos\/\*\.png","parameters":\{"pattern_type":"glob"\}/,
  ),
  mistake(
    'convert_media',
    { each: 'more/*.mp4', join: 'encode', output: 'o.mp4', dryRun: true },
    /one video of all files.*"corrected":\{(?!"each").*"inputs":\["more\/broadcast\.mp4"/,
  ),
  // What is copied cannot be mixed, and copies begin at key frames.
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', { input: 'more/fast.mp4', crossfade: '1' }],
      join: 'copy',
      parameters: { c: 'copy' },
    },
    /"corrected":\{.*"join":"encode","parameters":\{\}/,
  ),
  conversion(
    {
      cut: {
        keep: [
          { start: 0, end: 1 },
          { start: 2, end: 3 },
        ],
        crossfade: 0.5,
      },
      parameters: { c: 'copy' },
    },
    /"corrected":\{.*"crossfade":0\.5\},"parameters":\{\}/,
  ),
  conversion(
    { cut: { remove: [{ start: 1, end: 2 }] }, parameters: { c: 'copy' } },
    /the part from 2 s begins earlier/,
  ),
  conversion(
    { output: 'p%03d.mp4', format: 'segment', parameters: { c: 'copy', segment_time: '1' } },
    /cut only at key frames.*n_forced\*1\)/,
  ),
  conversion({ output: 'p%03d.mp4', ...preset('split', { length: 1 }) }, /"commands"(?!.*"warnings":\[\{)/),
  // Variants of HLS that would be the same picture.
  ...['h/v%v.m3u8', 'h/index.m3u8'].map((output) =>
    conversion(
      {
        output,
        parameters: { var_stream_map: 'v:0,a:0 v:1,a:1', map: ['0:v', '0:a'], master_pl_name: 'm.m3u8' },
      },
      /\\"preset\\": \{\\"name\\": \\"hls\\"\}.*a size and a rate of each/,
      /"corrected"/,
    ),
  ),
  conversion(
    {
      output: 'h/index.m3u8',
      parameters: {
        var_stream_map: 'v:0,a:0 v:1,a:1',
        map: ['0:v', '0:a', '0:v', '0:a'],
        's:v:1': '106x60',
        'b:v:0': '300k',
        'b:v:1': '100k',
        master_pl_name: 'm.m3u8',
      },
    },
    /"corrected":\{.*"output":"h\/index_%v\.m3u8"/,
  ),
  // Two sounds in one option.
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', 'more/song.mp3'],
      parameters: { 'c:v': 'copy', af: 'amix=inputs=2:duration=first' },
    },
    /"corrected":\{.*"filter_complex":"\[0:a\]\[1:a\]amix=inputs=2:duration=first\[a\]","map":\["0:v\??","\[a\]"\]/,
  ),
  // Subtitles of a copy are a track.
  conversion(
    { subtitles: 'more/talk.srt', parameters: { c: 'copy', 'c:s': 'srt' } },
    /"corrected":\{.*"c:s":"mov_text".*"inputs":\["film\.mp4","more\/talk\.srt"\]/,
  ),
  conversion({ subtitles: 'more/talk.srt' }, /burn-subtitles.*soft-subtitles/, /"corrected"/),
  conversion({ parameters: { pass: '1', crf: '23', f: 'null' } }, /recipe \\"target-size\\"/),
  conversion(
    { callbackUrl: 'mailto:anna@example.org', expiresAfterSeconds: '7d' },
    /no mail is sent.*wait_for_job.*"corrected":\{(?!.*callbackUrl)/,
  ),
  // Names of the same shape that mean something else.
  conversion({ parameters: { 'audio-format': 'mp3' } }, /Send \\"c:a\\": \\"mp3\\"/, /video_format/),
  conversion({ audio_format: 'mp3' }, /\\"parameters\\": \{\\"c:a\\":\\"mp3\\"\}/),
  conversion({ parameters: { print_format: 'json' } }, /an option of ffprobe.*call probe_media/, /pixel_format/),
  conversion({ show_streams: true }, /an option of ffprobe.*call probe_media/),
  conversion(
    { input: 'https://example.com/a.mp4', parameters: { 'audio-format': 'mp3' } },
    /^\{"code":"STORAGE_NOT_ALLOWED"/,
  ),
  conversion({ parameters: { max_width: '640' } }, /Send \\"vf\\": \\"scale='min\(640,iw\)':-2\\"/, /bandwidth/),
  conversion({ parameters: { subtitle_format: 'mov_text' } }, /Send \\"c:s\\": \\"mov_text\\"/, /sub_text_format/),
  conversion({ parameters: { 'recode-video': 'mp4' } }, /Send \\"format\\": \\"mp4\\" beside/),
  conversion({ parameters: { resize: '640x' } }, /\\"scale=640:-2\\"/),
  conversion({ parameters: { resize: 'x480' } }, /\\"scale=-2:480\\"/),
  // A share of the size.
  ...['resize', 'scale', 'width'].flatMap((name) => [
    conversion({ [name]: '50%' }, /\{\\"vf\\":\\"scale=iw\*50\/100:-2\\"\}/),
    conversion({ parameters: { [name]: '50%' } }, /Send \\"vf\\": \\"scale=iw\*50\/100:-2\\"/, /1280/),
  ]),
  conversion({ parameters: { s: '50%' } }, /Send \\"vf\\": \\"scale=iw\*50\/100:-2\\"/),
  conversion(preset('resize', { scale: '50%' }), /Send \\"vf\\": \\"scale=iw\*50\/100:-2\\" in the \\"parameters\\"/),
  // What a file does not have.
  conversion(
    { input: 'photo.png', output: 'a.mp3', ...preset('mp3') },
    /holds audio, and the inputs have none.*Send a file with audio/,
    /\\"vn\\"/,
  ),
  conversion({ input: 'wavs/a.wav', output: 'a.vtt' }, /speech in it, send \\"preset\\": .*captions-from-speech/),
  conversion({ output: 'a.srt' }, /captions-from-speech/),
  conversion({ output: 'a.txt' }, /captions-from-speech/),
  // A service that recognises speech finds the wrong output.
  conversion(preset('captions-from-speech', { model: 'base' }), /^\{"code":"(?:NEEDS_SPEECH|UNKNOWN_ARGUMENT)"/),
  // Streams of a graph.
  conversion(
    { parameters: { filter_complex: 'split[a][b]' } },
    /For a file of each, send \\"outputs\\".*For one file with all of them.*For one alone, leave \\"split\\" out/,
  ),
  mistake(
    'convert_media',
    {
      inputs: ['film.mp4', 'photo.png'],
      output: 'o.mp4',
      dryRun: true,
      parameters: { filter_complex: '[0:v][1:v]overlay=10:10[out]', map: '[out]' },
    },
    /"SOUND_LEFT_OUT".*\[\\"\[out\]\\",\\"0:a\?\\"\], or \\"an\\": \\"\\" if no audio is meant/,
  ),
  // Several files.
  mistake(
    'convert_media',
    { inputs: ['photos/*.png'], output: 's.mp4', dryRun: true, ...preset('slideshow') },
    /Send \\"inputs\\": \[\\"photos\/1\.png\\",\\"photos\/2\.png\\"\]\./,
  ),
  mistake(
    'convert_media',
    { inputs: ['photos/*.png'], output: 's.mp4', dryRun: true, join: 'encode' },
    /is one input: wildcards.*call list_files/,
  ),
  // Units.
  ...['24px', '24pt'].map((size) =>
    conversion(
      preset('burn-subtitles', { subtitles: 'subs.srt', size }),
      /in percent of the height.*Send a number from 1 to 50/,
      /Send 24/,
    ),
  ),
  conversion(preset('burn-subtitles', { subtitles: 'subs.srt', size: '5%' }), /Send 5\./),
  conversion(preset('text-overlay', { text: 'A', size: '24px' }), /Send 24\./),
  conversion(preset('fade', { seconds: '500ms' }), /Send 0\.5\./),
  conversion(preset('speed', { factor: '200%' }), /Send 2\./),
  conversion({ ...preset('gif', { fps: 'ten' }), output: 'a.gif' }, /Send, for example, 12\./),
  conversion({ expiresAfterSeconds: '24h' }, /Send 86400/),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['scenes'], settings: { scenes: { threshold: 0.3 } } },
    /not 0\.3.*If 0\.3 is a score of ffmpeg's \\"select\\", which goes to 1, send 30/,
  ),
  // Jobs before this one.
  conversion({ after: 'previous' }, /not the id of a job.*call list_jobs/, /\[\\"previous\\"\]/),
  mistake('wait_for_job', { jobIds: 'previous' }, /not the id of a job.*call list_jobs/, /\[\\"previous\\"\]/),
  // Parts of a film.
  conversion({ trim: { start: '00:00:01', length: '2' } }, /\{\\"start\\":\\"00:00:01\\",\\"end\\":3\}/),
  conversion({ cut: '00:00:01-00:00:02' }, /\{\\"start\\":\\"00:00:01\\",\\"end\\":\\"00:00:02\\"\}/),
  conversion({ trim: { start: 1, end: 2 } }, /Send \\"cut\\": \{\\"keep\\":\[\{\\"start\\":1,\\"end\\":2\}\]\}/),
  conversion(
    { parameters: { trim: { start: 1, end: 2 } } },
    /\\"cut\\": .* beside \\"parameters\\", and leave \\"trim\\" out/,
  ),
  conversion({ remove: [{ start: 1, end: 2 }] }, /Send \\"cut\\": \{\\"remove\\":\[\{\\"start\\":1,\\"end\\":2\}\]\}/),
  conversion(
    { cut: { remove: { silence: { threshold_db: -30, min_silence: 1 } } } },
    /Send \\"noiseDb\\": -30\..*Send \\"minSeconds\\": 1\./,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['black'], settings: { black: { threshold: 0.1 } } },
    /\\"minSeconds\\", \\"share\\", \\"pixel\\"/,
  ),
  mistake(
    'convert_media',
    { inputs: ['film.mp4', 'film.mp4'], join: 'encode', crossfade: 1, output: 'o.mp4' },
    /Send \\"inputs\\": \[\\"film\.mp4\\",\{\\"input\\":\\"film\.mp4\\",\\"crossfade\\":\\"1\\"\}\]\./,
  ),
  mistake(
    'convert_media',
    { inputs: ['film.mp4', 'film.mp4'], transition: 'fade', output: 'o.mp4' },
    /each element of \\"inputs\\" after the first/,
  ),
  // Words of sox.
  conversion({ parameters: { norm: '' } }, /\\"af\\": \\"loudnorm\\"/),
  conversion({ parameters: { rate: '44100' } }, /Send \\"ar\\": \\"44100\\"/),
  ...['norm', 'gain -n', 'gain=-n -3'].map((af) => conversion({ parameters: { af } }, /Send \\"af\\": \\"loudnorm\\"/)),
  conversion({ parameters: { af: 'gain=-3' } }, /Send \\"af\\": \\"volume=-3dB\\"/),
  conversion({ parameters: { af: 'rate=44100' } }, /Send \\"af\\": \\"aresample=44100\\"/),
  conversion({ parameters: { af: 'reverb=50' } }, /Send \\"af\\": \\"aecho\\"/),
  // Options of another container.
  conversion({ output: 'd/m.mpd', parameters: { hls_time: '4' } }, /Send \\"seg_duration\\": \\"4\\"/),
  conversion({ output: 'd/m.m3u8', parameters: { segment_time: '4' } }, /Send \\"hls_time\\": \\"4\\"/, /one file/),
  // A quality beside a size.
  conversion(
    { ...preset('target-size', { size: 3 }), parameters: { crf: '23' } },
    /"field":"\/parameters\/crf","code":"NO_EFFECT".*"fix":"Leave it out, or the recipe\."/,
  ),
  // Values in other shapes.
  conversion(
    { metadata: ['title=x', 'artist=y'] },
    /tags of the output.*\\"parameters\\": \{\\"metadata\\":\[\\"title=x\\",\\"artist=y\\"\]\}/,
  ),
  conversion({ parameters: { metadata: [{ title: 'x' }] } }, /Send \\"title=x\\"/),
  conversion({ encrypt: true, output: 'h/a.m3u8' }, /\{\\"keyUri\\": URI\}/),
  // Other tools.
  mistake('find_recipe', { query: 'untertitel einbrennen' }, /in English/),
  mistake('find_recipe', { query: '動画をGIFに変換' }, /"gif":/),
  mistake('find_recipe', { query: 'convertir en gif animé' }, /"name":"gif"/),
  mistake('create_upload_link', { path: '/home/me/clip.mp4' }, /another machine.*Send \\"clip\.mp4\\"/, /"url"/),
  mistake('create_upload_link', { path: 'C:\\Users\\me\\clip.mp4' }, /Send \\"clip\.mp4\\"/, /"url"/),
  mistake('create_upload_link', { path: 'file:///home/me/clip.mp4' }, /Send \\"clip\.mp4\\"/, /"url"/),
  mistake('create_upload_link', { path: '/wavs/b.wav' }, /"url"/),
  mistake('describe_capabilities', { name: 'libx264' }, /"kind":"codecs","name":"libx264".*"preset"/),
  mistake('describe_capabilities', { name: 'mp3' }, /"kind":"formats","name":"mp3"/),
  mistake('describe_capabilities', { of: 'libx264', query: 'preset' }, /"name":"preset"/),
  mistake('describe_capabilities', { name: 'no-such-thing' }, /call describe_capabilities with \{\\"query\\"/i),
  mistake('describe_capabilities', { filter: 'scale' }, /Send \\"kind\\": \\"filters\\" and \\"name\\": \\"scale\\"/),
  mistake('describe_capabilities', { type: 'encoders' }, /Send \\"kind\\": \\"codecs\\"/),
  mistake('list_files', { pattern: '*.mp4' }, /\\"prefix\\", the beginning of the paths/),
  mistake('list_files', { path: 'wavs' }, /Send \\"prefix\\": \\"wavs\/\\"/),
  mistake('list_files', { prefix: 'wavs' }, /call list_files with \{\\"prefix\\":\\"wavs\/\\"\}/),
  // Values under the right name, in the form that it takes.
  conversion({ parameters: { language: 'de' } }, /language=ger/),
  conversion({ language: 'de-DE' }, /language=ger/),
  mistake('probe_media', { path: '/media/film.mp4' }, /Send \\"input\\": \\"film\.mp4\\"/),
  mistake('render_preview', { input: 'film.mp4', timestamp: '00:01:30' }, /Send \\"at\\": 90\./),
  mistake(
    'wait_for_job',
    { jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', timeout: 300 },
    /Send \\"timeoutSeconds\\": 50\./,
  ),
  mistake('create_upload_link', { filename: 'C:\\Users\\me\\clip.mp4' }, /Send \\"path\\": \\"clip\.mp4\\"/, /"url"/),
  mistake('find_recipe', { recipe: 'watermark' }, /Send \\"name\\": \\"watermark\\"/),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['silence'], settings: { noise: '-30dB', duration: 1 } },
    /Send \\"settings\\": \{\\"silence\\":\{\\"noiseDb\\":-30,\\"minSeconds\\":1\}\}/,
  ),
  mistake('describe_capabilities', { of: 'x265' }, /Send \\"libx265\\"/),
  // Places in words.
  conversion({ parameters: { vf: 'crop=w=60:h=60:x=center' } }, /x=\(iw-ow\)\/2/),
  conversion({ parameters: { vf: 'crop=60:60:center:top' } }, /crop=60:60:\(iw-ow\)\/2:0/),
  mistake('convert_media', { ...LOGO, parameters: { filter_complex: 'overlay=top-right:10' } }, /overlay=W-w-10:10/),
  mistake('convert_media', { ...LOGO, parameters: { filter_complex: 'overlay=10:bottom-10' } }, /overlay=10:H-h-10/),
  // Filters that are unknown, after a filter with options.
  conversion({ parameters: { vf: 'scale=640:-2,greyscale' } }, /scale=640:-2,hue=s=0/),
  conversion({ parameters: { vf: 'fps=25,sepia,scale=640:-2' } }, /no filter \\"sepia\\"/, /fps=25\\/),
  conversion({ parameters: { vf: 'grayscale' } }, /hue=s=0/),
  conversion({ parameters: { CRF: '24' } }, /Send \\"crf\\"/),
  // All at once: what the fixes lead to, and the whole call.
  conversion(
    { parameters: { encoder: 'x264', quality: '22', ab: '160' } },
    /"afterwards":\[\{"code":"LOW_BIT_RATE".*"corrected":\{.*"parameters":\{"ab":"160k","c:v":"libx264","crf":"22"\}\}/,
  ),
  conversion({ parameters: { '-CRF': '24', '--tune': 'film' } }, /"corrected":\{.*"crf":"24".*\}/),
  conversion(
    { parameters: { af: 'volume=-6', t: '2 sec' } },
    /"corrected":\{.*"t":"2"\}\},"warnings":\[\{.*volume=-6dB/,
  ),
  // The whole call has each change once, and no part of the request is lost.
  conversion({ parameters: { width: '640', rotate: '90' } }, /"corrected":\{.*"vf":"scale=640:-2,transpose=1"\}\}/),
  conversion({ parameters: { speed: '2', volume: '2' } }, /atempo=2,volume=2/, /volume=2,volume=2/),
  conversion({ parameters: { vf: 'scale=100:-2,bench=start,hflip' } }, /Leave this filter out/, /"corrected"/),
  conversion({ parameters: { 'c:v': 'libx265', 'x265-params': 'crf=20:foo=1' } }, /Leave \\"foo\\" out/, /"corrected"/),
  conversion({ parameters: { crf: '18', CRF: '24' } }, /crf/, /"corrected":\{.*"crf":"24"/),
  // What is only unusual stays as it was sent, and so do paths that may be right.
  conversion({ output: 'a.gif', parameters: { '-t': '2', loop: '-1' } }, /"corrected":\{.*"loop":"-1"/),
  conversion(
    { output: '/home/me/keep.mp4', parameters: { y: '', CRF: '23' } },
    /"corrected":\{.*"\/home\/me\/keep.mp4"/,
  ),
  conversion({ input: 'incoming/film.mp4', parameters: { CRF: '23' } }, /"corrected":\{"input":"incoming\/film.mp4"/),
  // A fix that leads to another error is no whole call.
  conversion({ parameters: { vf: 'yadif=true;denoise=strong' } }, /"afterwards":\[\{.*must be a number/, /"corrected"/),
  // Fields at another depth.
  conversion(
    { cut: { remove: { silence: { noiseDb: -30, marginSeconds: 0.1 } } } },
    /Send \\"marginSeconds\\": 0\.1 beside \\"silence\\"\./,
    /Leave it out/,
  ),
  conversion(
    { cut: { remove: { silence: { noiseDb: -30 } }, marginSeconds: 0.1 } },
    /"corrected":\{.*"remove":\{"silence":\{"noiseDb":-30\},"marginSeconds":0\.1\}\}/,
  ),
  conversion(
    {
      cut: {
        keep: [
          { start: 0, end: 1 },
          { start: 2, end: 3 },
        ],
      },
      crossfade: 0.2,
    },
    /Send \\"cut\\": \{\\"keep\\":\[.*\],\\"crossfade\\":0\.2\}, and leave \\"crossfade\\" out/,
  ),
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', join: 'encode' }, 'film.mp4'], output: 'o.mp4', dryRun: true },
    /Send \\"join\\": \\"encode\\" beside \\"inputs\\"\..*"corrected":\{.*"join":"encode"/,
  ),
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', output: 'o.mp4' }], dryRun: true },
    /Send \\"output\\": \\"o\.mp4\\" beside \\"inputs\\"/,
    /"MISSING"/,
  ),
  mistake(
    'convert_media',
    { input: 'film.mp4', outputs: [{ output: 'o.mp4', input: 'film.mp4' }], dryRun: true },
    /"corrected":\{"input":"film\.mp4","outputs":\[\{"output":"o\.mp4"\}\]/,
  ),
  // Options of the output in an input, and of a picture that is shown.
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', map: '0:a', ss: '1' }], output: 'o.mp3', dryRun: true },
    /Send \\"map\\": \\"0:a\\" in the \\"parameters\\" of the request.*"parameters":\{"ss":"1"\}\}\].*"parameters":\{"map":"0:a"\}/,
  ),
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', parameters: { crf: '20' } }], output: 'o.mp4', dryRun: true },
    /"code":"WRONG_SIDE".*"corrected":\{.*"parameters":\{"crf":"20"\}/,
  ),
  ...['duration', 't'].map((name) =>
    mistake(
      'convert_media',
      {
        inputs: [{ input: 'photo.png', parameters: { [name]: '00:00:02' } }, 'film.mp4'],
        join: 'encode',
        output: 'o.mp4',
        dryRun: true,
      },
      /Send \\"duration\\": \\"2\\" beside \\"parameters\\".*"corrected":\{.*"duration":"2"/,
      /3\\"/,
    ),
  ),
  conversion(
    { output: undefined, filter_complex: '[0:v]hflip[f]', outputs: [{ output: 'o.mp4', map: ['[f]', '0:a'] }] },
    /Send \\"parameters\\": \{\\"map\\":\[\\"\[f\]\\",\\"0:a\\"\]\}.*"corrected"/,
    /Send \./,
  ),
  // Parts of a cut.
  conversion(
    { cut: { keep: [{ start: '0:01', end: '0:04' }], remove: [{ start: 2, end: 3 }] } },
    /Send \{\\"keep\\":\[\{\\"start\\":1,\\"end\\":2\},\{\\"start\\":3,\\"end\\":4\}\]\}/,
  ),
  conversion(
    { cut: { keep: [{ end: 1 }, { start: 2, end: 3 }], transition: { type: 'fade', duration: 0.25 } } },
    /Send \\"crossfade\\": 0\.25\./,
  ),
  conversion(
    { cut: { remove: { silence: true, threshold: '-45dB', minDuration: 2 } } },
    /Send \\"silence\\": \{\\"noiseDb\\":-45,\\"minSeconds\\":2\}\./,
    /freeze\\":|WRONG_TYPE/,
  ),
  conversion({ cut: { remove: { black: true } } }, /Send \{\}\./),
  // Jobs and their batches.
  mistake('cancel_job', { status: 'queued' }, /the ids of these jobs.*\{\\"status\\": \\"PENDING\\"\}/, /"MISSING"/),
  mistake('cancel_job', { batchId: ID, reason: 'wrong folder' }, /call wait_for_job with \{\\"batchId\\": \\"0199/),
  mistake('wait_for_job', { jobId: `${ID},${ID}` }, /Send \\"jobIds\\": \[\\"0199.*"corrected"/),
  mistake('wait_for_job', { jobId: 'job-1,job-2' }, /Send \\"jobIds\\": the ids of the jobs/),
  mistake('wait_for_job', { jobId: 'batch-7' }, /Send \\"batchId\\" instead/),
  mistake('wait_for_job', { jobId: ID, timeoutSeconds: 90 }, /"corrected":\{.*"timeoutSeconds":50\}/),
  mistake('get_job', { jobIds: ['job-1', 'job-2'] }, /Send one id in each call/),
  mistake('list_jobs', { status: 'progressing', maxResults: 500 }, /"corrected":\{"status":"PROCESSING","limit":50\}/),
  conversion({ after: ['small.mp4'] }, /Send the id of the job that writes it.*call list_jobs/),
  // Fields for what a tool does anyway, or never does.
  mistake('probe_media', { file: 'film.mp4', streams: ['audio'] }, /are reported.*"corrected":\{"input":"film\.mp4"\}/),
  mistake('list_files', { path: 'wavs', recursive: true, extension: 'wav' }, /"corrected":\{"prefix":"wavs\/"\}/),
  mistake('list_files', { prefix: '*/*.wav', limit: 1000 }, /wildcard in a folder.*call once for each.*Send 100/),
  // The options of an encoder.
  mistake(
    'describe_capabilities',
    { kind: 'options', codec: 'libx264', name: 'preset' },
    /Send \\"of\\": \\"libx264\\".*"corrected":\{"kind":"options","name":"preset","of":"libx264"\}/,
  ),
  mistake('describe_capabilities', { encoder: 'libx264', search: 'aq' }, /"corrected":\{"of":"libx264","query":"aq"\}/),
  mistake('describe_capabilities', { kind: 'codecs', encoder: 'libx264' }, /Send .*\\"name\\": \\"libx264\\"/),
  conversion({ output: 'h/a.m3u8', encrypt: { method: 'AES-128', uri: 'key.bin' } }, /"keyUri":"key\.bin"/, /example/),
  // A second file with its settings, and several.
  conversion(
    { watermark: { file: 'photo.png', position: 'top-left', opacity: 0.5 } },
    /"corrected":\{.*"arguments":\{"logo":"photo\.png","opacity":0\.5,"place":"top-left"\}/,
  ),
  conversion(
    { subtitles: ['more/talk.srt', 'more/talk.de.srt'], output: 'o.mkv', parameters: { c: 'copy' } },
    /Send \\"inputs\\": \[\\"film\.mp4\\",\\"more\/talk\.srt\\",\\"more\/talk\.de\.srt\\"\].*\\"metadata:s:s:1\\":\\"language=ger\\"/,
  ),
  conversion({ subtitle_files: ['a.en.vtt', 'b.vtt'] }, /\\"c:s\\":\\"mov_text\\"/),
  // What "each" means for paths.
  mistake(
    'convert_media',
    { each: 'photos/*.png', inputs: ['film.mp4', '{name}'], output: 'o/{name}.mp4', dryRun: true },
    /alone is not a path.*Send \\"\{path\}\\"/,
    /INPUT_NOT_FOUND/,
  ),
  mistake(
    'convert_media',
    { each: 'photos/*.png', output: 'o.mp4', parameters: { framerate: '1' }, dryRun: true },
    /"code":"MISPLACED".*"corrected":\{.*"pattern_type":"glob"\},"dryRun":true,"input":"photos\/\*\.png"/,
  ),
  mistake('convert_media', { each: 'photos/*.png', output: 'o.jpg' }, /"fix":"Send \\"\{name\}\.jpg\\"/),
  ...['o/{filename}.webp', 'o/*.webp'].map((output) =>
    conversion(
      { input: 'photos/*.png', output },
      /Send \\"each\\": \\"photos\/\*\.png\\" and \\"output\\": \\"o\/\{name\}\.webp\\", and leave/,
      /Send \\"pattern_type/,
    ),
  ),
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', 'more/fast.mp4'],
      join: 'encode',
      cut: { keep: [{ start: 1, end: 2 }, { end: '0:03' }] },
    },
    /If each part is of one input.*\[\{\\"input\\":\\"film\.mp4\\",\\"parameters\\":\{\\"ss\\":\\"1\\",\\"to\\":\\"2\\"\}\}/,
  ),
  // Files of another machine that are uploaded, and two files to compare.
  mistake(
    'create_upload_link',
    { file: '/Users/amy/Desktop/trip.mov', folder: 'more', maxBytes: '1MB' },
    /"corrected":\{"maxBytes":1000000,"path":"more\/trip\.mov"\}/,
  ),
  mistake(
    'create_upload_link',
    { path: '/Users/amy/Desktop/trip.mov', maxBytes: '1MB' },
    /"corrected":\{"path":"trip\.mov","maxBytes":1000000\}/,
  ),
  mistake('create_upload_link', { path: 'D:\\films\\trip.mov', expiresIn: 60 }, /"corrected":\{"path":"trip\.mov"\}/),
  ...[{ input: 'film.mp4,more/fast.mp4' }, { inputs: ['film.mp4', 'more/fast.mp4'] }].map((files) =>
    mistake(
      'render_preview',
      { ...files, view: 'compare' },
      /Send \\"input\\": \\"more\/fast\.mp4\\" and \\"original\\": \\"film\.mp4\\"/,
    ),
  ),
  mistake(
    'probe_media',
    { file_path: 'film.mp4', parameters: { select_streams: 'v:0', of: 'json', v: 'error' } },
    /reports all streams.*"corrected":\{"parameters":\{\},"input":"film\.mp4"\}/,
    /Send \\"f\\"/,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['black'], threshold: 0.2 },
    /in \\"settings\\" of \\"black\\" under the name that is meant: \\"share\\", \\"pixel\\"/,
  ),
];
