import { conversion, type Mistake, mistake } from './mistake.ts';

const KEY = '00112233445566778899aabbccddeeff';
const HLS = { output: 'h/a.m3u8', parameters: { hls_time: '4' } };
const two = (...inputs: readonly unknown[]) => ({ input: undefined, inputs });
const graph = (filter_complex: string, ...maps: readonly unknown[]) => ({
  output: undefined,
  parameters: { filter_complex },
  outputs: maps.map((map, at) => ({ output: `o${at}.mp4`, parameters: { map } })),
});

/** Calls whose answers must lead to the right next call at once: by a fix that can be followed, or by what to call before. */
export const NEXT_CALLS: readonly Mistake[] = [
  // Settings of what is measured.
  mistake(
    'analyze_media',
    { input: 'film.mp4', settings: { minSeconds: 0.5, noiseDb: '-40dB' }, measure: ['silence'] },
    /"fix":"Send \\"settings\\": \{\\"silence\\":\{\\"minSeconds\\":0\.5,\\"noiseDb\\":-40\}\}\.".*"corrected":\{.*"settings":\{"silence":\{/,
    /freeze/,
  ),
  mistake(
    'analyze_media',
    { input: 'film.mp4', settings: { minSeconds: 0.5 }, measure: ['silence', 'freeze'] },
    /Send \\"silence\\": .* or \\"freeze\\": /,
    /\\"black\\"/,
  ),
  // The language of a sound.
  ...['deu', 'de', 'German', 'ger'].map((audio) =>
    mistake(
      'analyze_media',
      { input: 'more/languages.mkv', measure: ['volume'], audio },
      /"fix":"Send 1\.".*"corrected":\{.*"audio":1/,
    ),
  ),
  mistake(
    'analyze_media',
    { input: 'more/languages.mkv', measure: ['volume'], audio: 'fra' },
    /Send the number of one: 0 \(eng\), 1 \(deu\)\./,
  ),
  mistake('analyze_media', { input: 'no.mkv', measure: ['volume'], audio: 'fra' }, /call probe_media/, /Send, for/),
  // A folder where a call reads one file.
  mistake(
    'probe_media',
    { input: 'photos/' },
    /One file is probed in each call\. Files in .*photos\/1\.png/,
    /film of/,
  ),
  mistake('probe_media', { input: 'photos' }, /One file is probed in each call\. Files in .*photos\/1\.png/, /film of/),
  mistake(
    'analyze_media',
    { input: 'photos/', measure: ['black'] },
    /One file is measured in each call\. Files in .*photos\/1\.png/,
  ),
  mistake('render_preview', { input: 'photos/' }, /One file is shown in each call\. Files in .*photos\/1\.png/),
  mistake(
    'render_preview',
    { input: 'film.mp4', original: 'photos/', view: 'compare' },
    /"field":"\/original".*One file is shown in each call\. Files in .*photos\/1\.png/,
  ),
  // Patterns of names, and of folders.
  mistake('list_files', { prefix: 'wavs/*.wav' }, /^\{"files":\[\{"path":"wavs\/a\.wav"/),
  mistake(
    'list_files',
    { prefix: '*.mp4' },
    /^\{"files":\[\{"path":"film\.mp4","sizeBytes":\d+,"modifiedAt":"[^"]*"\}\],/,
  ),
  mistake('list_files', { prefix: 'm*' }, /^\{"files":\[\{"path":"more\/"\}\],/),
  mistake('list_files', { prefix: 'wavs/?.wav' }, /^\{"files":\[\{"path":"wavs\/a\.wav"/),
  mistake(
    'list_files',
    { prefix: 'wavs/*.{mp3,flac}' },
    /Braces have no meaning.*\{\\"prefix\\": \\"wavs\/\*\.mp3\\"\}, \{\\"prefix\\": \\"wavs\/\*\.flac\\"\}/,
  ),
  mistake('list_files', { prefix: 'wavs/[ab].wav' }, /Brackets without .*\{\\"prefix\\": \\"wavs\/\?\.wav\\"\}/),
  mistake('list_files', { prefix: 'wavs/*.xyz' }, /matches.*call list_files with \{\\"prefix\\": \\"wavs\/\\"\}/),
  mistake(
    'list_files',
    { prefix: '**/*.mp4' },
    /one folder is listed at a time.*Leave it out for the list of folders, then call once for each, such as with \\"FOLDER\//,
    /all files/,
  ),
  mistake(
    'list_files',
    { prefix: 'more/**/*.mp4' },
    /"fix":"Send \\"more\/\\": it lists that folder\..*"corrected":\{"prefix":"more\/"\}/,
  ),
  // Arguments without effect.
  mistake(
    'describe_capabilities',
    { kind: 'codecs', of: 'mp4', limit: 100 },
    /Send \\"kind\\": \\"formats\\" and \\"name\\": \\"mp4\\".*"corrected":\{"kind":"formats","limit":30,"name":"mp4"\}/,
  ),
  mistake(
    'describe_capabilities',
    { kind: 'codecs', of: 'libx264' },
    /"corrected":\{"kind":"codecs","name":"libx264"\}|Send \\"kind\\": \\"codecs\\" and \\"name\\": \\"libx264\\"/,
  ),
  mistake('describe_capabilities', { kind: 'filters', of: 'libx264' }, /Send \\"kind\\": \\"options\\"\./),
  mistake('describe_capabilities', { kind: 'filters', query: 'scale', use: 'output' }, /\\"use\\" has no effect/),
  mistake('describe_capabilities', { kind: 'codecs', name: 'libx264', query: 'h264' }, /\\"query\\" has no effect/),
  mistake('describe_capabilities', { kind: 'options', of: 'libx264', name: 'crf' }, /"name":"crf"/, /no effect/),
  mistake('find_recipe', { name: 'gif', query: 'gif' }, /\\"query\\" has no effect/),
  // What is not an id.
  mistake('cancel_job', { batchId: 'batch-1' }, /Send \\"jobIds\\".*call list_jobs/, /wait_for_job/),
  mistake('wait_for_job', { batchId: 'batch-1' }, /\\"jobIds\\".*call list_jobs/),
  mistake(
    'wait_for_job',
    { jobIds: 'all' },
    /list_jobs with \{\\"status\\": \\"PROCESSING\\"\}.*list_jobs with \{\\"status\\": \\"PENDING\\"\}/,
  ),
  // The service makes the key.
  conversion(
    { ...HLS, encrypt: { method: 'AES-128', key: KEY } },
    /URL from which players get the key\. The service makes the key\..*the service encrypts with AES-128, and makes the key/,
    /"corrected"/,
  ),
  conversion(
    { ...HLS, encrypt: { method: 'AES-128', key: KEY, iv: KEY, keyUri: 'a.key' } },
    /makes the key.*"encrypt":\{"keyUri":"a\.key"\}/,
  ),
  conversion({ ...HLS, encrypt: { keyUri: `0x${KEY}` } }, /looks like the key itself/),
  conversion({ ...HLS, encrypt: { key: 'https://keys.example.com/a' } }, /"keyUri":"https:\/\/keys\.example\.com\/a"/),
  // Placeholders of other tools, and several files for "each".
  conversion(
    { input: undefined, each: 'photos/*.png', output: 'out/{basename}.{ext}' },
    /\{basename\}.* and .*\{ext\}.*Send \\"out\/\{name\}\.png\\".*"corrected":\{.*"output":"out\/\{name\}\.png"/,
  ),
  conversion(
    { input: undefined, each: 'photos/', output: 'out/{stem}.{extension}' },
    /Send the extension of the new files, such as \\"out\/\{name\}\.mp4\\"/,
  ),
  ...[['photos/1.png', 'photos/2.png'], 'photos/1.png,photos/2.png'].map((names) =>
    conversion(
      { input: undefined, each: names, output: 'out/{name}.jpg' },
      /Send \\"photos\/\[12\]\.png\\"\..*"corrected":\{.*"each":"photos\/\[12\]\.png"/,
    ),
  ),
  conversion(
    { input: undefined, each: ['photos/1.png', 'wavs/a.wav'], output: 'out/{name}.jpg' },
    /Send a request for each of these files.*\\"input\\": \\"photos\/1\.png\\"/,
  ),
  // Several inputs in one text, or beside each other.
  conversion(
    { input: 'film.mp4,film.mp4', join: 'copy' },
    /Send \\"inputs\\": \[\\"film\.mp4\\",\\"film\.mp4\\"\].*"corrected":\{.*"inputs":\["film\.mp4","film\.mp4"\]/,
  ),
  conversion({ inputs: ['more/song.mp3'] }, /"corrected":\{.*"inputs":\["film\.mp4","more\/song\.mp3"\]/),
  conversion(
    { inputs: ['film.mp4', 'more/song.mp3'] },
    /Leave \\"input\\" out.*"corrected":\{.*"inputs":\["film\.mp4",/,
  ),
  conversion({ outputs: [{ output: 'b.mp4' }] }, /"corrected":\{.*"outputs":\[\{"output":"out\.mp4"\},/),
  // Parts of joined films, and of a film that is no picture.
  conversion(
    { ...two('film.mp4', 'more/fast.mp4'), join: 'encode', cut: { keep: [{ start: 0, end: 3 }] } },
    /For a part of the joined video.*"corrected":\{.*"inputs":\[\{"input":"film\.mp4","parameters":\{"ss":"0","to":"3"\}\},/,
  ),
  conversion(
    { ...two({ input: 'film.mp4', duration: '3' }, 'more/fast.mp4'), join: 'encode' },
    /Send \\"parameters\\": \{\\"t\\":\\"3\\"\}, and leave \\"duration\\" out.*"corrected":\{.*"inputs":\[\{"input":"film\.mp4","parameters":\{"t":"3"\}\}/,
  ),
  // One label for two outputs.
  conversion(
    graph('[0:v]scale=64:-2[v]', '[v]', ['[v]', '0:a']),
    /is mapped in two outputs.*"corrected":\{.*"filter_complex":"\[0:v\]scale=64:-2,split\[v\]\[v_2\]".*"map":\["\[v_2\]","0:a"\]/,
  ),
  conversion(
    graph('[0:v]hflip[v];[0:a]volume=2[a]', ['[v]', '[a]'], ['[v]', '[a]'], '[v]'),
    /"corrected":\{.*hflip,split=3\[v\]\[v_2\]\[v_3\];\[0:a\]volume=2,asplit\[a\]\[a_2\].*"map":\["\[v_2\]","\[a_2\]"\].*"map":"\[v_3\]"/,
  ),
  // Parts in another order than in the film.
  conversion(
    {
      cut: {
        keep: [
          { start: 2, end: 3 },
          { start: 0, end: 1 },
        ],
      },
    },
    /In the order of the input.*To keep the order that was sent.*\\"ss\\":\\"2\\"/,
    /"corrected"/,
  ),
  // Files of `each`, and pictures of another kind.
  mistake(
    'convert_media',
    { each: 'wavs/*.wav', inputs: ['{name}.wav', 'photo.png'], output: 'o/{name}.mp4', dryRun: true },
    /Send \\"\{path\}\\"/,
  ),
  mistake(
    'convert_media',
    { each: 'photos/*.jpg', output: 'o/{name}.webp', dryRun: true },
    /Send \\"photos\/\*\.png\\"/,
  ),
  mistake(
    'describe_capabilities',
    { kind: 'codecs', of: 'libx264', query: 'tune' },
    /"corrected":\{"kind":"options","of":"libx264","query":"tune"\}/,
  ),
  // Options of HLS beside another output.
  conversion({ parameters: { hls_time: '6' } }, /Leave it out, or send an output that ends with \\"\.m3u8\\" for HLS/),
  conversion({ output: 'hls/', parameters: { hls_time: '6' } }, /hls\/index.m3u8/),
  mistake('list_jobs', { metadata: 'order=1042' }, /send \{\\"order\\":\\"1042\\"\}/),
];
