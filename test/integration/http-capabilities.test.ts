import { expect, test } from 'vitest';
import { recordedCapabilities } from '../support/capabilities.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { RECORDED } from '../support/recorded-catalogue.ts';

interface Named {
  readonly name: string;
  readonly [key: string]: unknown;
}

function faces(capabilities = recordedCapabilities()) {
  const { inject } = httpApp({ capabilities });
  return async (path: string) => {
    const reply = await inject({ method: 'GET', url: `/api/capabilities/${path}`, headers: BEARER });
    return { status: reply.statusCode, body: reply.json(), bytes: reply.rawPayload.length };
  };
}

const names = (items: readonly Named[]): string[] => items.map(({ name }) => name);

test('lists only formats that requests may read or write', async () => {
  const get = faces();
  const all: Named[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { body, status } = await get(`formats?limit=100${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    all.push(...body.formats);
    cursor = body.nextCursor;
  }
  expect(all.find(({ name }) => name === 'mp4')).toEqual({
    name: 'mp4',
    description: 'MP4 (MPEG-4 Part 14)',
    reads: false,
    writes: true,
  });
  expect(all.find(({ name }) => name === 'mov')).toMatchObject({ reads: true, writes: true });
  expect(new Set(names(all)).size).toBe(all.length);
  expect(names(all).filter((name) => ['tee', 'rtp', 'alsa', 'concat', 'lavfi', 'rtsp'].includes(name))).toEqual([]);
});

test('shows a format with its options, also under a common file extension', async () => {
  const get = faces();
  const { status, body } = await get('formats/mp4');
  expect(status).toBe(200);
  expect(body).toMatchObject({ defaultCodecs: { video: 'h264', audio: 'aac' }, extensions: ['mp4'] });
  const movflags = body.outputOptions.find(({ name }: Named) => name === 'movflags');
  expect(movflags).toMatchObject({ type: 'flags', constants: expect.arrayContaining(['faststart']) });
  expect((await get('formats/mkv')).body.name).toBe('matroska');
  expect(names((await get('formats?q=mkv')).body.formats)).toContain('matroska');
  const rejected = await get('formats/tee');
  expect([rejected.status, rejected.body.errors[0].code]).toEqual([404, 'FORMAT_NOT_ALLOWED']);
});

test('searches codecs by words, kind and use', async () => {
  const get = faces();
  expect(names((await get('codecs?q=h264&use=encode')).body.codecs).slice(0, 2)).toContain('libx264');
  const audio = (await get('codecs?kind=audio&use=encode&limit=100')).body.codecs;
  expect(audio.every(({ kind, encodes }: Named) => kind === 'audio' && encodes)).toBe(true);
  expect(names(audio)).toContain('libopus');
  const devices = (await get('codecs?q=vaapi')).body;
  expect(names(devices.codecs).filter((name) => name.includes('vaapi'))).toEqual([]);
});

test('shows what the encoder of a codec accepts, and its options', async () => {
  const get = faces();
  const { body, bytes } = await get('codecs/libx264');
  expect(body).toMatchObject({ kind: 'video', codec: 'h264', encodes: true, decodes: false });
  expect(body.encoders).toEqual(['libx264', 'libx264rgb']);
  expect(body.pixelFormats).toContain('yuv420p10le');
  const crf = body.encoderOptions.find(({ name }: Named) => name === 'crf');
  // The range that the message about a wrong value names.
  expect(crf).toEqual({
    name: 'crf',
    type: 'float',
    description: expect.any(String),
    min: 0,
    max: 51,
    usual: '18 to 28',
  });
  // No range is narrower than what the service accepts.
  expect(body.encoderOptions.find(({ name }: Named) => name === 'qp')).toMatchObject({ min: 0, max: 81 });
  const { encoderOptions } = (await get('codecs/libvpx')).body;
  expect(encoderOptions.find(({ name }: Named) => name === 'crf')).toMatchObject({ max: 63, usual: '4 to 20' });
  expect(encoderOptions.find(({ name }: Named) => name === 'crf').min).toBeLessThanOrEqual(0);
  const preset = body.encoderOptions.find(({ name }: Named) => name === 'preset');
  expect(preset.constants).toContain('veryfast');
  expect(names(body.encoderOptions)).not.toContain('passlogfile');
  expect(bytes).toBeLessThan(10_000);
  expect((await get('codecs/libopus')).body.sampleRates).toEqual([48000, 24000, 16000, 12000, 8000]);
});

test('searches filters by words, and shows a filter with its pads', async () => {
  const get = faces();
  expect(names((await get('filters?q=scale')).body.filters)[0]).toBe('scale');
  expect(names((await get('filters?q=cross%20fade')).body.filters)).toEqual(
    expect.arrayContaining(['acrossfade', 'xfade']),
  );
  expect((await get('filters/overlay')).body).toMatchObject({
    timeline: true,
    inputPads: [{ name: 'main' }, { name: 'overlay' }],
    outputPads: [{ name: 'default', media: 'video' }],
  });
  expect((await get('filters/concat')).body).toMatchObject({ inputPads: 'dynamic', outputPads: 'dynamic' });
  const rejected = await get('filters/movie');
  expect(rejected.status).toBe(404);
  expect(rejected.body.errors[0]).toMatchObject({
    code: 'FILTER_NOT_ALLOWED',
    message: expect.stringContaining('opens files'),
  });
});

test('searches all allowed options by words', async () => {
  const get = faces();
  const faststart = (await get('options?q=faststart')).body.options;
  expect(faststart[0]).toMatchObject({ name: 'movflags', type: 'flags', on: 'output' });
  expect(names((await get('options?q=libx264%20crf')).body.options)[0]).toBe('crf');
  const map = (await get('options?q=map')).body.options[0];
  expect(map).toEqual({
    name: 'map',
    of: ['ffmpeg'],
    on: 'output',
    type: 'value',
    description: 'set input stream mapping',
  });
  const found = (await get('options?q=preset&limit=100')).body.options;
  expect(found.find(({ of }: { of: string[] }) => of.includes('libx264'))).toMatchObject({
    name: 'preset',
    on: 'output',
    media: 'V',
    default: 'medium',
  });
  const all = (await get('options?q=protocol_whitelist')).body;
  expect(names(all.options)).not.toContain('protocol_whitelist');
});

test.each([
  ['encoder=libx264', 'crf', 'output'],
  ['encoder=h264', 'crf', 'output'],
  ['decoder=h264', 'enable_er', 'input'],
  ['format=mkv', 'reserve_index_space', 'output'],
  ['format=hls', 'hls_time', 'output'],
  ['inputFormat=image2', 'pattern_type', 'input'],
  ['filter=scale', 'w', 'filter'],
  ['bsf=h264_metadata', 'level', 'both'],
])('lists the options of %s', async (owner, name, on) => {
  const { body } = await faces()(`options?${owner}&limit=100`);
  expect(body.options.find((one: Named) => one.name === name)).toMatchObject({ on });
});

test('shows an option in all its meanings', async () => {
  const get = faces();
  const { body } = await get('options/loop');
  expect(body.meanings.map(({ of, on }: { of: string[]; on: string }) => [of[0], on])).toEqual(
    expect.arrayContaining([
      ['GIF muxer', 'output'],
      ['image2 demuxer', 'input'],
    ]),
  );
  const aq = (await get('options/aq-mode')).body.meanings.find(({ of }: { of: string[] }) => of.includes('libx264'));
  expect(aq.constants).toContainEqual({ name: 'autovariance-biased', value: 3, help: expect.any(String) });
  const { meanings } = (await get('options/preset')).body;
  const preset = meanings.find(({ of }: { of: string[] }) => of.includes('libx264'));
  expect(preset.constants).toContainEqual({ name: 'veryfast', help: '' });
  const rejected = await get('options/re');
  expect(rejected.body.errors[0].message).toContain('slows the conversion');
});

test('suggests similar names for unknown ones', async () => {
  const get = faces();
  const scal = await get('filters/scal');
  expect([scal.status, scal.body.errors[0].fix]).toEqual([404, 'Send "scale".']);
  const near = (await get('options?q=prset')).body;
  expect(near.note).toContain('names are similar');
  expect(names(near.options)).toContain('preset');
  const nothing = (await get('filters?q=qqqqqqqqqqqq')).body;
  expect([nothing.filters, nothing.note]).toEqual([[], expect.stringContaining('Nothing matches')]);
});

test.each([
  ['options?encoder=libx265&filter=scale', '/filter', 'CONFLICT'],
  ['options?encoder=libx246', '/encoder', 'UNKNOWN_NAME'],
  ['options?format=tee', '/format', 'UNKNOWN_NAME'],
  ['options?filter=movie', '/filter', 'UNKNOWN_NAME'],
  ['options?bsf=nothing', '/bsf', 'UNKNOWN_NAME'],
  ['filters?cursor=bm8', '/cursor', 'INVALID_FORMAT'],
  ['codecs?kind=smell', '/kind', undefined],
  ['formats?limit=1000', '/limit', undefined],
])('rejects %s', async (path, field, code) => {
  const { status, body } = await faces()(path);
  expect(status).toBe(400);
  expect(body.errors[0]).toMatchObject({ field, ...(code && { code }) });
});

test('replies with a few kilobytes by default', async () => {
  const get = faces();
  for (const path of ['formats', 'codecs', 'filters', 'options', 'options?encoder=libx264', 'options?filter=scale']) {
    const { body, bytes } = await get(path);
    expect(Object.values<unknown[]>(body)[0]).toHaveLength(20);
    expect([path, bytes < 8_000]).toEqual([path, true]);
  }
});

test('requires a token', async () => {
  const { inject } = httpApp({ capabilities: recordedCapabilities() });
  const reply = await inject({ method: 'GET', url: '/api/capabilities/formats' });
  expect(reply.statusCode).toBe(401);
});

test.each(RECORDED)('ffmpeg %s', async (version) => {
  const get = faces(recordedCapabilities(version));
  for (const path of [
    'formats',
    'codecs',
    'filters',
    'options',
    'codecs/libx264',
    'formats/mp4',
    'filters/scale',
    'options/b',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
});
