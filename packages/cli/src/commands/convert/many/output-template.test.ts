import { expect, test } from 'vitest';
import { fileLocation } from '../file-names.ts';
import { outputOf, templateIn } from './output-template.ts';

test.each([
  ['out/', 'mp4', 'out/{name}.mp4'],
  ['out', '.MKV', 'out/{name}.mkv'],
  ['out', 'matroska', 'out/{name}.mkv'],
  ['.', 'ipod', './{name}.m4a'],
  ['server:', 'mp4', 'server:{name}.mp4'],
  ['server:films', 'mpegts', 'server:films/{name}.ts'],
  ['out', 'hls', 'out/{name}/index.m3u8'],
])('outputs in %s of the format %s are %s', (folder, format, template) => {
  expect(templateIn(folder, format)).toBe(template);
});

test.each([
  ['out/{name}.mp4', 'films/a.b.mov', 'out/a.b.mp4'],
  ['out/{folder}/{name}.mp4', 'season 1/ep1.mkv', 'out/season 1/ep1.mp4'],
  ['out/{folder}/{name}.mp4', 'ep1.mkv', 'out/ep1.mp4'],
  ['{folder}/{name}.mp4', '../ep1.mkv', 'ep1.mp4'],
  ['{folder}-{name}.mp4', '/srv/films/ep1.mkv', 'films-ep1.mp4'],
  ['out/{name}.mp4', '$&{folder}.mov', 'out/$&{folder}.mp4'],
  ['{name}', 'server:.mov', '.mov'],
  ['out/{name}.mp4', 'https://example.org/a/b%20c.mov?token=1', 'out/b c.mp4'],
])('the template %s makes %s to %s', (template, input, output) => {
  expect(outputOf(template, fileLocation(input))).toEqual({ on: 'local', path: output });
});

test('only the template decides whether an output is on the service', () => {
  expect(outputOf('server:{name}.mp4', fileLocation('a.mov'))).toEqual({ on: 'server', path: 'a.mp4' });
  expect(outputOf('{name}', fileLocation('./server:a'))).toEqual({ on: 'local', path: 'server:a' });
});

test.each([
  'https://example.org/',
  'https://example.org/..%2f..',
  'https://example.org/a/%2e%2e%2f',
  'https://example.org/.?x=secret',
])('rejects %s, which has no name for an output', (url) => {
  expect(() => outputOf('out/{name}/index.m3u8', fileLocation(url))).toThrow(/has no file name/);
  expect(() => outputOf('out/{name}/index.m3u8', fileLocation(url))).not.toThrow('secret');
});
