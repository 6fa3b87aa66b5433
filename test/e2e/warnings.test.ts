import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { RecipeListView } from '../../packages/contract/src/wire/recipe.ts';
import type { WarningView } from '../../packages/contract/src/wire/warning.ts';
import { command } from '../../scripts/setup/command.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { clip, putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** A request whose options are legal, but of which one has no effect. */
const WARNED = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', an: '', t: '0.2', 'q:v': '2' };
const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' };
const PLAIN = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', an: '', t: '0.2' };

const codesOf = (warnings: readonly WarningView[] = []) => warnings.map(({ code }) => code);

async function ready(folder: string) {
  const { server, own } = await start();
  const input = `${folder}/in.mp4`;
  await server.media.fill((root) => putClip(root, '480p', 3, input));
  const submit = async (body: object, headers = {}) => {
    const { status, body: reply } = await own.request<AcceptedView>('/api/conversion', { body, headers });
    if (status !== 202) throw new Error(JSON.stringify(reply));
    return reply;
  };
  const dryRun = async (body: object) =>
    (await own.request<DryRunView>('/api/conversion?dryRun=true', { body })).body.warnings;
  return { server, own, submit, dryRun, input, output: `${folder}/out.mp4` };
}

test('the 202, the dry run and the job give the same warnings about a request', async ({ expect }) => {
  const { own, submit, dryRun, input, output } = await ready('same');
  const request = { input, output, parameters: WARNED };
  const expected = [
    { field: '/parameters/q:v', code: 'NO_EFFECT', fix: 'Leave it out. "crf" sets the quality of libx264.' },
  ];
  expect(await dryRun(request)).toMatchObject(expected);
  const accepted = await submit(request);
  expect(accepted.warnings).toMatchObject(expected);
  expect((await own.wait(accepted.jobId)).warnings).toEqual(accepted.warnings);
  const { body } = await own.request<AcceptedView>(`/api/conversion/${accepted.jobId}/retry`, { method: 'POST' });
  expect(codesOf(body.warnings)).toEqual(['NO_EFFECT', 'OUTPUT_EXISTS']);
});

test('an end that is probably a position has one warning, and its fix ends the output there', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, submit, input, output } = await ready('end');
  const { t: _t, ...options } = PLAIN;
  const inputs = [{ input, parameters: { ss: '1.5' } }];
  const accepted = await submit({ inputs, output, parameters: { ...options, to: '2.9' } });
  const job = await own.wait(accepted.jobId);
  expect(job.warnings).toMatchObject([{ field: '/parameters/to', code: 'UNUSUAL_VALUE', fix: 'Send "t": "1.4".' }]);
  const right = await own.run({ inputs, output: 'end/right.mp4', parameters: { ...options, t: '1.4' } });
  expect(right).not.toHaveProperty('warnings');
  expect(right.outputs?.[0]?.durationSeconds).toBeCloseTo(1.4, 1);
});

test('a request without warnings gets a 202 of three fields, and its job has no warnings', async ({ expect }) => {
  const { own, submit, input, output } = await ready('plain');
  const accepted = await submit({ input, output, parameters: PLAIN });
  expect(Object.keys(accepted)).toEqual(['jobId', 'status', 'message']);
  const job = await own.wait(accepted.jobId);
  expect(job.status).toBe('COMPLETED');
  expect(job).not.toHaveProperty('warnings');
});

test('a request gets the same warnings the second time, with other paths', async ({ expect }) => {
  const { submit, input } = await ready('again');
  const first = await submit({ input, output: 'again/one.mp4', parameters: { ...WARNED, t: '0.3' } });
  const second = await submit({ input, output: 'again/two.mp4', parameters: { ...WARNED, t: '0.3' } });
  expect(first.warnings).toHaveLength(1);
  expect(second.warnings).toEqual(first.warnings);
});

test('a missing input and an existing output are warnings of the 202, but not of the job', async ({ expect }) => {
  const { server, own, submit, output } = await ready('files');
  await server.media.put(output, 'precious');
  for (const parameters of [PLAIN, PLAIN, { ...PLAIN, y: '' }]) {
    const accepted = await submit({ input: 'files/nowhere.mp4', output, parameters });
    expect(codesOf(accepted.warnings)).toEqual(
      'y' in parameters ? ['INPUT_NOT_FOUND'] : ['INPUT_NOT_FOUND', 'OUTPUT_EXISTS'],
    );
    const job = await own.wait(accepted.jobId);
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
    expect(job).not.toHaveProperty('warnings');
  }
});

test('a dry run warns of files that are no media, with the cause, and not of raw sound', { tags: 'long' }, async ({
  expect,
}) => {
  const { server, dryRun, output } = await ready('unreadable');
  await server.media.fill(async (root) => {
    await mkdir(join(root, 'unreadable'), { recursive: true });
    await writeFile(join(root, 'unreadable/page.mp4'), '<!doctype html><html><body>Not found</body></html>');
    await writeFile(join(root, 'unreadable/empty.mp4'), '');
    await writeFile(join(root, 'unreadable/voice.pcm'), Buffer.alloc(20_000));
  });
  const warning = { field: '/input', code: 'INPUT_INVALID', fix: expect.any(String) };
  expect(await dryRun({ input: 'unreadable/page.mp4', output, parameters: PLAIN })).toMatchObject([
    { ...warning, message: expect.stringContaining('HTML page') },
  ]);
  expect(await dryRun({ input: 'unreadable/empty.mp4', output, parameters: PLAIN })).toMatchObject([
    { ...warning, message: expect.stringContaining('empty') },
  ]);
  const raw = { input: 'unreadable/voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } };
  expect(await dryRun({ inputs: [raw], output: 'unreadable/voice.wav' })).toEqual([]);
});

test('a dry run looks again into a file that was written over', async ({ expect }) => {
  const { server, dryRun, input, output } = await ready('again');
  const request = { input, output, parameters: { ...PLAIN, map: ['0:v', '0:s'] } };
  await expect.poll(() => dryRun(request)).toMatchObject([{ code: 'INPUT_INVALID' }]);
  const film = await server.media.local(input);
  await server.media.fill(async (root) => {
    const made = join(root, 'again/made.mkv');
    await mkdir(join(root, 'again'), { recursive: true });
    await writeFile(join(root, 'again/words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const sources = ['-i', film, '-i', join(root, 'again/words.srt'), '-map', '0', '-map', '1'];
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', ...sources, '-c', 'copy', made]);
    if (!ok) throw new Error(text);
    await copyFile(made, join(root, input));
  });
  await expect.poll(async () => codesOf(await dryRun({ ...request, output: 'again/out.mkv' }))).toEqual([]);
});

/** Requests that fail, or leave an input out, because of what is in the inputs; and what to send. */
const FORESEEN: readonly {
  readonly title: string;
  readonly request: ConversionRequest;
  readonly warning: { readonly code: string; readonly message: RegExp; readonly fix: unknown };
  readonly right: Partial<ConversionRequest>;
}[] = [
  {
    title: 'a start after the end',
    request: { input: 'in.mp4', output: 'late.mp4', parameters: { ...PLAIN, ss: '60' } },
    warning: {
      code: 'FFMPEG_FAILED',
      message: /^"ss" starts at 60 s, but "foreseen\/in\.mp4" ends at 3(\.\d+)? s\. The job would fail\.$/,
      fix: expect.stringMatching(/^Send an "ss" before 3(\.\d+)? s, or leave "ss" out\./),
    },
    right: { parameters: { ...PLAIN, ss: '1' } },
  },
  {
    title: 'a start of the input after its end',
    request: {
      inputs: [{ input: 'in.mp4', parameters: { ss: '5000' } }],
      output: 'milliseconds.mp4',
      parameters: PLAIN,
    },
    warning: {
      code: 'FFMPEG_FAILED',
      message: /^"ss" starts at 5000 s/,
      fix: expect.any(String),
    },
    right: { inputs: [{ input: 'in.mp4', parameters: { ss: '1' } }] },
  },
  {
    title: 'an encoder of pictures for all streams',
    request: { input: 'in.mp4', output: 'codec.mp4', parameters: { codec: 'h264', t: '0.2', s: '160x90' } },
    warning: {
      code: 'UNSUPPORTED',
      message: /^The encoder h264 is for streams of another kind than the option names\. The job would fail\.$/,
      fix: 'Name the kind of its streams: "c:v" for video, "c:a" for audio, "c:s" for subtitles.',
    },
    right: { parameters: { 'c:v': 'libx264', t: '0.2', s: '160x90' } },
  },
  {
    title: 'two sounds without a join',
    request: { inputs: ['a.wav', 'b.wav'], output: 'two.opus' },
    warning: {
      code: 'UNUSED_INPUT',
      message: /^Nothing of "foreseen\/b\.wav" is in the output: ffmpeg takes all streams from other inputs\.$/,
      fix: expect.stringContaining('"join": "encode"'),
    },
    right: { join: 'encode' },
  },
  {
    title: 'a map of sound that a film does not have',
    request: { input: 'mute.mp4', output: 'map.mp4', parameters: { ...QUICK, map: ['0:v', '0:a'] } },
    warning: {
      code: 'INPUT_INVALID',
      message: /^The map "0:a" selects nothing: "foreseen\/mute\.mp4" has no audio, only video\./,
      fix: 'Leave "0:a" out, or send "0:a?" if only some files lack it.',
    },
    right: { parameters: { ...QUICK, map: ['0:v', '0:a?'] } },
  },
  {
    title: 'a filter of sound that a film does not have',
    request: {
      input: 'mute.mp4',
      output: 'label.mp4',
      parameters: { ...QUICK, filter_complex: '[0:a]volume=2[a]', map: ['0:v', '[a]'] },
    },
    warning: {
      code: 'INPUT_INVALID',
      message: /^The filtergraph uses \[0:a\]: "foreseen\/mute\.mp4" has no audio, only video\./,
      fix: expect.any(String),
    },
    right: { parameters: { ...QUICK, map: ['0:v'] } },
  },
  {
    title: 'the sound of a film without sound',
    request: { input: 'mute.mp4', output: 'mute.mp3' },
    warning: {
      code: 'INPUT_INVALID',
      message: /^Nothing is left for the format mp3, which holds audio: "foreseen\/mute\.mp4" has only video\./,
      fix: expect.any(String),
    },
    right: { input: 'in.mp4', output: 'mute.mp3', parameters: { ac: '2' } },
  },
  {
    title: 'a copy into a container that does not hold the codec',
    request: { input: 'in.mp4', output: 'copy.webm', parameters: { c: 'copy' } },
    warning: {
      code: 'UNSUPPORTED',
      message: /^The format webm cannot hold a copy of h264 and aac\. The job would fail\.$/,
      fix: expect.any(String),
    },
    right: { parameters: { c: 'copy', 'c:v': 'libvpx-vp9', 'c:a': 'libopus', s: '160x90', t: '0.2' } },
  },
  {
    title: 'a rectangle that is larger than the picture',
    request: { input: 'mute.mp4', output: 'crop.mp4', parameters: { ...QUICK, vf: 'crop=640:480' } },
    warning: {
      code: 'FFMPEG_FAILED',
      message:
        /^The filter crop takes 640x480 at 0,0, which is partly outside the frame of 160x90\. The job would fail\.$/,
      fix: expect.any(String),
    },
    right: { parameters: { ...QUICK, vf: 'scale=640:480:force_original_aspect_ratio=increase,crop=640:480' } },
  },
  {
    title: 'a logo at the edge of the picture',
    request: { input: 'mute.mp4', output: 'logo.mp4', parameters: { ...QUICK, vf: 'delogo=x=120:y=10:w=40:h=20' } },
    warning: {
      code: 'FFMPEG_FAILED',
      message: /^The filter delogo .*\. The job would fail\.$/,
      fix: expect.stringContaining('delogo'),
    },
    right: { parameters: { ...QUICK, vf: 'delogo=x=119:y=10:w=40:h=20' } },
  },
  {
    title: 'a copy of subtitles that MP4 does not hold',
    request: { input: 'talk.mkv', output: 'talk.mp4', parameters: { c: 'copy', map: '0' } },
    warning: {
      code: 'UNSUPPORTED',
      message: /^The format mp4 cannot hold a copy of subrip\. The job would fail\.$/,
      fix: expect.any(String),
    },
    right: { parameters: { c: 'copy', map: '0', 'c:s': 'mov_text' } },
  },
  {
    title: 'a song without its sound',
    request: { input: 'a.wav', output: 'a.mp4', parameters: { 'c:v': 'libx264', an: '' } },
    warning: {
      code: 'INPUT_INVALID',
      message: /^Nothing is left for the format mp4: "foreseen\/a\.wav" has only audio, and the request has "an"\./,
      fix: expect.any(String),
    },
    right: { parameters: {} },
  },
];

test('a dry run foresees what the job says', { tags: 'long', timeout: 240_000 }, async ({ expect }) => {
  const { server, own, dryRun } = await ready('foreseen');
  await server.media.fill(async (root) => {
    await mkdir(join(root, 'foreseen'), { recursive: true });
    const make = async (name: string, ...args: readonly string[]) => {
      const made = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, 'foreseen', name)]);
      if (!made.ok) throw new Error(made.text);
    };
    await writeFile(join(root, 'foreseen', 'talk.srt'), '1\n00:00:00,000 --> 00:00:00,500\nHello\n');
    for (const name of ['a.wav', 'b.wav']) await make(name, '-f', 'lavfi', '-i', 'sine=d=1');
    await make('mute.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:d=1', '-c:v', 'libx264', '-preset', 'ultrafast');
    const wide = ['-f', 'lavfi', '-i', 'testsrc2=s=192x108:r=50:d=1,format=yuv420p'];
    await make('wide.mp4', ...wide, '-c:v', 'libx264', '-preset', 'ultrafast');
    const made = (name: string) => join(root, 'foreseen', name);
    await make('talk.mkv', '-i', made('mute.mp4'), '-i', made('talk.srt'), '-c', 'copy');
  });
  const isOnDisk = inject('engines')?.storage !== 's3';
  const there = (text: string) => `foreseen/${text}`;
  const placed = ({ input, inputs, output, ...rest }: Partial<ConversionRequest>) => ({
    ...rest,
    ...(input !== undefined && { input: there(input) }),
    ...(inputs && {
      inputs: inputs.map((one) =>
        typeof one === 'string' ? there(one) : { ...one, ...('input' in one && { input: there(one.input) }) },
      ),
    }),
    ...(output !== undefined && { output: there(output) }),
  });
  for (const { title, request, warning, right } of FORESEEN) {
    const expected = {
      ...warning,
      message: expect.stringMatching(warning.message),
    };
    // On a busy machine, a probe can take longer than a dry run waits for it.
    await expect.poll(() => dryRun(placed(request)), { message: title }).toMatchObject([expected]);
    const job = await own.run(placed(request) as ConversionRequest);
    expect(job.status, title).toBe(warning.code === 'UNUSED_INPUT' ? 'COMPLETED' : 'FAILED');
    const output = `right-${right.output ?? request.output}`;
    // The files of a bucket that are joined are read when the job runs.
    const rightCodes = async () =>
      codesOf(await dryRun(placed({ ...request, ...right, output }))).filter(
        (code) => isOnDisk || code !== 'ASSUMED_MEDIA',
      );
    await expect.poll(rightCodes, { message: title }).toEqual([]);
    expect((await own.run(placed({ ...request, ...right, output }) as ConversionRequest)).status, title).toBe(
      'COMPLETED',
    );
  }
});

test('a recipe that reads a stream which its file does not have says so, in a dry run, for models and of its job', async ({
  expect,
  onTestFinished,
}) => {
  const { server, own, dryRun, input } = await ready('recipe-stream');
  const { body } = await own.request<RecipeListView>('/api/recipes?q=extract+subtitles&limit=1');
  expect(body.recipes).toMatchObject([{ name: 'extract-subtitles', needs: ['subtitle'] }]);
  const message = `"${input}" has no subtitle stream, only video and audio, and the recipe "extract-subtitles" needs one.`;
  for (const track of [undefined, 2]) {
    const preset = { name: 'extract-subtitles', ...(track !== undefined && { arguments: { track } }) };
    const request = { input, output: `recipe-stream/${track}.srt`, preset };
    const warning = {
      ...{ field: '/preset', code: 'INPUT_INVALID', message: `${message} The job would fail.` },
    };
    await expect.poll(() => dryRun(request)).toMatchObject([warning]);
    expect(await own.run(request)).toMatchObject({
      status: 'FAILED',
      error: { code: 'INPUT_INVALID', message },
    });
    const client = await mcpClient(server.url, own.token, undefined, onTestFinished);
    expect(await callRejectedTool(client, 'convert_media', request)).toMatchObject(warning);
  }
});

test('a recipe whose filtergraph reads audio that a file does not have says so, in a dry run and of its job', async ({
  expect,
}) => {
  const { server, own, dryRun, input } = await ready('recipe-label');
  const mute = 'recipe-label/mute.mp4';
  await server.media.fill(async (root) => {
    await putClip(root, '480p', 3, 'recipe-label/film.mp4');
    const copy = ['-v', 'error', '-i', join(root, 'recipe-label/film.mp4'), '-c', 'copy', '-an', join(root, mute)];
    const made = await command(tools().ffmpegPath, copy);
    if (!made.ok) throw new Error(made.text);
  });
  for (const inputs of [
    [input, mute],
    [mute, input],
  ]) {
    const request = { inputs, output: 'recipe-label/out.mp4', preset: { name: 'background-music' } };
    const message = `"${mute}" has no audio stream, only video, and the recipe "background-music" needs one.`;
    const warning = { field: '/preset', code: 'INPUT_INVALID', message: `${message} The job would fail.` };
    await expect.poll(() => dryRun(request)).toMatchObject([warning]);
    expect(await own.run(request)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_INVALID', message } });
  }
});

test('an argument that chooses a missing stream is told its range, in a dry run, of its job and with several outputs', async ({
  expect,
}) => {
  const { server, own, dryRun } = await ready('recipe-track');
  const source = 'recipe-track/words.mkv';
  await server.media.fill(async (root) => {
    await putClip(root, '480p', 3, 'recipe-track/film.mp4');
    const [film, words] = ['film.mp4', 'words.srt'].map((name) => join(root, 'recipe-track', name));
    await writeFile(words ?? '', '1\n00:00:00,000 --> 00:00:01,000\nGood day\n');
    const inputs = ['-i', film ?? '', '-i', words ?? '', '-map', '0', '-map', '1'];
    const made = await command(tools().ffmpegPath, ['-v', 'error', ...inputs, '-c', 'copy', join(root, source)]);
    if (!made.ok) throw new Error(made.text);
  });
  const preset = { name: 'extract-subtitles', arguments: { track: 2 } };
  const message = `"track" must be from 1 to 1, not 2: "${source}" has only 1 subtitle stream.`;
  const field = '/preset/arguments/track';
  const request = { input: source, output: 'recipe-track/2.srt', preset };
  const warning = { field, code: 'INPUT_INVALID', message: `${message} The job would fail.` };
  await expect.poll(() => dryRun(request)).toMatchObject([warning]);
  expect(await own.run(request)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_INVALID', message } });
  const recipe = {
    ...{ version: 1, title: 'Parts', description: 'Parts.', words: [], outputs: ['mkv'] },
    inputs: [{ role: 'film', description: 'A film.' }],
    arguments: { track: { type: 'number', min: 1, max: 9, integer: true, default: 1, description: 'Which one.' } },
    values: { index: 'track - 1' },
    request: {
      parameters: { c: 'copy' },
      outputs: [
        { role: 'video', description: 'The video.', parameters: { map: '0:v' } },
        { role: 'words', description: 'The words.', suffix: '.srt', parameters: { map: '0:s:{{index}}' } },
      ],
    },
  };
  const tried = { input: source, output: 'recipe-track/3.mkv', preset: { ...preset, name: 'track-parts' } };
  const trial = async () =>
    (await own.request<DryRunView>('/api/recipes/track-parts/dry-run', { body: { recipe, request: tried } })).body
      .warnings;
  await expect.poll(trial).toMatchObject([{ ...warning, field: `/request${field}` }]);
});

test('a wildcard is not warned about as a missing input', async ({ expect }) => {
  const { submit } = await ready('wildcard');
  for (const output of ['wildcard/1.mp4', 'wildcard/2.mp4']) {
    const parameters = { pattern_type: 'glob', framerate: '5', 'c:v': 'libx264', pix_fmt: 'yuv420p' };
    expect(await submit({ input: 'wildcard/*.png', output, parameters })).not.toHaveProperty('warnings');
  }
});

test('a repeated Idempotency-Key gets the warnings of its job', async ({ expect }) => {
  const { submit, input, output } = await ready('key');
  const send = () => submit({ input, output, parameters: WARNED }, { 'idempotency-key': 'warnings-1' });
  const first = await send();
  const again = await send();
  expect(again.jobId).toBe(first.jobId);
  expect(codesOf(again.warnings)).toEqual(codesOf(first.warnings));
});

test('MCP gives the warnings when the job is queued and when it is complete', { tags: 'long' }, async ({
  expect,
  onTestFinished,
}) => {
  const { server, own, input, output } = await ready('mcp');
  const client = await mcpClient(server.url, own.token, undefined, onTestFinished);
  const args = { input, output, parameters: WARNED };
  const accepted = await callTool<JobView & { next: string }>(client, 'convert_media', args);
  expect(codesOf(accepted.warnings)).toEqual(['NO_EFFECT']);
  expect(accepted.next).toContain('warnings');
  await own.wait(accepted.jobId);
  const job = await callTool<JobView & { next: string }>(client, 'wait_for_job', {
    jobId: accepted.jobId,
    timeoutSeconds: 0,
  });
  expect(job).toMatchObject({ status: 'COMPLETED', warnings: [{ code: 'NO_EFFECT' }] });
  expect(job.next).toContain('warnings');
});

/** Runs `telecine convert` with the options that are warned about and `flags`, as the new client `name`. */
async function convertByCli(name: string, ...flags: readonly string[]) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `${name}-cli` });
  const folder = await testFolder(name);
  await copyFile(await clip('480p', 3), join(folder, 'in.mp4'));
  const settings = {
    TELECINE_URL: server.url,
    TELECINE_CLIENT_ID: credentials.clientId,
    TELECINE_CLIENT_SECRET: credentials.clientSecret,
  };
  const options = Object.entries(WARNED).flatMap(([option, value]) => ['-p', `${option}=${value}`]);
  const files = [join(folder, 'in.mp4'), join(folder, 'out.mp4')];
  const result = await runCli(['convert', ...files, ...options, ...flags], settings);
  return { ...result, settings, api: await login(server.url, credentials) };
}

test('the command line prints each warning once, and shows it with the job', { tags: 'long' }, async ({ expect }) => {
  const { code, stderr, api, settings } = await convertByCli('warned', '--progress', 'lines');
  expect({ code, warnings: stderr.match(/^warning: .*$/gm) }).toEqual({
    code: 0,
    warnings: ['warning: "q:v" has no effect: libx264 ignores it. Leave it out. "crf" sets the quality of libx264.'],
  });
  const [job] = (await api.list('?limit=1')).jobs;
  const { stdout } = await runCli(['jobs', 'show', job?.jobId ?? ''], settings);
  expect(stdout).toMatch(/^warning +"q:v" has no effect/m);
});

test('a strict request with a warning is rejected with the code and the fix of the warning', async ({ expect }) => {
  const { own, submit, input } = await ready('strict');
  const request = { input, output: 'strict/out.mp4', parameters: WARNED };
  // Plans are cached by shape: the first strict request comes after one that is not, and the second after a strict one.
  await submit(request);
  for (const path of ['/api/conversion', '/api/conversion', '/api/conversion?dryRun=true']) {
    const { status, body } = await own.request(path, { body: { ...request, strict: true } });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: [
          { field: '/parameters/q:v', code: 'NO_EFFECT', fix: 'Leave it out. "crf" sets the quality of libx264.' },
        ],
      },
    });
  }
  await submit({ ...request, strict: false });
});

test('a strict request may name a missing input and an existing output', async ({ expect }) => {
  const { server, submit } = await ready('strict-files');
  await server.media.put('strict-files/out.mp4', 'precious');
  const request = { input: 'strict-files/nowhere.mp4', output: 'strict-files/out.mp4', parameters: PLAIN };
  const accepted = await submit({ ...request, strict: true });
  expect(codesOf(accepted.warnings)).toEqual(['INPUT_NOT_FOUND', 'OUTPUT_EXISTS']);
});

test('the command line has --strict', { tags: 'long' }, async ({ expect }) => {
  const { code, stderr, api } = await convertByCli('strict', '--strict');
  expect(code).not.toBe(0);
  expect(stderr).toContain('"q:v" has no effect: libx264 ignores it.');
  expect((await api.list()).jobs).toEqual([]);
});
