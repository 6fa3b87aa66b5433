import mime from 'mime';
import { expect, test } from 'vitest';
import { downloadType } from './file-transfer.ts';

const typeOf = (name: string): string => downloadType(mime.getType(name));

test.each(
  'js mjs cjs jsx css html htm xhtml shtml xml xsl xslt rdf mml svgx wasm webmanifest appcache jsonld importmap pdf swf jar sh php'.split(
    ' ',
  ),
)('a file .%s is bytes, so that no page can execute it', (extension) => {
  expect(typeOf(`a.${extension}`)).toBe('application/octet-stream');
  expect(typeOf(`a.${extension.toUpperCase()}`)).toBe('application/octet-stream');
  expect(typeOf(`a.mp4.${extension}`)).toBe('application/octet-stream');
});

test.each([
  ['mp4', 'video/mp4'],
  ['m4s', 'video/iso.segment'],
  ['ts', 'video/mp2t'],
  ['webm', 'video/webm'],
  ['mkv', 'video/x-matroska'],
  ['m3u8', 'application/vnd.apple.mpegurl'],
  ['mpd', 'application/dash+xml'],
  ['vtt', 'text/vtt'],
  ['srt', 'application/x-subrip'],
  ['mp3', 'audio/mpeg'],
  ['jpg', 'image/jpeg'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
])('a file .%s keeps the type that players and pages need', (extension, type) => {
  expect(typeOf(`a.${extension}`)).toBe(type);
});

test('a name without a known extension is bytes', () => {
  for (const name of ['a', 'a.', '.js', 'a.unknown']) expect(typeOf(name)).toBe('application/octet-stream');
});

test('no type of any name is one that browsers execute', () => {
  const extensions = [...'abcdefghijklmnopqrstuvwxyz0123456789'].flatMap((a) =>
    [...'abcdefghijklmnopqrstuvwxyz0123456789'].flatMap((b) =>
      ['', ...'abcdefghijklmnopqrstuvwxyz0123456789'].map((c) => `${a}${b}${c}`),
    ),
  );
  const types = new Set(extensions.map((extension) => typeOf(`x.${extension}`)));
  const executed = /javascript|ecmascript|css|html|wasm|xslt|^(?:text|application)\/xml|manifest|pdf|flash/;
  expect([...types].filter((type) => executed.test(type))).toEqual([]);
});
