import { expect, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { fixText } from '../../packages/contract/src/domain/hint.ts';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import { originOf, originsOf } from '../../packages/contract/src/domain/origins.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { invalidRequest, Problem } from '../../packages/contract/src/domain/problem.ts';
import type { ArgumentValue, Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { checkRequest } from '../../packages/service/src/jobs/submit/check-request.ts';
import { dryRunOf } from '../../packages/service/src/jobs/submit/dry-run.ts';
import { presetApplier } from '../../packages/service/src/recipes/apply-preset.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { checkRecipe } from '../../packages/service/src/recipes/check-recipe.ts';
import { RequestProbes } from '../../packages/service/src/recipes/request-probes.ts';
import { applyRecipe, expandRequest } from '../support/apply-recipe.ts';
import { mediaRoot } from '../support/media-root.ts';
import { planRequest } from '../support/planning.ts';

const FILM: ConversionRequest = { input: 'a.mov', output: 'b.mp4' };
const CALLER: Caller = { clientId: 'alice', scopes: ['jobs:write'], root: mediaRoot('/srv/media'), policy: {} };

const withPreset = (name: string, more: Partial<ConversionRequest> & { readonly arguments?: object } = {}) => {
  const { arguments: own, ...request } = more;
  return { ...FILM, ...request, preset: { name, ...(own && { arguments: own }) } } as ConversionRequest;
};

const expanded = (request: ConversionRequest) => applyRecipe(request).request;

const errorsIn = (request: ConversionRequest, recipe?: Recipe) => {
  const result = expandRequest(request, {}, recipe);
  return result.ok ? [] : result.errors;
};

/** Checks a request as a dry run does, on a machine where only the given files exist. */
const submit = (request: ConversionRequest, files: readonly string[] = ['a.mov']) =>
  checkRequest<Plan>(
    {
      planner: async (one) => planRequest(one),
      media: {
        statPaths: async (_root, paths) =>
          paths.map((path) =>
            files.includes(path) ? { kind: 'file', fileId: path, fingerprint: '1' } : { kind: 'missing' },
          ),
      },
      applyPreset: presetApplier({
        recipesOf: async () => BUILT_IN,
        probe: async () => ({
          format: { names: ['mov'], durationSeconds: 100, bitRate: 4_000_000, tags: {} },
          streams: [{ index: 0, type: 'video', width: 1920, height: 1080, frameRate: 25, disposition: [], tags: {} }],
          chapters: [],
        }),
      }),
    },
    CALLER,
    request,
    { probes: new RequestProbes() },
  );

const rejection = async (request: ConversionRequest) => {
  try {
    await submit(request);
  } catch (error) {
    return (error as { errors: readonly { field: string; code: string; message: string; fix?: unknown }[] }).errors;
  }
  throw new Error('The request was accepted.');
};

test('an input that takes too long to read is a timeout, with its field', async () => {
  const applyPreset = presetApplier({
    recipesOf: async () => BUILT_IN,
    probe: (_caller, _request, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    probeSeconds: 0.01,
  });
  const request = { inputs: ['a.mov'], output: 'b.mp4', preset: { name: 'target-size', arguments: { size: 10 } } };
  await expect(applyPreset(CALLER, request, { probes: new RequestProbes() })).rejects.toMatchObject({
    code: 'TIMEOUT',
    errors: [{ field: '/inputs/0', code: 'TIMEOUT', message: expect.stringContaining('longer than 0.01 s') }],
  });
});

test.for(['TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE'] as const)(
  'a recipe loses nothing because its input cannot be read now (%s): it says when to try again',
  async (code) => {
    const applyPreset = presetApplier({
      recipesOf: async () => BUILT_IN,
      probe: async () => {
        throw new Problem(code, 'Not read yet.', { retryAfterSeconds: 5 });
      },
    });
    for (const preset of [
      { name: 'target-size', arguments: { size: 10 } },
      { name: 'change-container' },
      { name: 'speed' },
    ])
      await expect(
        applyPreset(CALLER, { input: 'a.mkv', output: 'b.mp4', preset }, { probes: new RequestProbes() }),
      ).rejects.toMatchObject({
        ...{ code, retryAfterSeconds: 5 },
        message: `${code === 'TIMEOUT' ? `The recipe "${preset.name}" reads its input first. ` : ''}Not read yet.`,
      });
  },
);

test('a recipe that keeps subtitles takes an input that is not there yet', async () => {
  const applyPreset = presetApplier({
    recipesOf: async () => BUILT_IN,
    probe: async () => {
      throw new Problem('INPUT_NOT_FOUND', 'There is no "a.mkv".');
    },
  });
  const request = { input: 'a.mkv', output: 'b.mp4', preset: { name: 'change-container' } };
  expect(await applyPreset(CALLER, request, { probes: new RequestProbes() })).toMatchObject({
    request: { parameters: { map: ['0:v?', '0:a?'], c: 'copy' } },
    warnings: [],
  });
});

test('a change of speed keeps the frame rate of its input, if it can be read', async () => {
  const film = { index: 0, type: 'video', disposition: [], tags: {}, frameRate: 29.97003 } as const;
  const probes: Readonly<Record<string, () => MediaInfo>> = {
    'a.mov': () => ({
      format: { names: ['mov'], tags: {} },
      streams: [{ ...film, frameRateExact: '30000/1001' }],
      chapters: [],
    }),
    'unknown.mov': () => ({ format: { names: ['mov'], tags: {} }, streams: [], chapters: [] }),
  };
  const applyPreset = presetApplier({
    recipesOf: async () => BUILT_IN,
    probe: async (_caller, { input }) => {
      const found = probes[input];
      if (found === undefined) throw new Problem('INPUT_NOT_FOUND', `There is no "${input}".`);
      return found();
    },
  });
  const applied = (input: string) =>
    applyPreset(
      CALLER,
      { input, output: 'b.mp4', preset: { name: 'speed' }, parameters: {} },
      { probes: new RequestProbes() },
    );
  const { request, warnings } = await applied('a.mov');
  expect(request.parameters?.['vf']).toMatch(/^setpts=PTS\/2,fps=30000\/1001:eof_action=pass,scale=/);
  expect(warnings).toEqual([]);
  for (const input of ['unknown.mov', 'later.mov']) {
    const unread = await applied(input);
    expect(unread.request.parameters?.['vf']).toMatch(/^setpts=PTS\/2,scale=/);
    expect(unread).toMatchObject({ warnings: [] });
    expect(unread).not.toHaveProperty('warning');
  }
});

test('a recipe computes with the part of its input that is converted', async () => {
  const applyPreset = presetApplier({
    recipesOf: async () => BUILT_IN,
    probe: async () => ({
      format: { names: ['mov'], durationSeconds: 100, bitRate: 4_000_000, tags: {} },
      streams: [{ index: 0, type: 'video', width: 1920, height: 1080, frameRate: 25, disposition: [], tags: {} }],
      chapters: [],
    }),
  });
  const options = async (parameters: Parameters, preset: NonNullable<ConversionRequest['preset']>) =>
    (
      await applyPreset(
        CALLER,
        { inputs: [{ input: 'a.mov', parameters }], output: 'b.mp4', preset },
        { probes: new RequestProbes() },
      )
    ).request.parameters;
  const rate = async (parameters: Parameters) =>
    Number.parseFloat(String((await options(parameters, { name: 'target-size', arguments: { size: 10 } }))?.['b:v']));
  const half = await rate({ ss: '10', to: '60' });
  expect(half / (await rate({ r: '25' }))).toBeCloseTo(2, 1);
  const request = { input: 'a.mov', output: 'b.mp4', preset: { name: 'target-size', arguments: { size: 10 } } };
  const ofOutput = await applyPreset(
    CALLER,
    { ...request, parameters: { ss: '10', t: '50' } },
    { probes: new RequestProbes() },
  );
  expect(Number.parseFloat(String(ofOutput.request.parameters?.['b:v']))).toBe(half);
  expect((await options({ ss: '10', t: '20' }, { name: 'fade' }))?.['vf']).toContain('fade=t=out:st=19:');
  expect((await options({ sseof: '-20' }, { name: 'fade' }))?.['vf']).toContain('fade=t=out:st=19:');
});

test('the part that a recipe takes from the end of a file begins at the same time if the client shortens it', async () => {
  const ending: Recipe = {
    ...OWN,
    inputs: [{ role: 'film', description: 'A film.', parameters: { sseof: '-{{from}}' } }],
    arguments: { from: { type: 'time', description: 'The start.' } },
    request: { parameters: { vf: 'start={{input.start}},lasts={{input.duration}}' } },
  };
  const applyPreset = presetApplier({
    recipesOf: async () => [{ ...ending, source: 'own' }],
    probe: async () => ({ format: { names: ['mov'], durationSeconds: 60, tags: {} }, streams: [], chapters: [] }),
  });
  const graph = async (parameters: Parameters) => {
    const inputs = [{ input: 'a.mov', parameters }];
    const preset = { name: ending.name, arguments: { from: 10 } };
    return (await applyPreset(CALLER, { inputs, output: 'b.mp4', preset }, { probes: new RequestProbes() })).request
      .parameters?.['vf'];
  };
  expect(await graph({})).toBe('start=50,lasts=60');
  expect(await graph({ t: '5' })).toBe('start=50,lasts=5');
  expect(await graph({ to: '7' })).toBe('start=50,lasts=7');
});

test.each<[own: Parameters, sent: Parameters, parameters: Parameters, reads: boolean]>([
  [{}, {}, {}, false],
  [{}, { sseof: '-10' }, {}, true],
  [{ sseof: '-10' }, {}, {}, true],
  [{ sseof: '-{{from}}' }, {}, {}, false],
  [{ sseof: '{{#from}}-{{from}}{{/from}}{{^from}}-10{{/from}}' }, {}, {}, true],
  // ffmpeg ignores `sseof` beside `ss`, and keeps the times of the file with `copyts`.
  [{}, { sseof: '-10', ss: '5' }, {}, false],
  [{ ss: '5' }, { sseof: '-10' }, {}, false],
  [{ ss: '{{from}}' }, { sseof: '-10' }, {}, true],
  [{}, { sseof: '-10' }, { copyts: '' }, false],
])(
  'an input is read for its length only if its part begins by that: %j %j %j',
  async (own, sent, parameters, reads) => {
    const recipe: Recipe = {
      ...OWN,
      inputs: [{ role: 'film', description: 'A film.', parameters: own as Recipe['request']['parameters'] }],
      arguments: { from: { type: 'time', description: 'The start.' } },
      request: { parameters: { vf: 'start={{input.start}}' } },
    };
    let probes = 0;
    const applyPreset = presetApplier({
      recipesOf: async () => [{ ...recipe, source: 'own' }],
      probe: async () => {
        probes += 1;
        return { format: { names: ['mov'], durationSeconds: 60, tags: {} }, streams: [], chapters: [] };
      },
    });
    const inputs = [{ input: 'a.mov', parameters: sent }];
    const request = { inputs, output: 'b.mp4', parameters, preset: { name: recipe.name } };
    await applyPreset(CALLER, request, { probes: new RequestProbes() });
    expect(probes).toBe(reads ? 1 : 0);
  },
);

const TRACKS: Recipe = {
  ...{ name: 'tracks', version: 1, title: 'Tracks', description: 'Tracks.', words: [], outputs: ['mkv'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  arguments: {
    audio: { type: 'number', min: 0, max: 9, integer: true, default: 0, description: 'Which audio track, from 0.' },
    track: { type: 'number', min: 1, max: 9, integer: true, default: 1, description: 'Which subtitles.' },
    other: { type: 'choice', choices: { main: '0', commentary: '3' }, description: 'Which other audio.' },
    step: { type: 'number', min: 1, max: 9, integer: true, default: 2, description: 'How many between.' },
  },
  values: { before: 'track - 1', index: 'before * 1', far: 'track * step' },
  request: {
    parameters: {
      map: ['0:v', '0:a:{{audio}}', '0:s:{{index}}', '0:a:{{other}}', '0:s:{{far}}', '0:s:{{index}}?', '0:a:1'],
    },
  },
};

test('the streams that arguments of the client choose by number are known, with the values of the first ones', () => {
  expect(checkRecipe(TRACKS)).toEqual([]);
  const streamsOf = (sent: object, parameters: Parameters = {}) =>
    applyRecipe(
      { input: 'a.mkv', output: 'b.mkv', parameters, preset: { name: 'tracks', arguments: { ...sent } } },
      {},
      TRACKS,
    ).request.origins?.['/parameters/map']?.streams;
  expect(streamsOf({ audio: 4, track: 3, other: 'commentary' })).toEqual([
    { map: '0:a:4', argument: 'audio', first: 0 },
    { map: '0:s:2', argument: 'track', first: 1 },
    { map: '0:a:3', argument: 'other' },
    // Each next value is two streams further.
    { map: '0:s:6', argument: 'track' },
  ]);
  // Defaults, and what depends on several arguments, are not the choice of one.
  expect(streamsOf({})).toBeUndefined();
  expect(streamsOf({ track: 2, step: 3 })).toEqual([{ map: '0:s:1', argument: 'track', first: 1 }]);
  expect(streamsOf({ track: 2 }, { map: '0:s:{{index}}' })).toBeUndefined();
});

test('the streams of each output that a recipe writes are known', () => {
  const several: Recipe = {
    ...TRACKS,
    request: {
      parameters: {},
      outputs: [
        { role: 'video', description: 'The video.', parameters: { map: '0:v' } },
        { role: 'words', description: 'The words.', suffix: '.srt', parameters: { map: '0:s:{{index}}' } },
      ],
    },
  };
  const { origins } = applyRecipe(
    { input: 'a.mkv', output: 'b.mkv', preset: { name: 'tracks', arguments: { track: 5 } } },
    {},
    several,
  ).request;
  expect(origins?.['/outputs/1/parameters/map']).toMatchObject({
    field: '/preset/arguments/track',
    isOfRecipe: true,
    streams: [{ map: '0:s:4', argument: 'track', first: 1 }],
  });
});

test('an option of the request replaces the same option of the recipe under any of its names', () => {
  const { parameters } = expanded(withPreset('web-h264', { parameters: { vcodec: 'libx265', 'filter:v': 'null' } }));
  expect(parameters).toMatchObject({ vcodec: 'libx265', 'filter:v': 'null', crf: '23', 'c:a': 'aac' });
  expect(parameters).not.toHaveProperty('c:v');
  expect(parameters).not.toHaveProperty('vf');
});

test('options of the request come last, so that "c" is stronger than "c:v" of the recipe', () => {
  const { parameters = {} } = expanded(withPreset('web-h264', { parameters: { c: 'copy' } }));
  expect(Object.keys(parameters).at(-1)).toBe('c');
});

test.each([
  [
    'the height of the recipe',
    { arguments: { size: 10, height: 361 } },
    "scale='2*max(1,round(360*dar/2))':360,setsar=1",
  ],
  ['a height above that of the source', { arguments: { size: 10, height: 2160 } }, /:1080,setsar=1$/],
  ['own filters', { arguments: { size: 10 }, parameters: { vf: 'scale=320:-2' } }, 'scale=320:-2'],
  ['an own size', { arguments: { size: 10 }, parameters: { s: '320x180' } }, /^scale=/],
])('the job chooses no frame size if the client sends %s', async (_what, sent, vf) => {
  const { request } = await submit(withPreset('target-size', sent));
  expect(request).not.toHaveProperty('frameSize');
  expect(request.parameters?.['vf']).toEqual(typeof vf === 'string' ? vf : expect.stringMatching(vf));
});

test.each([
  ['copies its audio', { 'c:a': 'copy' }],
  ['leaves its audio out', { an: '' }],
])('a recipe does not mix the channels for a request that %s', async (_what, parameters) => {
  const { request } = await submit(withPreset('web-h264', { parameters }));
  expect(request.parameters).not.toHaveProperty('af');
});

test('a recipe knows the size that its file must not exceed, unless the client decides how many bits the video has', async () => {
  const maxBytes = async (sent: object) => (await submit(withPreset('target-size', sent))).request.preset?.maxBytes;
  expect(await maxBytes({ arguments: { size: '10' } })).toBe(10_000_000);
  expect(await maxBytes({ arguments: { size: 0.5, height: 360 }, parameters: { y: '' } })).toBe(500_000);
  const own = { preset: 'slow', 'b:a': '64k', 'c:a': 'copy', t: '20', vf: 'hflip', 'x264-params': 'keyint=48:qpmin=5' };
  expect(await maxBytes({ arguments: { size: 10 }, parameters: own })).toBe(10_000_000);
  const inside = [
    { 'x264-params': 'keyint=48:crf=23' },
    { 'x265-params:v': 'lossless=1' },
    { x264opts: 'bitrate=9000' },
  ];
  for (const bits of [{ 'b:v': '40M' }, { b: '40M' }, { crf: '23' }, ...inside])
    expect(await maxBytes({ arguments: { size: 10 }, parameters: bits }), JSON.stringify(bits)).toBeUndefined();
  expect((await submit(withPreset('web-h264'))).request.preset).not.toHaveProperty('maxBytes');
});

test.each<[what: string, sent: Partial<ConversionRequest>, maxBytes: number | undefined]>([
  ['one file', {}, 10_000_000],
  ['one file in a folder', { output: 'films/b.mp4' }, 10_000_000],
  ['a playlist and segments', { output: 'h/index.m3u8', format: 'hls' }, undefined],
  ['a folder for each version', { output: 'h/v%v/index.m3u8', format: 'hls' }, undefined],
  ['numbered files', { output: 'b%03d.mp4', format: 'segment' }, undefined],
])('the size of an output with %s is compared: %o -> %s', async (_what, sent, maxBytes) => {
  const { plan } = await submit(withPreset('target-size', { arguments: { size: 10 }, ...sent }));
  expect(plan.maxBytes).toBe(maxBytes);
});

test.each<[what: string, parameters: Parameters]>([
  ['a map of two videos', { map: ['0:v:0', '0:v:1'] }],
  ['a quality', { crf: '23' }],
])('a recipe that chooses the frame size goes with %s, and takes the usual size', async (_what, parameters) => {
  const { plan } = await submit(withPreset('target-size', { arguments: { size: 10 }, parameters }));
  expect(plan.search).toHaveProperty('none');
});

test('an argument without a value leaves its option out', () => {
  expect(expanded(withPreset('wav', { output: 'b.wav' })).parameters).toEqual({ vn: '', 'c:a': 'pcm_s16le' });
  expect(expanded(withPreset('wav', { output: 'b.wav', arguments: { rate: 16_000 } })).parameters).toMatchObject({
    ar: '16000',
  });
});

test.each([0, '0:00'])('a poster at %j is the first frame, not a typical one', (at) => {
  const { inputs, parameters } = expanded(withPreset('poster', { output: 'b.jpg', arguments: { at } }));
  expect(inputs).toEqual([{ input: 'a.mov', parameters: { ss: '0' } }]);
  expect(parameters?.['vf']).toMatch(/^scale=round\(min\(1280/);
  expect(parameters?.['vf']).not.toContain('thumbnail');
});

test('a job stores what it really runs, with the version and all arguments of the recipe', async () => {
  const { request } = await submit(withPreset('target-size', { arguments: { size: '10' } }));
  expect(request).toMatchObject({
    input: 'a.mov',
    preset: { name: 'target-size', version: 6, arguments: { size: 10 } },
    // Of 800 kbit/s, the index of the file and a reserve take 11.
    frameSize: 'auto',
    parameters: {
      ...{ 'b:v': '789k', pass: '2' },
      vf: "scale='2*max(1,round(ih*dar/2))':'2*max(1,floor(ih/2))',setsar=1",
    },
  });
});

test('a dry run shows the recipe with its version, and the options', async () => {
  const run = dryRunOf(await submit(withPreset('web-h264', { arguments: { height: 720 } })));
  expect(run.preset).toEqual({ name: 'web-h264', version: 2, arguments: { quality: 'good', height: 720 } });
  expect(run.parameters).toMatchObject({ 'c:v': 'libx264', crf: '23' });
  expect(run.inputs).toEqual(['a.mov']);
});

test('a dry run shows the inputs with the options of the recipe, and no key', async () => {
  const parameters = { to: '9', decryption_key: '76a6c65c5ea762046bd749a2e632ccbb' };
  const preset = { name: 'trim', arguments: { start: 5 } };
  const run = dryRunOf(await submit({ inputs: [{ input: 'a.mov', parameters }], output: 'b.mp4', preset }));
  expect(run.inputs).toEqual([{ input: 'a.mov', parameters: { ss: '5', to: '9', decryption_key: '(hidden)' } }]);
  expect(dryRunOf(await submit(FILM)).inputs).toBeUndefined();
});

test('the request of a job can be submitted again with the same result', async () => {
  const first = await submit(withPreset('picture-in-picture', { arguments: { inset: 'c.mov' } }), ['a.mov', 'c.mov']);
  const { origins: _, ...ran } = first.request;
  const again = await submit(ran, ['a.mov', 'c.mov']);
  expect(again.plan.passes).toEqual(first.plan.passes);
});

test('an error in an option of the recipe names the argument that it depends on', async () => {
  const errors = await rejection(withPreset('text-overlay', { arguments: { text: 'x', colour: 'nocolourofffmpeg' } }));
  expect(errors).toMatchObject([{ field: '/preset', code: 'BAD_VALUE' }]);
  const [error] = await rejection(
    withPreset('waveform', { output: 'b.png', arguments: { colour: 'nocolourofffmpeg' } }),
  );
  expect(error?.field).toBe('/preset/arguments/colour');
});

test('an error in an option of the request keeps its field', async () => {
  expect(await rejection(withPreset('web-h264', { parameters: { crf: '99' } }))).toMatchObject([
    { field: '/parameters/crf' },
  ]);
});

test('an error in an input names the field in which the client sent it', async () => {
  expect(await rejection(withPreset('trim', { input: '../a.mov' }))).toMatchObject([{ field: '/input' }]);
  expect(await rejection(withPreset('replace-audio', { arguments: { sound: '../a.wav' } }))).toMatchObject([
    { field: '/preset/arguments/sound' },
  ]);
  expect(
    await rejection({ inputs: ['a.mov', '../b.wav'], output: 'c.mp4', preset: { name: 'replace-audio' } }),
  ).toMatchObject([{ field: '/inputs/1' }]);
});

test.each(['an', 'vn'])('options of a recipe that "%s" leaves without effect cause no warning', async (option) => {
  const { plan } = await submit(withPreset('web-h264', { parameters: { [option]: '' }, strict: true }));
  expect(plan.warnings).toEqual([]);
});

test('an option of the client that has no effect causes a warning beside a recipe', async () => {
  const { plan } = await submit(withPreset('web-h264', { parameters: { an: '', 'b:a': '96k' } }));
  expect(plan.warnings).toMatchObject([{ field: '/parameters/b:a', code: 'NO_EFFECT' }]);
});

test('an argument of the client that has no effect causes a warning', async () => {
  const request = { arguments: { quality: 'high' }, parameters: { vn: '' } };
  const { plan } = await submit(withPreset('web-h264', request));
  expect(plan.warnings).toEqual([
    {
      field: '/preset/arguments/quality',
      code: 'NO_EFFECT',
      message: '"quality" has no effect: the output has no video.',
    },
  ]);
});

test.each<[recipe: string, sent: Record<string, ArgumentValue>, parameters: Parameters, warned: readonly string[]]>([
  ['target-size', { size: 8 }, { 'b:v': '40M' }, ['b:v Leave it out.']],
  ['target-size', { size: 8 }, { b: '40M' }, ['b Leave it out.']],
  ['target-size', { size: 8 }, { vf: 'scale=320:-2' }, []],
  ['web-hevc', { quality: 'good' }, { crf: '28' }, ['crf Leave it out, or leave "quality" out.']],
  ['web-hevc', { quality: 'good' }, { crf: '26' }, []],
  ['web-hevc', {}, { crf: '28' }, []],
])('%s with %j warns of options that replace what arguments set: %j', async (recipe, sent, parameters, warned) => {
  const { plan } = await submit(withPreset(recipe, { arguments: sent, parameters }));
  const found = plan.warnings.filter(({ code }) => code === 'OVERRIDES_RECIPE');
  expect(found.map(({ field, fix }) => `${field?.slice('/parameters/'.length)} ${fixText(fix)}`)).toEqual(warned);
});

test.each<[recipe: string, parameters: Parameters]>([
  ['speed', { an: '' }],
  ['speed', { vn: '' }],
  ['speed', { map: '0:v' }],
  ['speed', { map: '0:a' }],
])('an argument that has an effect on the other stream causes no warning: %s with %j', async (recipe, parameters) => {
  const { plan } = await submit(withPreset(recipe, { arguments: { factor: 4 }, parameters }));
  expect(plan.warnings).toEqual([]);
});

test('a warning about a map names no options of the recipe', async () => {
  const { plan } = await submit(withPreset('web-h264', { parameters: { map: '0:a' } }));
  expect(plan.warnings).toEqual([]);
});

test('an error about an option that the recipe set says so, and does not ask to leave it out', async () => {
  const errors = await rejection(withPreset('speed', { arguments: { factor: 4 }, parameters: { c: 'copy' } }));
  expect(errors).toMatchObject([
    {
      field: '/preset/arguments/factor',
      message:
        '"vf" filters video that is copied by "c": "copy". Only a re-encoded stream can be filtered: "c:v" needs an encoder. The recipe "speed" sets "vf".',
    },
    {
      message: expect.stringContaining('The recipe "speed" sets "af".'),
    },
  ]);
});

test('an error about the number of inputs is in the field that the client sent', () => {
  const origins = originsOf(expanded(withPreset('replace-audio', { arguments: { sound: 'c.wav' } })));
  expect(['/inputs', '/inputs/0/input', '/inputs/1'].map((field) => originOf(origins, field).field)).toEqual([
    '/input',
    '/input',
    '/preset/arguments/sound',
  ]);
});

test('a missing input is a warning about the field in which the client sent it', async () => {
  const checked = await submit(withPreset('replace-audio', { arguments: { sound: 'none.wav' } }));
  expect(dryRunOf(checked).warnings).toMatchObject([{ field: '/preset/arguments/sound', code: 'INPUT_NOT_FOUND' }]);
});

test.each<[what: string, request: ConversionRequest, error: object]>([
  [
    'an unknown recipe',
    withPreset('web-h246'),
    { field: '/preset/name', code: 'UNKNOWN_RECIPE', fix: 'Send "web-h264".' },
  ],
  ['an output that no such recipe writes', withPreset('gif'), { field: '/output', code: 'OTHER_EXTENSION' }],
  ['a name without any near one', withPreset('xyzzy'), { fix: ['Find one: ', { do: 'find-recipe' }, '.'] }],
  ['a preset of an encoder', withPreset('fast'), { field: '/preset/name', code: 'UNKNOWN_RECIPE' }],
  [
    'another version',
    { ...FILM, preset: { name: 'web-h264', version: 99 } },
    { field: '/preset/version', code: 'UNKNOWN_VERSION', allowed: ['2'] },
  ],
])('rejects %s', async (_what, request, error) => {
  expect(await rejection(request)).toMatchObject([error]);
});

test.each<[what: string, request: ConversionRequest, error: object]>([
  [
    'an unknown argument',
    withPreset('web-h264', { arguments: { heigth: 720 } }),
    { field: '/preset/arguments/heigth', code: 'UNKNOWN_ARGUMENT', nearest: { given: 'heigth' } },
  ],
  [
    'a number out of range',
    withPreset('web-h264', { arguments: { height: 5 } }),
    { field: '/preset/arguments/height', code: 'BAD_ARGUMENT', nearest: { bound: 16, others: 'more' } },
  ],
  [
    'an unknown choice',
    withPreset('web-h264', { arguments: { quality: 'god' } }),
    { field: '/preset/arguments/quality', nearest: { given: 'god', names: ['small', 'good', 'high', 'best'] } },
  ],
  [
    'a text that is no time',
    withPreset('trim', { arguments: { start: 'soon' } }),
    { field: '/preset/arguments/start', code: 'BAD_ARGUMENT' },
  ],
  [
    'a missing argument',
    withPreset('target-size'),
    {
      field: '/preset/arguments/size',
      code: 'MISSING',
      message: expect.stringContaining('needs the argument "size"'),
    },
  ],
  [
    'a name of the JavaScript prototype as a number',
    withPreset('web-h264', { arguments: { height: 'constructor' } }),
    { field: '/preset/arguments/height', code: 'BAD_ARGUMENT' },
  ],
  ['a missing input', withPreset('replace-audio'), { field: '/preset/arguments/sound', code: 'MISSING' }],
  [
    'an input that is sent twice',
    { inputs: ['a.mov', 'b.wav'], output: 'c.mp4', preset: { name: 'replace-audio', arguments: { sound: 'c.wav' } } },
    { field: '/preset/arguments/sound', code: 'EXCLUSIVE' },
  ],
  [
    'more inputs than the recipe reads',
    { inputs: ['a.mov', 'b.mov'], output: 'c.mp4', preset: { name: 'web-h264' } },
    { field: '/inputs/1', code: 'TOO_MANY' },
  ],
  ['an output of another kind', withPreset('gif'), { field: '/output', code: 'OTHER_EXTENSION', allowed: ['.gif'] }],
])('rejects %s', (_what, request, error) => {
  expect(errorsIn(request)).toMatchObject([error]);
});

test.each<[recipe: string, sent: Readonly<Record<string, ArgumentValue>>, meant: string]>([
  ['target-size', { target_size_mb: 8 }, 'size'],
  ['rotate', { angle: 'right' }, 'by'],
  ['watermark', { image: 'logo.png' }, 'logo'],
  ['web-h264', { resolution: 720 }, 'height'],
])('the argument of %s in %j gets the name %s', (name, sent, meant) => {
  const { errors } = invalidRequest(errorsIn(withPreset(name, { arguments: sent })));
  expect(errors.map(({ code, fix }) => ({ code, fix }))).toEqual([
    { code: 'UNKNOWN_ARGUMENT', fix: `Send "${meant}".` },
  ]);
});

test.each<[recipe: string, sent: Record<string, ArgumentValue>, error: object]>([
  [
    'podcast',
    { foo: 1 },
    { allowed: ['bitrate'], message: expect.stringContaining('"podcast" has no argument "foo"') },
  ],
  ['web-h264', { crf: 20 }, { message: expect.stringMatching(/ Options of ffmpeg belong in "parameters"\.$/) }],
  ['web-h264', { qualty: 500 }, { fix: 'Send "quality".' }],
  ['web-h264', { quality: 'Medium' }, { fix: 'Send "good".' }],
  ['watermark', { logo: 'b.png', place: 'bottomRight' }, { fix: 'Send "bottom-right".' }],
  ['watermark', { logo: 'b.png', place: 'bottom right' }, { fix: 'Send "bottom-right".' }],
  ['trim', { start: 5, end: 2 }, { message: '"end" 2 is not after "start" 5: both are times in the input.' }],
])('wrong arguments of %s, as in %j, have an error with what is allowed', (name, sent, error) => {
  const output = name === 'podcast' ? 'b.mp3' : 'b.mp4';
  expect(invalidRequest(errorsIn(withPreset(name, { output, arguments: sent }))).errors).toMatchObject([error]);
});

test('a text cannot leave its place in a filtergraph', () => {
  const { parameters = {} } = expanded(withPreset('text-overlay', { arguments: { text: "a:b',c;[d]\\" } }));
  expect(String(parameters['vf'])).toMatch(/^drawtext=text=a\\+:b\\+'\\,c\\;\\\[d\\\]\\+:expansion=none:/);
});

test.each(['talks/ep=1.srt', "it's [1]: a,b=c.srt"])('the file of a filter may be named %s', async (subtitles) => {
  const { plan } = await submit(withPreset('burn-subtitles', { arguments: { subtitles } }), ['a.mov', subtitles]);
  expect(plan.inputs.map(({ path }) => path)).toEqual(['a.mov', subtitles]);
});

test.each<[own: Record<string, string>, sent: Record<string, string>, shifts: boolean]>([
  [{ ss: '00:00:48.833', to: '54' }, {}, true],
  [{ sseof: '-51.167', t: '5' }, {}, true],
  [{ ss: '0' }, {}, false],
  [{ sseof: '-101' }, {}, false],
  [{ to: '54' }, {}, false],
  [{}, { sseof: '-51.167' }, true],
  // The frames keep the times of the film.
  [{ ss: '48.833' }, { copyts: '' }, false],
  [{ ss: '48.833' }, { copyts: 'false' }, true],
])('burnt subtitles have the times of the film in a part of it: %j %j', async (own, parameters, shifts) => {
  const inputs = [{ input: 'a.mov', parameters: own }, 'a.srt'];
  const { request } = await submit({ inputs, output: 'b.mp4', preset: { name: 'burn-subtitles' }, parameters }, [
    'a.mov',
    'a.srt',
  ]);
  const graph = String(request.parameters?.['vf']);
  expect(graph).toContain('subtitles=');
  expect(graph.match(/setpts=[^,]*/g)).toEqual(
    shifts ? ['setpts=PTS+round(48.833/TB)', 'setpts=PTS-round(48.833/TB)'] : null,
  );
});

test.each<[ofRecipe: Partial<Recipe['inputs'][number]>, sent: Parameters, expected: string]>([
  [{ parameters: { ss: '{{from}}' } }, {}, 'start=10,late=15'],
  [{ parameters: { ss: '{{half}}' } }, {}, 'start=5,late=10'],
  [{ parameters: { sseof: '-{{from}}' } }, {}, 'start=50,late=55'],
  [{ parameters: { ss: '{{from}}' } }, { ss: '20' }, 'start=20,late=25'],
  [{ parameters: { ss: '{{absent}}' } }, {}, 'start=0,late=5'],
])('a recipe that sets the start of a part itself knows it: %j %j', (ofRecipe, parameters, expected) => {
  const own: Recipe = {
    ...OWN,
    inputs: [{ role: 'film', description: 'A film.', ...ofRecipe }],
    arguments: {
      from: { type: 'time', description: 'The start.' },
      absent: { type: 'time', description: 'Not sent.' },
    },
    values: { late: 'input.start + 5', half: 'from / 2' },
    request: { parameters: { vf: 'start={{input.start}},late={{late}}' } },
  };
  expect(checkRecipe(own)).toEqual([]);
  const request: ConversionRequest = {
    ...{ inputs: [{ input: 'a.mov', parameters }], output: 'b.mp4' },
    preset: { name: own.name, arguments: { from: 10 } },
  };
  const graphOf = (recipe: Recipe) => applyRecipe(request, { duration: 60 }, recipe).request.parameters?.['vf'];
  expect(graphOf(own)).toBe(expected);
  const withTimes = { ...own, request: { parameters: { ...own.request.parameters, copyts: '' } } };
  expect(graphOf(withTimes), 'the frames keep the times of the film').toBe('start=0,late=5');
});

test.each(['https://me:pass@host.example/a.srt?sig=pass', ' https:/me:pass@host.example/a.srt'])(
  'rejects the URL "%s" for a filter without its secrets',
  async (subtitles) => {
    const errors = await rejection(withPreset('burn-subtitles', { arguments: { subtitles } }));
    expect(errors).toMatchObject([{ field: '/preset/arguments/subtitles', code: 'NOT_A_FILE' }]);
    expect(JSON.stringify(errors)).not.toContain('pass');
  },
);

const OWN: Recipe = {
  name: 'mine',
  version: 1,
  title: 'Mine',
  description: 'A recipe of a test.',
  words: [],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: { height: { type: 'number', min: 2, max: 100, description: 'The height.' } },
  request: { parameters: { vf: 'scale=-2:{{height}}' } },
};

test.each<[what: string, change: Partial<Recipe>, error: string]>([
  ['an unknown name', { request: { parameters: { vf: '{{heigth}}' } } }, '/request/parameters/vf UNKNOWN_NAME'],
  ['a formula that is none', { values: { x: 'process.exit()' } }, '/values/x BAD_FORMULA'],
  ['a name after its use', { values: { x: 'y', y: '1' } }, '/values/x UNKNOWN_NAME'],
  ['one option twice', { request: { parameters: { vcodec: 'a', 'c:v': 'b' } } }, '/request/parameters/c:v DUPLICATE'],
  ['a secret', { request: { parameters: { encryption_key: '0' } } }, '/request/parameters/encryption_key SECRET'],
  [
    'a default out of range',
    { arguments: { height: { type: 'number', min: 2, max: 3, default: 4, description: 'x' } } },
    '/arguments/height/default BAD_ARGUMENT',
  ],
])('a recipe with %s is not valid', (_what, change, error) => {
  expect(checkRecipe(OWN)).toEqual([]);
  expect(checkRecipe({ ...OWN, ...change }).map(({ field, code }) => `${field} ${code}`)).toEqual([error]);
});

test.each<[place: string, change: Partial<Recipe>]>([
  ['an option', { request: { parameters: { metadata: '{{long}}'.repeat(1800) } } }],
  [
    'an option of an input',
    { inputs: [{ role: 'film', description: 'A film.', parameters: { metadata: '{{long}}'.repeat(1800) } }] },
  ],
])('a small recipe cannot make gigabytes of %s by choices that repeat a text', (_place, change) => {
  const recipe: Recipe = {
    ...OWN,
    arguments: {
      text: { type: 'text', maxLength: 1000, description: 'A text.', required: true },
      long: { type: 'choice', choices: { x: '{{text}}'.repeat(1800) }, default: 'x', description: 'Repeats it.' },
    },
    request: { parameters: {} },
    ...change,
  };
  expect(checkRecipe(recipe)).toEqual([]);
  const request = { ...withPreset('mine', { arguments: { text: 'a'.repeat(1000) } }), format: 'mp4' };
  expect(errorsIn(request, recipe)).toMatchObject([{ code: 'TOO_LONG', field: '/preset' }]);
});

test.each<[place: string, change: Partial<Recipe>]>([
  [
    'an option of an input',
    { inputs: [{ role: 'film', description: 'A film.', parameters: { metadata: '{{film}}' } }] },
  ],
  [
    'a choice',
    {
      arguments: { c: { type: 'choice', choices: { x: 'title={{film}}' }, default: 'x', description: 'A title.' } },
      request: { parameters: { metadata: '{{c}}' } },
    },
  ],
])('the password of a URL cannot get into an option by %s', (_place, change) => {
  const errors = errorsIn(
    { ...withPreset('mine'), input: 'https://me:pass@host.example/a.mov', format: 'mp4' },
    { ...OWN, arguments: {}, request: { parameters: {} }, ...change },
  );
  expect(errors).toMatchObject([{ field: '/input', code: 'NOT_A_FILE' }]);
  expect(JSON.stringify(errors)).not.toContain('pass');
});

test('a stored recipe whose braces meet without a section shows no password of a URL', () => {
  const parameters = { metadata: 'title={{{#height}}x{{/height}}{film}}' };
  const { request } = applyRecipe(
    { ...withPreset('mine'), input: 'https://me:pass@host.example/a.mov?sig=pass' },
    {},
    { ...OWN, request: { parameters } },
  );
  expect(request.parameters).toEqual({ metadata: 'title=https://(hidden)@host.example/a.mov?(hidden)' });
});

const LOGO_URL = 'https://me:pass@host.example/a.png?sig=pass';

/** A request with the URL of a logo, as a retry restores it. */
const withLogo = (more: Readonly<Record<string, ArgumentValue>> = {}): ConversionRequest => ({
  ...FILM,
  preset: {
    name: 'mine',
    arguments: { logo: 'https://(hidden)@host.example/a.png?(hidden)', ...more },
    inputUrls: { logo: LOGO_URL },
  },
});

test('the URL that a retry restores in an argument is read as an input, and in no error', () => {
  const inputs = [...OWN.inputs, { role: 'logo', description: 'A logo.' }];
  const own: Recipe = {
    ...OWN,
    inputs,
    arguments: {
      ...OWN.arguments,
      start: { type: 'time', description: 'The start.' },
      end: { type: 'time', description: 'The end.' },
    },
  };
  const { request } = applyRecipe(withLogo({ height: 50 }), {}, own);
  expect(request).toMatchObject({ inputs: ['a.mov', LOGO_URL], preset: { name: 'mine', arguments: { height: 50 } } });
  for (const [more, code] of [
    [{ heigth: 50 }, 'UNKNOWN_ARGUMENT'],
    [{ start: 5, end: 2 }, 'BAD_ARGUMENT'],
  ] as const) {
    const errors = errorsIn(withLogo(more), own);
    expect(errors).toMatchObject([{ code }]);
    expect(JSON.stringify(errors)).not.toContain('pass');
  }
});

test('the URL that a retry restores is rejected if the argument is a text now', () => {
  const own: Recipe = {
    ...OWN,
    arguments: { logo: { type: 'text', maxLength: 500, description: 'A text.' } },
    request: { parameters: { metadata: 'title={{logo}}' } },
  };
  const errors = errorsIn(withLogo(), own);
  expect(errors).toMatchObject([{ field: '/preset/arguments/logo', code: 'HIDDEN_PART' }]);
  expect(JSON.stringify(errors)).not.toContain('pass');
});

test('the error for an audio file among images has no password of their URLs', () => {
  const host = 'https://me:pass@host.example';
  const inputs = [`${host}/a.jpg`, `${host}/b.mp3`];
  const errors = errorsIn({ inputs, output: 'b.mp4', preset: { name: 'slideshow' } });
  expect(errors).toMatchObject([{ code: 'NOT_A_STILL', field: '/inputs/1' }]);
  expect(JSON.stringify(errors)).not.toContain('pass');
});

test.each([
  ['more pictures than a track may have', { everySeconds: '0.000001' }],
  ['a grid without pictures', { rows: '0 * height' }],
  ['a length that has no end', { durationSeconds: '1e9' }],
])('a track of a recipe with %s is rejected before the run', (_what, change) => {
  const thumbnailTrack = { everySeconds: '1', durationSeconds: '4', columns: '2', rows: '2', ...change };
  const recipe: Recipe = { ...OWN, outputs: ['jpg'], request: { parameters: { 'frames:v': '1' }, thumbnailTrack } };
  const { request } = applyRecipe({ ...withPreset('mine'), output: 'b.jpg' }, {}, recipe);
  expect(planRequest(request)).toMatchObject({
    ok: false,
    errors: [{ code: 'OUT_OF_RANGE', field: '/thumbnailTrack' }],
  });
});
