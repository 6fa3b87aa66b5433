import { expect, test } from 'vitest';
import { findCircle, type WatchedRoute } from './circles.ts';

const same = (path: string): string => path;

const route = (folder: string, output: string, more: Partial<WatchedRoute> = {}): WatchedRoute => ({
  ...{ folder, subfolders: true, request: { output } },
  ...more,
});

test.each([
  ['in/', 'in/{name}.mp4'],
  ['in/', 'in/done/{name}.mp4'],
  ['', 'out/{folder}{name}.mp4'],
  ['in/', 'in/{folder}{name}-small.mov'],
])('a watch of %j whose output is %j would feed itself', (folder, output) => {
  expect(findCircle(route(folder, output), [], same)).toMatchObject({ field: '/request/output' });
});

test.each([
  ['in/', 'out/{folder}{name}.mp4', {}],
  ['in/', 'in/{name}.mp4', { patterns: ['*.mov'] }],
  ['in/', 'in/done/{name}.mp4', { subfolders: false }],
  ['in/', 'in/{name}.vtt', {}],
  ['in/', 'in/thumbs-{name}.jpg', { patterns: ['take*'] }],
  ['in/', '{folder}{name}.mp4', {}],
  ['in/', 'in/{name}/preview.mp4', { patterns: ['*_final*.mp4'] }],
  ['in/', 'in/{name}/preview.mp4', { patterns: ['[0-9]*.mp4', 'preview-?.mp4'] }],
] as const)('a watch of %j whose output is %j, with %j, does not feed itself', (folder, output, more) => {
  expect(findCircle(route(folder, output, more), [], same)).toBeUndefined();
});

test('a circle through other watches is found, and names them in their order', () => {
  const b = route('mid/', 'late/{name}.mp4', { watchId: 'b', name: 'second' });
  const c = route('late/', 'in/{name}.mp4', { watchId: 'c', name: 'third' });
  const other = route('else/', 'mid/{name}.mp4', { watchId: 'd' });
  const found = findCircle(route('in/', 'mid/{name}.mp4'), [other, b, c], same);
  expect(found?.through.map(({ name }) => name)).toEqual([undefined, 'second', 'third']);
  expect(findCircle(route('in/', 'mid/{name}.mp4'), [other, b], same)).toBeUndefined();
});

test('files that are moved to a folder after their conversion count as its outputs', () => {
  const b = route('out/', 'late/{name}.mp4', { watchId: 'b', name: 'second', source: { moveTo: 'in/' } });
  expect(findCircle(route('in/', 'out/{name}.mp4'), [b], same)?.through.map(({ name }) => name)).toEqual([
    ...[undefined, 'second'],
  ]);
  const moving = route('in/', 'late/{name}.mp4', { source: { moveTo: 'out/' } });
  expect(findCircle(moving, [route('out/', 'in/{name}.mp4')], same)).toMatchObject({ field: '/source/moveTo' });
  expect(findCircle(moving, [route('out/', 'far/{name}.mp4')], same)).toBeUndefined();
});

test('segments beside a manifest count as outputs', () => {
  expect(findCircle(route('in/', 'in/{name}/index.m3u8'), [], same)).toMatchObject({ field: '/request/output' });
  expect(findCircle(route('in/', 'in/{name}/index.m3u8', { patterns: ['*.mov'] }), [], same)).toBeUndefined();
});

test('a backslash in an output is a character of its name, and in a pattern it quotes the next one', () => {
  const segments = route('in/', 'in/{name}/x\\.m3u8', { patterns: ['*.ts'] });
  expect(findCircle(segments, [], same)).toMatchObject({ field: '/request/output' });
  const quoted = { patterns: ['a\\*b.mp4'] };
  expect(findCircle(route('in/', 'in/{name}/a*b.mp4', quoted), [], same)).toMatchObject({ field: '/request/output' });
  expect(findCircle(route('in/', 'in/{name}/acb.mp4', quoted), [], same)).toBeUndefined();
});

test('each of several outputs counts, and a changed watch is not compared with its stored form', () => {
  const several = { outputs: [{ output: 'out/{name}.mp4' }, { output: 'in/{name}.jpg' }] };
  expect(findCircle(route('in/', '', { request: several }), [], same)?.field).toBe('/request/outputs/1/output');
  const stored = route('in/', 'in/{name}.mp4', { watchId: 'a' });
  expect(findCircle(route('in/', 'out/{name}.mp4', { watchId: 'a' }), [stored], same)).toBeUndefined();
});

test('with 20 watches of 20 outputs each, each output is read once, and the patterns of each watch once', () => {
  const reads = { outputs: 0, patterns: 0 };
  const chained = (index: number, watch: WatchedRoute): WatchedRoute => ({
    ...watch,
    request: { outputs: Array.from({ length: 20 }, () => ({ output: `in/{name}-w${index + 1}.mp4` })) },
    get patterns() {
      reads.patterns += 1;
      return Array.from({ length: 20 }, () => `*-w${index}.mp4`);
    },
  });
  const others = Array.from({ length: 19 }, (_, index) => chained(index + 1, route('in/', '')));
  const read = (path: string): string => {
    reads.outputs += 1;
    return path;
  };
  expect(findCircle(chained(0, route('in/', '')), others, read)).toBeUndefined();
  expect(reads).toEqual({ outputs: 400, patterns: 20 });
});

test.each([
  ['long', `{name}/${'a'.repeat(251)}.mp4`, (at: number) => `*${'a'.repeat(185)}b${at}*.mp4`],
  ['empty', '{name}{folder}', (at: number) => `${'['.repeat(195)}${at}`],
])('%s names that would take long to compare count as names that the patterns match', (_what, name, pattern) => {
  const chained = (index: number): WatchedRoute => ({
    ...route('in/', '', {
      patterns: [`*-w${index}.mkv`, ...Array.from({ length: 19 }, (_, at) => pattern(at))],
    }),
    request: {
      outputs: [
        { output: `in/{name}-w${index + 1}.mkv` },
        ...Array.from({ length: 19 }, (_, at) => ({ output: `in/${at}/${name}` })),
      ],
    },
  });
  const others = Array.from({ length: 19 }, (_, index) => chained(index + 1));
  // None of them matches, as a comparison of all would find in seconds.
  expect(findCircle(chained(0), others, same)).toBeDefined();
});
