import { conversion, type Mistake, mistake } from './mistake.ts';

const film = { input: 'film.mp4', output: 'out.mp4' };

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

/** Right values in a wrong place or form, and words that only people use. */
export const OTHER_SHAPES: readonly Mistake[] = [
  // Several files in one text.
  mistake(
    'convert_media',
    { inputs: 'film.mp4,film.mp4', output: 'o.mp4', join: 'encode' },
    /"fix":"Send \\"inputs\\": \[\\"film\.mp4\\",\\"film\.mp4\\"\]\."/,
  ),
  mistake(
    'convert_media',
    { files: 'film.mp4, b.mov', output: 'o.mp4', join: 'copy' },
    /"fix":"Send \\"inputs\\": \[\\"film\.mp4\\",\\"b\.mov\\"\]\."/,
    /are both missing/,
  ),
  mistake(
    'convert_media',
    { ...film, input: 'a.mp4,b.mp4', dryRun: true },
    /send \\"inputs\\": \[\\"a\.mp4\\",\\"b\.mp4\\"\]/,
  ),
  mistake(
    'convert_media',
    { inputs: '["film.mp4", "film.mp4"]', output: 'o.mp4', join: 'encode', dryRun: true },
    /"commands"/,
  ),
  mistake(
    'convert_media',
    { each: ['wavs/take-1.wav', 'wavs/take-2.wav'], output: 'o/{name}.mp3' },
    /Send \\"wavs\/take-\[12\]\.wav\\"/,
  ),
  mistake(
    'convert_media',
    { each: 'wavs/*.wav', output: 'o/mp3/{filename}.mp3' },
    /"fix":"Send \\"o\/mp3\/\{name\}\.mp3\\"\."/,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['silence'], settings: { noiseDb: -30, minSeconds: 0.5 } },
    /Send \\"settings\\": \{\\"silence\\":\{\\"noiseDb\\":-30,\\"minSeconds\\":0\.5\}\}/,
  ),
  // Paths of other machines.
  conversion({ output: 'out\\n27.mp4' }, /only \\"\/\\" separates folders.*Send \\"out\/n27\.mp4\\"/),
  conversion({ output: 'C:\\films\\n27.mp4' }, /Send \\"n27\.mp4\\"/),
  conversion({ input: 'file:///wavs/a.wav' }, /"fix":"Send \\"wavs\/a\.wav\\"\."/),
  conversion({ input: 'file:///home/amy/film.mp4' }, /create_upload_link.*such as \\"film\.mp4\\"/),
  conversion({ output: 'file:///small/o.mp4' }, /"fix":"Send \\"small\/o\.mp4\\"\."/),
  // Milliseconds, filters of pictures for a song, and a setting of another encoder.
  conversion(
    { cut: { remove: { silence: {}, marginSeconds: 150 } } },
    /"corrected":\{[^}]*"cut":\{"remove":\{"silence":\{\},"marginSeconds":0\.15\}/,
  ),
  conversion(
    { input: 'wavs/a.wav', output: 'o.mp3', parameters: { af: 'fade=t=in:d=1,fade=t=out:st=3:d=1' } },
    /Send \\?"af\\?": \\?"afade=t=in:d=1,afade=t=out:st=3:d=1/,
  ),
  conversion({ parameters: { 'c:v': 'libx264', lossless: '1' } }, /Send \\?"qp\\?": \\?"0/),
  // Options in a wrong place.
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', parameters: { 'c:v': 'libx264' } }], output: 'o.mp4', dryRun: true },
    /"code":"WRONG_SIDE".*Send \\"c:v\\": \\"libx264\\" in the \\"parameters\\" of the request/,
  ),
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', parameters: { c: 'copy' } }], output: 'o.mp4', dryRun: true },
    /Send \\"c\\": \\"copy\\" in the \\"parameters\\" of the request/,
  ),
  mistake(
    'convert_media',
    { inputs: [{ input: 'film.mp4', parameters: { 'c:v': 'h264' } }], output: 'o.mp4', dryRun: true },
    /"commands"/,
  ),
  conversion({ parameters: { i: 'film.mp4' } }, /Leave it out: the request has that input/),
  conversion(
    { parameters: { i: 'more/chapters.txt', map_metadata: '1', map_chapters: '1', c: 'copy' } },
    /"corrected":\{.*"map_metadata":"1","map_chapters":"1","c":"copy"\},"inputs":\["film\.mp4","more\/chapters\.txt"\]\}/,
  ),
  mistake(
    'convert_media',
    { output: 'o.mp4', parameters: { i: 'film.mp4' } },
    /Send \\"input\\": \\"film\.mp4\\", and leave \\"i\\" out/,
  ),
  conversion(
    { parameters: { args: '-vf scale=640:-2 -an' } },
    /Send \\"vf\\": \\"scale=640:-2\\" and \\"an\\": \\"\\"\./,
  ),
  conversion({ parameters: { args: ['-vf', 'scale=640:-2'] } }, /Send \\"vf\\": \\"scale=640:-2\\"\./),
  conversion(
    { parameters: { command: 'ffmpeg -i film.mp4 -vf hflip b.mp4' } },
    /Send \\"input\\": \\"film\.mp4\\", \\"output\\": \\"b\.mp4\\" and \\"parameters\\": \{\\"vf\\":\\"hflip\\"\}/,
  ),
  conversion({ parameters: { bitrate: '2M' } }, /Send \\"b:v\\": \\"2M\\"/, /opens files/),
  // Commands as tools.
  mistake('run_ffmpeg', {}, /convert_media does all conversions/),
  mistake('bash', { command: 'ls' }, /Call convert_media|list_files/),
  // Wrappers and JSON in texts.
  mistake('convert_media', { arguments: { ...film, dryRun: true } }, /"commands"/),
  mistake(
    'convert_media',
    { name: 'convert_media', arguments: JSON.stringify({ ...film, dryRun: 'true' }) },
    /"commands"/,
  ),
  conversion({ parameters: '{"crf": 30}', expiresAfterSeconds: '86400' }, /-crf 30/),
  mistake('list_files', { limit: '5' }, /"files"/),
  // Numbers that nobody named.
  conversion(
    { priority: 'high' },
    /from -10, which is last, to 10, which is first\. Above 0, the default, the operator/,
    /Send -5/,
  ),
  conversion({ priority: 50 }, /from -10, which is last, to 10/),
  conversion({ parameters: { s: '120p' } }, /WIDTHxHEIGHT.*Send \\"vf\\": \\"scale=-2:120\\"/),
  // Both halves of a fix.
  conversion(
    { parameters: { vf: 'subtitles=/media/subs.srt' } },
    /Send \\"inputs\\": \[\\"film\.mp4\\",\\"subs\.srt\\"\], and \\"vf\\": \\"subtitles=(?:filename=)?subs\.srt\\" in the \\"parameters\\" of the request\./,
  ),
  // What a file does not have.
  conversion({ input: 'wavs/a.wav', output: 'a.png' }, /The job would fail/),
  conversion({ input: 'wavs/a.wav', output: 'a.srt' }, /The job would fail/),
  mistake('convert_media', { input: 'wavs/a.wav', output: 'a.png' }, /would fail/, /"jobId"/),
  mistake('convert_media', { input: 'wavs/a.wav', output: 'a.srt' }, /would fail/, /"jobId"/),
  mistake('convert_media', { ...film, parameters: { ss: '9' } }, /would fail/, /"jobId"/),
  mistake('convert_media', { input: 'film.mp4', output: 'wavs/a.wav' }, /OUTPUT_EXISTS.*\\"y\\": \\"\\"/, /"jobId"/),
  conversion({ parameters: { 'c:v': 'h265' } }, /Send \\"libx265\\"/, /hevc/),
  mistake('describe_capabilities', { kind: 'codecs', name: 'h265' }, /Send \\"libx265\\"/),
  mistake('describe_capabilities', { kind: 'filters', name: 'watermark' }, /Send \\"overlay\\"/),
  // Cuts.
  conversion(
    { cut: { segments: [{ start: 1, end: 2 }] } },
    /Send \\"keep\\": \[\{\\"start\\":1,\\"end\\":2\}\], or \\"remove\\"/,
  ),
  conversion({ cut: { segments: 'first' } }, /\\"keep\\" with the parts to keep, or \\"remove\\"/),
  conversion({ cut: { start: 1, end: 2 } }, /Send \\"keep\\": \[\{\\"start\\":1,\\"end\\":2\}\]/),
  conversion({ cut: [[1, 2]] }, /Send \{\\"keep\\":\[\{\\"start\\":1,\\"end\\":2\}\]\}/),
  conversion({ cut: { keep: [{ start: 1, duration: 1 }] } }, /Send \\"end\\": 2\./),
  conversion({ cut: { keep: [{ start: 0.1, duration: 0.2 }] } }, /Send \\"end\\": 0\.3\./),
  conversion({ cut: { keep: [{ from: 1, to: 2 }] } }, /Send \\"start\\"\..*Send \\"end\\"\./),
  conversion({ cut: { silence: { minSeconds: 1 } } }, /Send \\"remove\\": \{\\"silence\\":\{\\"minSeconds\\":1\}\}/),
  conversion({ cut: { delete: [{ start: 1, end: 2 }] } }, /Send \\"remove\\"/, /exactly one/),
  // Patterns.
  mistake(
    'convert_media',
    { each: 'wavs/*.{mp3,flac}', output: 'o/{name}.ogg' },
    /\\"\*\\", \\"\?\\" and \\"\[a-z\]\\".*\\"each\\": \\"wavs\/\*\.mp3\\", \\"each\\": \\"wavs\/\*\.flac\\"/,
  ),
  // Words for choices.
  mistake('render_preview', { input: 'film.mp4', view: 'thumbnail' }, /Send \\"frame\\"/),
  mistake('render_preview', { input: 'film.mp4', view: 'contact-sheet' }, /Send \\"sheet\\"/),
  mistake('list_jobs', { status: 'done' }, /Send \\"COMPLETED\\"/),
  mistake('list_jobs', { status: 'in_progress' }, /Send \\"PROCESSING\\"/),
  conversion({ inputs: ['film.mp4', 'film.mp4'], input: undefined, join: 'concat' }, /Send \\"encode\\"/),
  mistake('analyze_media', { input: 'film.mp4', measure: ['loud', 'wibble'] }, /measure\[1\]\\" must be one of/),
  // Right parts in other places.
  conversion(
    { input: { path: 'film.mp4', start: 1, end: 3 } },
    /\\"parameters\\":\{\\"ss\\":\\"1\\",\\"to\\":\\"3\\"\}/,
  ),
  conversion(
    { preset: 'web-h264', presetArguments: { height: 720 } },
    /\{\\"name\\":\\"web-h264\\",\\"arguments\\":\{\\"height\\":720\}\}/,
  ),
  conversion(
    { preset: { name: 'web-h264' }, preset_args: { height: 720 } },
    /\{\\"name\\":\\"web-h264\\",\\"arguments\\":\{\\"height\\":720\}\}/,
  ),
  conversion(
    { strict: '-2', overwrite: true, threads: 4, parameters: { c: 'copy' } },
    /\{\\"c\\":\\"copy\\",\\"y\\":\\"\\",\\"threads\\":\\"4\\",\\"strict\\":\\"-2\\"\}/,
    /Send, for example, true/,
  ),
  mistake(
    'convert_media',
    { input: 'film.mp4', outputs: [{ output: 'a.mp4', preset: { name: 'resize', arguments: { height: 360 } } }] },
    /one request for each recipe/,
    /Leave it out/,
  ),
  conversion({ parameters: { watermark: 'photo.png' } }, /For a task such as a watermark.*find_recipe/),
  mistake('list_files', { prefix: '/media/wavs/*.wav' }, /matches.*\{\\"prefix\\": \\"wavs\/\\"\}/),
  mistake('list_files', { prefix: '/data/media/wavs/' }, /\{\\"prefix\\": \\"wavs\/\\"\}/),
  conversion({ preset: { name: 'crop', arguments: { width: '100px', height: '80px' } } }, /Send 100\..*Send 80\./),
];

/** Options, values and groups of settings in the words of other tools and services. */
export const OTHER_TOOLS: readonly Mistake[] = [
  // Outputs in groups.
  conversion(
    {
      output: undefined,
      outputs: { '720p': { path: 'a.mp4', height: 720 }, low: { file: 'b.mp4', width: 320, height: 240 } },
    },
    /"corrected":\{.*"outputs":\[\{"output":"a\.mp4","parameters":\{"vf":"scale=-2:720"\}\},\{"output":"b\.mp4","parameters":\{"s":"320x240"\}\}\]/,
  ),
  conversion(
    { output: undefined, outputs: { '720p': { size: '1280x720' } } },
    /the path of its file, such as \\"outputs\\": \[\{\\"output\\":\\"720p\.mp4\\",\\"parameters\\":\{\\"s\\":\\"1280x720\\"\}\}\]/,
  ),
  conversion({ output: undefined, outputs: [{ path: 'a.mp4', preset: 'web-h264' }] }, /one request for each recipe/),
  // Sizes with one side, and how the picture fits.
  ...['640x?', '640x-', '640x-1'].flatMap((size) => [
    conversion({ parameters: { size } }, /"corrected":\{.*"vf":"scale=640:-2"/),
    conversion({ size }, /"corrected":\{.*"vf":"scale=640:-2"/),
    conversion({ parameters: { s: size } }, /"corrected":\{.*"vf":"scale=640:-2"/),
    conversion({ parameters: { vf: `scale=${size}` } }, /scale=640:-2/),
  ]),
  conversion({ parameters: { s: 'x480' } }, /"corrected":\{.*"vf":"scale=-2:480"/),
  ...[{ w: 300, h: 200, c: 'fill' }].map((sent) =>
    conversion(sent, /"corrected":\{.*"vf":"scale=300:200:force_original_aspect_ratio=increase,crop=300:200"/),
  ),
  conversion(
    { parameters: { fit: 'contain', width: 300, height: 200 } },
    /"corrected":\{.*"vf":"scale=300:200:force_original_aspect_ratio=decrease:force_divisible_by=2"/,
  ),
  conversion({ parameters: { geometry: '800x600>' } }, /scale=800:600:force_original_aspect_ratio=decrease/),
  // Settings of a recipe beside its arguments.
  conversion(
    { preset: { name: 'web-h264', parameters: { height: 720 } } },
    /"corrected":\{.*"arguments":\{"height":720\}/,
  ),
  conversion(
    { preset: { name: 'web-h264', parameters: { size: '1280x720', preset: 'slow' } } },
    /"corrected":\{(?=.*"height":720)(?=.*"preset":"slow")/,
  ),
  conversion({ recipe: 'web-h264' }, /"corrected":\{.*"preset":\{"name":"web-h264"\}/),
  conversion({ parameters: { preset: 'web-h264' } }, /"corrected":\{.*"preset":\{"name":"web-h264"\}/),
  conversion(
    { preset: { name: 'trim', arguments: { range: [1, 3] } } },
    /"corrected":\{.*"arguments":\{"start":1,"end":3\}/,
  ),
  conversion({ preset: { name: 'youtube_1080p' } }, /"corrected":\{.*"name":"web-h264","arguments":\{"height":1080\}/),
  conversion({ preset: { name: 'discord_8mb' } }, /"corrected":\{.*"name":"target-size","arguments":\{"size":8\}/),
  conversion({ preset: { name: 'mp4_small' } }, /"corrected":\{.*"name":"compress"/),
  conversion(
    { preset: { name: 'target-size' } },
    /Send, for example, .*\\"size\\": 8\}\}, with a number from/,
    /0\.1\}/,
  ),
  // MediaConvert.
  conversion(
    { CodecSettings: { Codec: 'H_264', H264Settings: { Bitrate: 5_000_000, RateControlMode: 'VBR' } } },
    /"corrected":\{.*"b:v":"5000000"/,
  ),
  conversion(
    {
      parameters: {
        preset: 'fast',
        VideoDescription: { Width: 90, Height: 60, CodecSettings: { Codec: 'H_264' } },
        AudioDescriptions: [{ CodecSettings: { Codec: 'AAC', AacSettings: { Bitrate: 96_000, SampleRate: 48_000 } } }],
      },
    },
    /"corrected":\{.*"parameters":\{"preset":"fast","s":"90x60","c:v":"h264","c:a":"aac","b:a":"96000","ar":"48000"\}/,
  ),
  conversion({ parameters: { RateControlMode: 'CBR' } }, /\\"b:v\\", \\"minrate\\" and \\"maxrate\\"/),
  // What would be lost or kept without a word.
  conversion(
    { parameters: { filter_complex: '[0:a]volume=2[a]', map: '[a]' } },
    /PICTURE_LEFT_OUT.*Send \\"map\\": \[\\"0:v\\",\\"\[a\]\\"\], or \\"vn\\"/,
  ),
  conversion({ parameters: { filter_complex: '[0:a]volume=2[a]', map: '[a]', vn: '' } }, /"warnings":\[\]/),
  conversion({ parameters: { 'c:a:1': 'aac', 'c:v': 'copy' } }, /\\"c:a:1\\" has no effect.*Send \\"c:a:0\\"/),
  conversion({ parameters: { metadata: 'title="My film"', c: 'copy' } }, /Send \\"metadata\\": \\"title=My film\\"/),
  conversion({ parameters: { metadata: 'title=The "real" film', c: 'copy' } }, /"warnings":\[\]/),
  conversion({ input: '3f2b8c1e-5a6d-4e7f-8a9b-0c1d2e3f4a5b' }, /Files have paths, and no ids/),
  conversion({ input: '/media/more/fast.mp4' }, /Send \\"more\/fast\.mp4\\"/),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['lufs', 'true_peak'] },
    /\\"loudness\\" measures it too.*"corrected":\{.*"measure":\["loudness"\]/,
  ),
  mistake(
    'convert_media',
    { each: 'wavs/*.wav', output: 'o/{name}.mp3', parameters: { bitrate: '128k' }, dryRun: true },
    /"corrected":\{"each":.*"b:a":"128k"/,
  ),
  // The size of a picture in another one.
  conversion(
    { input: undefined, inputs: ['film.mp4', 'logo.png'], preset: { name: 'watermark', arguments: { size: '20%' } } },
    /"fix":"Send \\"percent\\": 20\."/,
  ),
  conversion(
    { input: undefined, inputs: ['film.mp4', 'logo.png'], preset: { name: 'watermark', arguments: { width: 100 } } },
    /Send \\"percent\\" instead/,
  ),
  // Cloudinary, in an option.
  // Loudness or peak.
  conversion({ parameters: { norm: -3 } }, /For a peak of -3 dB.*\\"volume=XdB\\"/, /loudnorm/),
  conversion({ normalize: -14 }, /-14 LUFS, send \\"af\\": \\"loudnorm=I=-14\\"\. For a peak of -14 dB/),
  conversion({ parameters: { normalize: '-14 LUFS' } }, /"corrected":\{.*"af":"loudnorm=I=-14"/),
  // A profile with its level.
  conversion({ parameters: { profile: 'High@4.1' } }, /"corrected":\{.*"profile:v":"high","level":"4\.1"/),
  conversion({ parameters: { profile: 'high@4.1', level: '4.1' } }, /"corrected":\{.*"profile":"high","level":"4\.1"/),
  // Channels that contradict each other.
  conversion(
    { parameters: { channel_layout: 'stereo', ac: '6' } },
    /\\"ac\\": \\"6\\" has no effect: ffmpeg uses \\"channel_layout\\"/,
  ),
  conversion({ parameters: { channel_layout: 'stereo', ac: '2' } }, /"commands"(?!.*"warnings":\[\{)/),
  // Percentages, and bits of samples.
  conversion({ output: 'a.mp3', parameters: { 'q:a': '80%' } }, /not a percentage/, /"corrected"/),
  conversion({ output: 'a.wav', parameters: { bits: 24 } }, /"corrected":\{.*"c:a":"pcm_s24le"/),
  conversion({ output: 'a.flac', bit_depth: 24 }, /"corrected":\{.*"sample_fmt":"s32"/),
  conversion({ parameters: { bit_depth: 10 } }, /"corrected":\{.*"pix_fmt":"yuv420p10le"/),
  // Parts.
  ...[
    { subclip: '1,3' },
    { range: '1-3' },
    { parameters: { subclip: [1, 3] } },
    { start_offset: 1, end_offset: 3 },
  ].map((sent) => conversion(sent, /"corrected":\{.*"ss":"1","to":"3"/)),
  conversion({ remove_silence: true }, /"corrected":\{.*"cut":\{"remove":\{"silence":\{\}\}\}/),
  conversion({ parameters: { ss: 'last 2 seconds' } }, /"corrected":\{.*"sseof":"-2"/),
  // A sequence that is shown again and again, and speeds of opposite directions.
  conversion({ input: 'photos/%d.png', parameters: { loop: '1' } }, /Leave \\"loop\\" out/, /\\"t\\": \\"10\\"/),
  conversion(
    { parameters: { vf: 'setpts=PTS*4', af: 'atempo=4' } },
    /For a slower video, send \\"af\\": \\"atempo=0\.5,atempo=0\.5\\"\. For a faster one, send \\"vf\\": \\"setpts=PTS\/4\\"/,
  ),
  // Second files.
  conversion({ audio: 'more/song.mp3' }, /\\"replace-audio\\".*\\"background-music\\"/, /c:a/),
  conversion({ subtitles: 'subs.srt' }, /\\"burn-subtitles\\".*\\"soft-subtitles\\"/),
  conversion(
    { watermark: { url: 'photo.png', position: 'top-right' } },
    /"corrected":\{.*"name":"watermark","arguments":\{"logo":"photo\.png","place":"top-right"\}/,
  ),
  conversion({ append: 'more/fast.mp4' }, /"corrected":\{.*"inputs":\["film\.mp4","more\/fast\.mp4"\],"join":"encode"/),
  conversion({ tags: { title: 'x' } }, /"corrected":\{.*"metadata":\["title=x"\]/),
  // Shapes of "parameters".
  ...[
    [{ name: 'crf', value: 23 }],
    [['crf', 23]],
    ['crf=23'],
    'crf=23',
    { options: { crf: 23 } },
    { output: { crf: 23 } },
  ].map((parameters) => conversion({ parameters }, /"corrected":\{.*"parameters":\{"crf":"23"\}/)),
  conversion({ parameters: { 'c:v': { name: 'libx264', crf: 23 } } }, /"corrected":\{.*"c:v":"libx264","crf":"23"/),
  conversion(
    { parameters: { input_options: { ss: 1 } } },
    /\\"inputs\\": \[\{\\"input\\":\\"film\.mp4\\",\\"parameters\\":\{\\"ss\\":\\"1\\"\}\}\].* instead of \\"input\\"/,
  ),
  conversion(
    { parameters: { cut: { keep: [{ start: 1, end: 2 }] } } },
    /"corrected":\{.*"cut":\{"keep":\[\{"start":1,"end":2\}\]\}/,
  ),
  // Codecs in words.
  conversion({ output: 'a.mov', parameters: { 'c:v': 'Apple ProRes 422 HQ' } }, /"corrected":\{.*"c:v":"prores_ks"/),
  conversion({ parameters: { 'c:a': 'none' } }, /"corrected":\{.*"an":""/),
  // A song for a recipe of films.
  ...[undefined, { height: 720 }].map((own) =>
    conversion(
      { input: 'more/song.mp3', preset: { name: 'web-h264', ...(own && { arguments: own }) } },
      /"field":"\/input","code":"NO_SUCH_STREAM".*is for files with video.*\\"picture-and-sound\\"/,
    ),
  ),
  // Wildcards.
  conversion(
    { input: 'wavs/*.wav', output: 'o/*.mp3' },
    /\\"each\\": \\"wavs\/\*\.wav\\" and \\"output\\": \\"o\/\{name\}\.mp3\\"/,
  ),
  conversion(
    { input: 'wavs/*.wav', output: 'o.mp3', preset: { name: 'mp3' } },
    /\\"each\\": \\"wavs\/\*\.wav\\" and \\"output\\": \\"\{name\}\.mp3\\"/,
    /Send \\"inputs\\": \[/,
  ),
  // Ids and files of other tools.
  mistake('get_job', { id: 'film.mp4' }, /the id of a job, which is a UUID.*call list_jobs/),
  mistake('get_job', { id: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }, /"corrected":\{"jobId":"0199a7c2/),
  mistake(
    'get_job',
    { batchId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' },
    /wait_for_job with \{\\"batchId\\": \\"0199a7c2/,
    /list_jobs/,
  ),
  mistake('probe_media', { of: 'film.mp4' }, /"corrected":\{"input":"film\.mp4"\}/),
  mistake('probe_media', { input: 'photos' }, /Files in \\"photos\\": \\"photos\/1\.png\\"/),
  mistake('probe_media', { input: 'wavs/*.wav' }, /Send one path at a time\. Files in/),
  // Arguments in lists, alone, and under other names.
  mistake('find_recipe', { keywords: ['contact sheet', 'grid'] }, /"name":"contact-sheet"/),
  mistake(
    'find_recipe',
    { name: 'a logo on a video', category: 'watermark', limit: 3 },
    /"corrected":\{"query":"a logo on a video watermark"\}/,
  ),
  mistake(
    'render_preview',
    { file: 'film.mp4', timestamp: '00:00:01' },
    /"corrected":\{"input":"film\.mp4","at":\[1\]/,
  ),
  mistake(
    'analyze_media',
    { input: 'wavs/a.wav', type: 'silence', threshold: '-40dB' },
    /"corrected":\{"input":"wavs\/a\.wav","measure":\["silence"\],"settings":\{"silence":\{"noiseDb":-40\}\}\}/,
  ),
  mistake('wait_for_job', { jobId: ['1', '2'] }, /\\"jobIds\\".*call list_jobs/, /0199a7c2/),
  mistake('list_files', { path: '*.mp4' }, /Leave it out.*the media root is listed.*"corrected":\{\}/),
  mistake('list_files', { path: 'wavs/*.wav' }, /"corrected":\{"prefix":"wavs\/"\}/),
  conversion(
    { input: ['more/fast.mp4', 'film.mp4'], join: true },
    /"corrected":\{.*"join":"encode".*"inputs":\["more\/fast\.mp4","film\.mp4"\]/,
  ),
  conversion(
    { input: 'wavs', output: 'o/', format: 'flac', each: true },
    /Send \\"each\\": \\"wavs\/\\" and \\"output\\": \\"o\/\{name\}\.flac\\", and leave \\"input\\" out/,
  ),
  // A folder with nearly the same name has the file.
  conversion({ input: 'photo/1.png', output: 'a.jpg' }, /The file of that name is \\"photos\/1\.png\\"/),
  // Without an output, what is wrong with the options is said too.
  mistake(
    'convert_media',
    { input: 'film.mp4', parameters: { 'extract-audio': 'true', 'audio-format': 'mp3', 'audio-quality': '0' } },
    /\\"output\\": \\"film\.mp3\\".*\\"vn\\": \\"\\".*\\"q:a\\": \\"0\\"/,
  ),
  // Whole requests of other services.
  // Words of this API and of others for one thing, side by side.
  mistake(
    'convert_media',
    {
      source: 'film.mp4',
      destination: 'o.webm',
      options: { 'c:v': 'libvpx-vp9', 'b:v': '0', crf: '32' },
      dryRun: true,
    },
    /"corrected":\{"dryRun":true,"input":"film\.mp4","output":"o\.webm","parameters":\{"c:v":"libvpx-vp9","b:v":"0","crf":"32"\}\}/,
    /film-new/,
  ),
  mistake(
    'convert_media',
    { operation: 'convert', input: 'film.mp4', output_format: 'webm', dryRun: true },
    /\\"output\\": \\"film\.webm\\"/,
  ),
  conversion(
    { parameters: { no_subtitles: true, no_data: true, c: 'copy' } },
    /"corrected":\{.*"c":"copy","sn":"","dn":""/,
  ),
  conversion({ input: 'wavs/a.wav', output: 'a.mp3', parameters: { qscale_audio: '2' } }, /"corrected":\{.*"q:a":"2"/),
  conversion(
    { output: 'o.%(ext)s', parameters: { 'extract-audio': '', 'audio-format': 'mp3', 'audio-quality': '0' } },
    /"corrected":\{"input":"film\.mp4","output":"o\.mp3",.*"vn":"".*"q:a":"0"/,
  ),
  mistake(
    'render_preview',
    { input: 'film.mp4', view: 'contact_sheet', cols: 2, rows: 2 },
    /"corrected":\{"input":"film\.mp4","view":"sheet","rows":2,"columns":2\}/,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['scene_changes', 'lufs'], threshold: 0.3 },
    /Send \\"settings\\": \{\\"scenes\\":\{\\"threshold\\":0\.3\}\}.*send 30/,
  ),
  // Bit rates of other services count kilobits, and a quality from 0 to 9 is that of MP3.
  mistake(
    'convert_media',
    { input: 'wavs/a.wav', output: 'a.mp3', audio_bitrate: 128, audio_channels: 1, dryRun: true },
    /"corrected":\{.*"parameters":\{"b:a":"128k","ac":"1"\}/,
  ),
  conversion({ input: 'wavs/a.wav', output: 'a.mp3', parameters: { quality: '4' } }, /"corrected":\{.*"q:a":"4"/),
  mistake(
    'analyze_media',
    { input: 'wavs/a.wav', measure: 'silence', threshold: '-40dB', min_duration: 0.5 },
    /"corrected":\{.*"settings":\{"silence":\{"noiseDb":-40,"minSeconds":0\.5\}\}/,
  ),
  // The name of a folder means its files.
  mistake('convert_media', { each: 'wavs', output: 'o/{name}.flac', dryRun: true }, /wavs\/a\.wav -> o\/a\.flac/),
  // A dry run says at once what comes after the fix of a job that would fail.
  conversion(
    { input: 'more/german.mkv', output: 'a.vtt', parameters: { map: '0:s:1', 'c:s': 'srt' } },
    /\\"0:s:0\\".*"afterwards":\[.*Leave \\"c:s\\" out/,
  ),
  // A part of a film as a preview, and a number of pictures.
  ...[
    { start: 1, end: 3 },
    { from: '00:00:01', to: '3' },
    { startTime: 1, duration: 2 },
  ].map((part) => mistake('render_preview', { input: 'film.mp4', ...part }, /"corrected":\{.*"at":\[1,1\.5,2,2\.5\]/)),
  mistake('render_preview', { input: 'film.mp4', start: 1, end: 3, count: 2 }, /"corrected":\{.*"at":\[1,2\]/),
  mistake('render_preview', { input: 'film.mp4', startTime: 2 }, /"corrected":\{.*"at":\[2\]/),
  mistake(
    'render_preview',
    { input: 'film.mp4', view: 'grid', count: 6 },
    /"corrected":\{.*"view":"sheet","columns":3,"rows":2/,
  ),
  // Ids and paths of another kind.
  mistake('render_preview', { jobId: 'film.mp4' }, /"corrected":\{"input":"film\.mp4"\}/),
  ...['render_preview', 'list_jobs'].map((tool) =>
    mistake(tool, { batchId: ID }, new RegExp(`wait_for_job with .*batchId.*${ID}`), /"corrected"/),
  ),
  mistake('probe_media', { uploadId: ID }, /Files have paths, and no ids.*list_files/, /movies\/in/),
  mistake('probe_media', { file_id: 'film.mp4' }, /"corrected":\{"input":"film\.mp4"\}/),
  // Words of the caller about a job.
  conversion({ tags: ['a', 'b'] }, /"corrected":\{.*"metadata":\{"tags":"a, b"\}/),
  conversion(
    { project: 'P1', batch: 'night', metadata: { order: '7' } },
    /"corrected":\{.*"metadata":\{"order":"7","project":"P1","batch":"night"\}/,
  ),
  mistake('list_jobs', { batch: 'night' }, /"corrected":\{"metadata":\{"batch":"night"\}\}/),
  // A format in place of the output, outputs as texts, filters as objects, and a reason to leave a field out.
  mistake('convert_media', { file: 'wavs/a.wav', to: 'mp3', dryRun: true }, /"corrected":\{.*"output":"wavs\/a\.mp3"/),
  conversion({ output: undefined, outputs: ['o.mp4', 'o.mkv'] }, /"corrected":\{.*\[\{"output":"o\.mp4"\}/),
  conversion(
    { parameters: { filters: [{ name: 'crop', width: 80, height: 60 }, { name: 'hflip' }] } },
    /"corrected":\{.*"vf":"crop=w=80:h=60,hflip"/,
  ),
  conversion({ input: 'photos/%d.png', fps: 2 }, /"corrected":\{.*"framerate":"2"/),
  mistake('list_jobs', { status: 'done', sort: 'newest' }, /"corrected":\{"status":"COMPLETED"\}/),
  // Texts for other programs, by what they have in common.
  // Whole requests of other services: what is not read is named, and nothing is corrected without it.
];

const recipe = (name: string, own: object) => ({ preset: { name, arguments: own } });

/** Values, names and places of other tools, and values that contradict each other. */
export const OTHER_VALUES: readonly Mistake[] = [
  // Names that go on, and words for no limit.
  conversion({ output: 'h/a.m3u8', parameters: { hls_playlist: 'vod' } }, /Send \\"hls_playlist_type\\": \\"vod\\"/),
  conversion(
    { output: 'h/a.m3u8', parameters: { hls_playlist: '1' } },
    /\\"hls_playlist_type\\".*\\"event\\", \\"vod\\"/,
  ),
  conversion({ output: 'h/a.m3u8', hls_list_size: 'all' }, /"corrected":\{.*"hls_list_size":"0"/),
  // Sizes of pictures where a recipe has one side, or names.
  conversion({ output: 'a.gif', ...recipe('gif', { size: '320x180' }) }, /"corrected":\{.*"arguments":\{"width":320\}/),
  conversion(
    { output: 'a.gif', ...recipe('gif', { width: '320x180', fps: 8 }) },
    /"arguments":\{"width":320,"fps":8\}/,
  ),
  conversion(recipe('web-h264', { height: '1280x720' }), /"arguments":\{"height":720\}/),
  conversion({ output: 'a.gif', ...recipe('gif', { height: 180 }) }, /Send \\"width\\" instead/),
  conversion(
    { input: undefined, inputs: ['photos/1.png', 'photos/2.png'], ...recipe('slideshow', { size: '1280x720' }) },
    /"arguments":\{"size":"720p"\}/,
  ),
  // Parts.
  conversion({ output: 'p/{index}.mp4', format: 'segment' }, /"corrected":\{.*"output":"p\/%03d\.mp4"/),
  conversion({ output: 'p/$Number$.png', parameters: { vf: 'fps=1' } }, /Send \\"p\/%03d\.png\\"/),
  conversion({ output: 'p/a.png', parameters: { vf: 'fps=1' } }, /with a counter: \\"p\/a_%03d\.png\\"/),
  mistake(
    'convert_media',
    { each: 'wavs/*.wav', output: 'o/{index}.mp3', dryRun: true },
    /Send \\"o\/\{name\}\.mp3\\"/,
  ),
  // Ranges that end before they start, and values that contradict each other.
  conversion(
    { trim: '3-1' },
    /from 1 to 3, send \\"ss\\": \\"1\\" and \\"to\\": \\"3\\".*\\"t\\": \\"1\\"/,
    /"corrected"/,
  ),
  conversion({ parameters: { trim: '3-1' } }, /from 1 to 3, send \\"ss\\": \\"1\\"/, /"corrected"/),
  conversion({ parameters: { trim: '1-3' } }, /"corrected":\{.*"ss":"1","to":"3"/),
  conversion({ fps: 25, framerate: 30 }, /\{\\"r\\":\\"25\\"\}, or \{\\"r\\":\\"30\\"\}.*contradict/, /"corrected"/),
  conversion(
    { parameters: { fps: '25', framerate: '30' } },
    /\\"r\\": \\"25\\", or send \\"r\\": \\"30\\"\. The first value is from another option/,
    /"corrected"/,
  ),
  conversion({ fps: 25, parameters: { crf: 20 } }, /"corrected":\{.*"parameters":\{"crf":"20","r":"25"\}/),
  // A size in bytes, with and without a space.
  ...['2MB', '2 MB', '2 megabytes'].map((fs) =>
    conversion(
      { parameters: { fs } },
      /\{\\"name\\":\\"target-size\\",\\"arguments\\":\{\\"size\\":2\}\}.*\\"fs\\": \\"2M\\"/,
    ),
  ),
  // Files one after the other.
  conversion(
    { input: 'concat:film.mp4|more/fast.mp4' },
    /"corrected":\{.*"inputs":\["film\.mp4","more\/fast\.mp4"\],"join":"encode"/,
  ),
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', 'more/upright.mp4'],
      parameters: { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1' },
    },
    /anullsrc=.*: this plays silence instead\./,
  ),
  // Files with nearly that name.
  conversion(
    recipe('burn-subtitles', { subtitles: 'more/tlak.srt' }),
    /Files in \\"more\/\\": .*\\"more\/talk\.srt\\"/,
  ),
  // Fields without their unit, and under the word of the other tool.
  conversion({ expires_after: 7200 }, /"corrected":\{.*"expiresAfterSeconds":7200/),
  conversion(
    { cut: { remove: { silence: { threshold: -35 }, margin: 0.1 } } },
    /"corrected":\{.*\{"noiseDb":-35\},"marginSeconds":0\.1/,
  ),
  mistake(
    'render_preview',
    { view: 'compare', input: 'film.mp4', reference: 'more/fast.mp4', at: [1] },
    /"corrected":\{.*"original":"more\/fast\.mp4"/,
  ),
  // Inputs that are counted from 1.
  conversion(
    { input: undefined, inputs: ['film.mp4', 'more/fast.mp4'], parameters: { map: ['1:v', '2:a'] } },
    /not from 1.*"corrected":\{.*"map":\["0:v","1:a"\]/,
  ),
  conversion(
    {
      input: undefined,
      inputs: ['film.mp4', 'more/fast.mp4'],
      parameters: { filter_complex: '[1:v][2:v]overlay=10:10' },
    },
    /"corrected":\{.*\[0:v\]\[1:v\]overlay=/,
  ),
  // Speed of both in one option.
  conversion(
    { parameters: { af: 'atempo=1.5,setpts=PTS/1.5' } },
    /"corrected":\{.*"af":"atempo=1\.5","vf":"setpts=PTS\/1\.5"/,
    /asetpts/,
  ),
  // A text with colons and commas.
  // A sequence that finds no picture.
  conversion(
    { input: 'photos/img_%03d.png', parameters: { framerate: '2' } },
    /finds no images: there is none with a number from 0 to 4/,
  ),
  // Whole requests of other services.
  conversion(
    { output: 'o/a.%(ext)s', parameters: { extract_audio: '', audio_format: 'mp3' } },
    /"corrected":\{.*"output":"o\/a\.mp3"/,
  ),
  // A size of the whole film.
  conversion(
    { parameters: { max_file_size: '8MB' } },
    /\\"target-size\\", \\"arguments\\": \{\\"size\\": 8\}/,
    /"corrected"/,
  ),
  // Settings under the name of the filter.
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['silencedetect'], settings: { silencedetect: { noise: '-30dB', d: 0.5 } } },
    /"corrected":\{.*"settings":\{"silence":\{"noiseDb":-30,"minSeconds":0\.5\}\}/,
  ),
  conversion({ subclip: [1, 2] }, /"corrected":\{.*"cut":\{"keep":\[\{"start":1,"end":2\}\]\}/),
  // A ratio as a size in pixels.
  conversion({ parameters: { vf: 'crop=1:1,scale=90:90' } }, /crop=min\(iw\\+,ih\*1\/1\)/, /crop=iw:ih/),
  // Scales of other programs.
  conversion(
    { output: 'a.jpg', parameters: { 'frames:v': '1', 'q:v': '90' } },
    /not a percentage.*Send \\"q:v\\": \\"3\\"/,
  ),
  conversion({ output: 'a.jpg', parameters: { 'frames:v': '1', quality: '85' } }, /"corrected":\{.*"q:v":"4"/),
  conversion(
    { cut: { remove: { silence: { noiseDb: 40, minSeconds: 700 } } } },
    /"noiseDb":-40.*so nothing is removed.*Send \\"minSeconds\\": 0\.7/,
  ),
  conversion({ output: 'o/index.m3u8', parameters: { hls_type: 'vod' } }, /"corrected":\{.*"hls_playlist_type":"vod"/),
  // The size of the output as that of a crop.
  conversion({ parameters: { vf: 'crop=100:200' } }, /scale=100:200:force_original_aspect_ratio=increase,crop=100:200/),
  // What a recipe does anyway.
  mistake(
    'convert_media',
    {
      input: 'wavs/a.wav',
      output: 'o.mp3',
      ...recipe('podcast', { loudness: '-16 LUFS', bitrate: '128 kbps' }),
      dryRun: true,
    },
    /Leave it out: the recipe .*-16 LUFS.*"corrected":\{.*"arguments":\{"bitrate":128\}/,
  ),
  mistake(
    'convert_media',
    { input: 'wavs/a.wav', output: 'o.mp3', ...recipe('podcast', { lufs: -14 }), dryRun: true },
    /brings it to -16 LUFS.*Leave \\"lufs\\" out if/,
    /"corrected"/,
  ),
  // An output for each file.
  mistake(
    'convert_media',
    { each: 'wavs/', output: 'o/p/', parameters: { 'c:a': 'libmp3lame', vn: '' }, dryRun: true },
    /Send \\"o\/p\/\{name\}\.mp3\\"/,
  ),
  // What a step says beside the size.
  mistake(
    'render_preview',
    { input: 'film.mp4', view: 'thumbnails', grid: '4x3' },
    /"corrected":\{.*"columns":4,"rows":3/,
  ),
  conversion(
    { chapters: [{ start: 0, end: 2, title: 'One' }], parameters: { c: 'copy' } },
    /a file in the format FFMETADATA.*\\"map_chapters\\"/,
  ),
  // The picture of a song, by the kind of the song.
  conversion(
    {
      input: undefined,
      inputs: ['more/song.mp3', 'photos/1.png'],
      output: 'a.mp3',
      parameters: { map: ['0:a', '1:a'], c: 'copy' },
    },
    /"corrected":\{.*"map":\["0:a","1:v"\]/,
  ),
  conversion({ output: 'a.srt', parameters: { map: '0:1' } }, /srt holds only subtitles.*Send \\"map\\": \\"0:s:0\\"/),
  conversion(
    { output: 'a.wmv', parameters: { 'c:v': 'wmv3', 'b:v': '2M' } },
    /"corrected":\{.*"c:v":"wmv2","b:v":"2M"/,
    /no effect/,
  ),
  // Both times of a range.
  conversion(
    { cut: { keep: [{ start: '00:00:00:12', end: '00:00:02:05' }] } },
    /"corrected":\{.*"keep":\[\{"start":0\.5,"end":2\.208\}\]/,
  ),
  conversion(
    { input: 'more/fast.mp4', parameters: { ss: '00:00:01:25', 'c:v': 'libx264' } },
    /The input has 50 frames per second\.","field":"[^"]*","fix":"Send \\"1\.5\\"\./,
  ),
  conversion(
    { input: 'wavs/a.wav', output: 'o.wav', parameters: { ss: '00:00:01:12' } },
    /Send \\"00:00:01\.5\\" at 24, or .*1\.48\\" at 25, or .*1\.4\\" at 30 frames per second/,
    /"corrected"/,
  ),
  // 16:9 of 480 lines.
  conversion({ parameters: { vf: 'scale=853:480', pix_fmt: 'yuv420p' } }, /scale=854:480/, /852/),
  // A quality beside that of a recipe.
  conversion(
    { ...recipe('web-h264', {}), parameters: { quality: '22' } },
    /Leave it out: \\"crf\\" is \\"\d+\\" already, or send \\"crf\\": \\"22\\"\./,
  ),
  // A number of pictures.
  conversion({ output: 'a.png', parameters: { vf: 'tile=3' } }, /columns and rows.*\\"3x1\\".*\\"3x3\\" for 9/),
  // Other units, also behind numbers.
  conversion(
    { cut: { keep: [{ start: 1000, end: 2500 }] } },
    /not in milliseconds.*"corrected":\{.*"keep":\[\{"start":1,"end":2\.5\}\]/,
  ),
  conversion(
    { cut: { keep: [{ start: 0, end: 2000 }] } },
    /Send \\"end\\": 2, or leave it out for the end of the input\. Times are in seconds, not in milliseconds/,
  ),
  conversion({ expiresAfterSeconds: 864_000_000 }, /"corrected":\{.*"expiresAfterSeconds":864000\}/),
  conversion({ priority: 'lowest' }, /Send a whole number from -10, which is last, to -1\./),
  mistake(
    'analyze_media',
    { input: 'wavs/a.wav', measure: ['silence'], settings: { silence: { noiseDb: 0.001 } } },
    /"corrected":\{.*"noiseDb":-60\}/,
  ),
  mistake(
    'analyze_media',
    { input: 'wavs/a.wav', measure: ['silence'], settings: { silence: { noiseDb: '-42 dBFS' } } },
    /"corrected":\{.*"noiseDb":-42\}/,
  ),
  mistake('render_preview', { input: 'film.mp4', view: 'frame', at: ['10%'] }, /share of the duration.*probe_media/),
  mistake(
    'describe_capabilities',
    { kind: 'encoders', query: 'aac', limit: 100 },
    /"corrected":\{"kind":"codecs","query":"aac","limit":30\}/,
  ),
  conversion(
    {
      input: undefined,
      inputs: [
        { input: 'photos/1.png', duration: '2 s' },
        { input: 'photos/2.png', duration: '2 s', crossfade: '500ms' },
      ],
    },
    /"corrected":\{.*"duration":"2","crossfade":"0\.5"/,
  ),
  // Arguments of a recipe among the options, and recipes that are almost right.
  conversion(
    { output: 'a.gif', preset: 'gif', parameters: { duration: '2', begin: '1', fps: '8' } },
    /"corrected":\{.*"preset":\{"name":"gif","arguments":\{"start":"1","length":"2","fps":8\}\}/,
  ),
  conversion(
    { parameters: { preset: 'target-size', size: '5MB' } },
    /For the whole video in that size, send .*\\"size\\": 5\}/,
  ),
  conversion(
    { preset: { name: 'target-size' }, parameters: { size: '5MB' } },
    /"corrected":\{.*"preset":\{"name":"target-size","arguments":\{"size":5\}\}/,
  ),
  conversion(
    {
      output: 'a.gif',
      preset: {
        name: 'animated-gif',
        version: 1,
        arguments: { begin: 1, end_time: 3, maxWidth: 160, loopForever: true },
      },
    },
    /"corrected":\{.*"preset":\{"name":"gif","arguments":\{"start":1,"length":2,"width":160\}\}/,
  ),
  conversion(
    {
      input: undefined,
      inputs: ['photo.png', 'more/fast.mp4'],
      ...recipe('add-watermark', { gravity: 'northwest', alpha: '40%' }),
    },
    /"corrected":\{.*"inputs":\["more\/fast\.mp4","photo\.png"\].*"arguments":\{"place":"top-left","opacity":0\.4\}/,
  ),
  conversion(
    { preset: [{ name: 'web-h264' }, { name: 'loudness', arguments: { target: -16 } }] },
    /Send one recipe.*a request for each.*\\"after\\"/,
  ),
  conversion(
    { preset: { name: 'web-h264', version: 0, arguments: { height: '96p', audio: true } } },
    /"corrected":\{.*"preset":\{"name":"web-h264","arguments":\{"height":96\}\}/,
  ),
  conversion(
    { ...recipe('web-h264', { height: 96 }), parameters: { c: 'copy' } },
    /"corrected":\{.*"parameters":\{"c":"copy","c:v":"libx264"\}/,
  ),
  conversion(recipe('web-h264', { crf: 'high' }), /"corrected":\{.*"arguments":\{"quality":"high"\}/),
  conversion(
    recipe('target-size', { limit_mb: 5, twoPass: true, codec: 'avc' }),
    /"corrected":\{.*"arguments":\{"size":5\}\}\}/,
  ),
  conversion(recipe('target-size', { size: '5MB', codec: 'hevc' }), /"corrected":\{.*"parameters":\{"c:v":"libx265"\}/),
  conversion(
    { ...recipe('target-size', { max_mb: 1 }), parameters: { 'b:v': '9M', preset: 'slow' } },
    /"corrected":\{.*"size":1\}\},"parameters":\{"preset":"slow"\}/,
  ),
  conversion(
    { input: 'photos/*.png', ...recipe('slideshow', { seconds: 2, transition: 'dissolve' }) },
    /"corrected":\{.*"arguments":\{"seconds":2\}\},"inputs":\["photos\/1\.png","photos\/2\.png"\]/,
  ),
];
