import { conversion, type Mistake, mistake } from './mistake.ts';

const film = { input: 'film.mp4', output: 'out.mp4' };

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
    /missing/,
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
    /Send one pattern.*or a request for each file/,
  ),
  mistake(
    'convert_media',
    { each: 'wavs/*.wav', output: 'o/mp3/{filename}.mp3' },
    /"fix":"Send \\"o\/mp3\/\{name\}\.mp3\\"\."/,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['silence'], settings: { noiseDb: -30, minSeconds: 0.5 } },
    /Send \\"silence\\": \{\\"noiseDb\\":-30,\\"minSeconds\\":0\.5\} or \\"freeze\\"/,
  ),
  // Paths of other machines.
  conversion({ output: 'out\\n27.mp4' }, /only \\"\/\\" separates folders.*Send \\"out\/n27\.mp4\\"/),
  conversion({ output: 'C:\\films\\n27.mp4' }, /Send \\"n27\.mp4\\"/),
  conversion({ input: 'file:///wavs/a.wav' }, /"fix":"Send \\"wavs\/a\.wav\\"\."/),
  conversion({ input: 'file:///home/amy/film.mp4' }, /create_upload_link.*such as \\"film\.mp4\\"/),
  conversion({ output: 'file:///small/o.mp4' }, /"fix":"Send \\"small\/o\.mp4\\"\."/),
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
  conversion({ parameters: { i: 'film.mp4' } }, /Send the file as \\"input\\", or as one of \\"inputs\\"/),
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
    /Send \\"input\\": \\"film\.mp4\\" and \\"output\\": \\"b\.mp4\\" and \\"parameters\\": \{\\"vf\\":\\"hflip\\"\}/,
  ),
  conversion({ parameters: { bitrate: '2M' } }, /Send \\"b:v\\": \\"2M\\"/, /opens files/),
  // Commands as tools.
  mistake(
    'run_ffmpeg',
    { command: 'ffmpeg -i film.mp4 -vf scale=640:-2 b.mp4' },
    /Call convert_media with \{"input":"film\.mp4","output":"b\.mp4","parameters":\{"vf":"scale=640:-2"\}\}\./,
  ),
  mistake(
    'execute_command',
    { args: ['-i', 'my film.mp4', 'b.webm'] },
    /\{"input":"my film\.mp4","output":"b\.webm"\}/,
  ),
  mistake('run_ffmpeg', {}, /Call convert_media with "input", "output"/),
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
  conversion({ priority: 'high' }, /from -10, which is last, to 10, which is first\. Above 0, the operator/, /Send -5/),
  conversion({ priority: 50 }, /from -10, which is last, to 10/),
  conversion({ parameters: { s: '120p' } }, /WIDTHxHEIGHT.*Send \\"vf\\": \\"scale=-2:120\\"/),
  // Both halves of a fix.
  conversion(
    { parameters: { vf: 'subtitles=/media/subs.srt' } },
    /Send \\"inputs\\": \[\\"film\.mp4\\",\\"subs\.srt\\"\], and \\"vf\\": \\"subtitles=(?:filename=)?subs\.srt\\" in \\"parameters\\"/,
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
    /Send \\"keep\\": \[\{\\"start\\":1,\\"end\\":2\}\] if these parts stay, or \\"remove\\"/,
  ),
  conversion({ cut: { segments: 'first' } }, /\\"keep\\" with the parts that stay, or \\"remove\\"/),
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
  mistake('analyze_media', { input: 'film.mp4', measure: ['loud', 'wibble'] }, /must be one of the values above\./),
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
    /Send, for example, true|Leave it out/,
  ),
  mistake(
    'convert_media',
    { input: 'film.mp4', outputs: [{ output: 'a.mp4', preset: { name: 'resize', arguments: { height: 360 } } }] },
    /one request for each recipe/,
    /Leave it out/,
  ),
  conversion(
    { transformation: [{ width: 400, height: 300, crop: 'fill', gravity: 'auto' }] },
    /scale=400:300:force_original_aspect_ratio=increase,crop=400:300/,
  ),
  conversion(
    { steps: { encoded: { robot: '/video/encode', width: 640, height: 360, resize_strategy: 'pad' } } },
    /scale=640:360:force_original_aspect_ratio=decrease,pad=640:360/,
  ),
  conversion({ parameters: { watermark: 'photo.png' } }, /For a task such as a watermark.*find_recipe/),
  mistake('list_files', { prefix: '/media/wavs/*.wav' }, /not a pattern.*\{\\"prefix\\": \\"wavs\/\\"\}/),
  mistake('list_files', { prefix: '/data/media/wavs/' }, /\{\\"prefix\\": \\"wavs\/\\"\}/),
  conversion({ preset: { name: 'crop', arguments: { width: '100px', height: '80px' } } }, /Send 100\..*Send 80\./),
];
