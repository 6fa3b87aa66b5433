import { expect, test, vi } from 'vitest';
import { parseClipAnswer, parseProbeAnswer } from './read-answer.ts';

const answer = (change: object) =>
  parseProbeAnswer(JSON.stringify({ streams: [], chapters: [], format: { format_name: 'matroska,webm' }, ...change }));
const stream = (fields: object) => answer({ streams: [{ index: 0, codec_type: 'video', ...fields }] })?.streams[0];

test('numbers are numbers, even if ffprobe prints them as text', () => {
  const format = {
    format_name: 'mov,mp4',
    duration: '30.022000',
    size: '4139823',
    bit_rate: '1103143',
    probe_score: 100,
  };
  expect(answer({ format })?.format).toEqual({
    names: ['mov', 'mp4'],
    durationSeconds: 30.022,
    sizeBytes: 4_139_823,
    bitRate: 1_103_143,
    score: 100,
    tags: {},
  });
});

test('unknown values are absent', () => {
  const fields = {
    profile: 'unknown',
    level: -99,
    avg_frame_rate: '0/0',
    bit_rate: 'N/A',
    width: 0,
    color_range: 'unknown',
  };
  expect(stream({ ...fields, sample_aspect_ratio: '0:1', codec_tag_string: '[0][0][0][0]' })).toEqual({
    index: 0,
    type: 'video',
    disposition: [],
    isAttachedPicture: false,
    tags: {},
  });
});

test('reports the frame rate as a number and as an exact fraction', () => {
  const found = stream({ avg_frame_rate: '30000/1001', r_frame_rate: '60000/1001' });
  expect(found).toMatchObject({ frameRate: 29.97003, frameRateExact: '30000/1001', baseFrameRate: 59.94006 });
});

test('reports the bit depth of PCM and of compressed audio', () => {
  const audio = { codec_type: 'audio', bits_per_sample: 16 };
  expect(stream(audio)).toMatchObject({ bitDepth: 16 });
  expect(stream({ ...audio, bits_per_sample: 0, bits_per_raw_sample: '24' })).toMatchObject({ bitDepth: 24 });
});

test('reads the rotation from the display matrix', () => {
  const side = [{ side_data_type: 'Display Matrix', displaymatrix: '\n0 1 0', rotation: -90 }];
  expect(stream({ side_data_list: side })).toMatchObject({ rotationDegrees: -90, sideData: ['Display Matrix'] });
});

test('distinguishes a cover from a video', () => {
  expect(stream({ disposition: { default: 0, attached_pic: 1 } })).toMatchObject({
    disposition: ['attached_pic'],
    isAttachedPicture: true,
  });
});

test('reports language and title in addition to the tags', () => {
  const found = stream({ codec_type: 'audio', tags: { language: 'deu', title: 'Ton', HANDLER: 'x' } });
  expect(found).toMatchObject({ language: 'deu', title: 'Ton', tags: { language: 'deu', title: 'Ton', HANDLER: 'x' } });
});

test('replaces control and bidirectional characters by spaces and cuts long texts', () => {
  const tags = { 'a\u001b[31m': 'x\r\n\u202ey', long: 'ä'.repeat(5000) };
  const read = answer({ format: { format_name: 'mp3', tags } })?.format.tags ?? {};
  expect(read['a [31m']).toBe('x   y');
  expect(read['long']).toHaveLength(2000);
  expect(read['long']?.endsWith('…')).toBe(true);
});

test('a tag may have the name of a JavaScript property', () => {
  const read = parseProbeAnswer('{"format":{"format_name":"mp3","tags":{"__proto__":"x","constructor":"y"}}}')?.format
    .tags;
  expect(Object.entries(read ?? {})).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('cuts long lists and reports what was omitted', () => {
  const tags = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`t${n}`, 'x']));
  const streams = Array.from({ length: 300 }, (_, index) => ({ index, codec_type: 'audio' }));
  const chapters = Array.from({ length: 1500 }, (_, n) => ({ start_time: `${n}`, end_time: `${n + 1}` }));
  const info = answer({ streams, chapters, format: { format_name: 'x', tags } });
  expect(info).toMatchObject({ leftOut: { streams: 100, chapters: 500, tags: 36 } });
  expect(info?.streams).toHaveLength(200);
  expect(info?.chapters.at(-1)).toEqual({ startSeconds: 999, endSeconds: 1000, tags: {} });
});

test('reads of long texts only what is reported', () => {
  const long = '\u202e'.repeat(100_000);
  const tags = Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`t${n}`, long]));
  const replace = vi.spyOn(String.prototype, 'replace');
  const info = answer({ format: { format_name: 'x', tags } });
  const read = replace.mock.contexts.map((text) => String(text).length);
  replace.mockRestore();
  expect(info?.format.tags['t0']).toHaveLength(2000);
  expect(read.length).toBeGreaterThan(60);
  expect(Math.max(...read)).toBeLessThan(2001);
});

test('limits the total length of texts', () => {
  const tags = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`t${n}`, 'x'.repeat(2000)]));
  const streams = Array.from({ length: 10 }, (_, index) => ({ index, codec_type: 'audio', tags }));
  const info = answer({ streams });
  expect(JSON.stringify(info).length).toBeLessThan(250_000);
  expect(info?.leftOut?.tags).toBeGreaterThan(400);
});

test('tolerates fields that a newer ffprobe adds or changes', () => {
  expect(stream({ codec_type: 'hologram', width: '12', new_field: { a: [1] }, disposition: [], tags: 7 })).toEqual({
    index: 0,
    type: 'unknown',
    disposition: [],
    tags: {},
  });
  expect(answer({ streams: 'none', chapters: null })).toMatchObject({ streams: [], chapters: [] });
});

test.each(['', '{', '[]', 'null', '{"streams":[]}'])('%j is not a valid answer', (text) => {
  expect(parseProbeAnswer(text)).toBeUndefined();
});

test('a file that ends after its header is empty', () => {
  const answer = (packets: readonly object[], type = 'audio') =>
    parseProbeAnswer(
      JSON.stringify({ packets, streams: [{ index: 0, codec_type: type }], format: { format_name: 'wav' } }),
    );
  expect(answer([])?.format.isEmpty).toBe(true);
  expect(answer([{ stream_index: 0 }])?.format).not.toHaveProperty('isEmpty');
  expect(answer([], 'subtitle')?.format).not.toHaveProperty('isEmpty');
});

test('the hashes of a clip are those of the streams that are described', () => {
  const streams = Array.from({ length: 300 }, (_, index) => ({
    index,
    codec_type: 'audio',
    extradata_hash: `MD5:${index}`,
  }));
  const answer = parseClipAnswer(JSON.stringify({ streams, chapters: [], format: { format_name: 'mpegts' } }));
  expect(answer?.info.streams).toHaveLength(200);
  expect([...(answer?.clip.headers.keys() ?? [])]).toEqual(answer?.info.streams.map(({ index }) => index));
});
