import { expect, test } from 'vitest';
import { hideLinks, readLink, writeLink } from './signed-link.ts';

const LINK = { client: 'shop', issued: '1795163625', expires: '1795163685', key: 'e925def1', signature: 'UkhDsdeB_-x' };
const text = writeLink(LINK);
const share = `tcl_${'x'.repeat(43)}`;

test('reads the link that it wrote, and none with more or fewer parts', () => {
  expect(readLink(text)).toEqual(LINK);
  expect(readLink(`${text}~more`).signature).toBe('');
  expect(readLink('shop~1').signature).toBe('');
});

test.each([
  [`/api/conversion/ID/links/${text}/out.mp4`, '/api/conversion/ID/links/(hidden)/out.mp4'],
  [
    `/media/api/conversion/ID/%6cinks/${text}/hls/index.m3u8`,
    '/media/api/conversion/ID/%6cinks/(hidden)/hls/index.m3u8',
  ],
  [`/api/conversion/ID/links/${text.replaceAll('~', '%7E')}/out.mp4`, '/api/conversion/ID/links/(hidden)/out.mp4'],
  [`/api/conversion/ID/links/${text}/links/${text}`, '/api/conversion/ID/links/(hidden)/links/(hidden)'],
  [`/api/conversion/ID/links/${text}`, '/api/conversion/ID/links/(hidden)'],
  [`/s/${share}`, '/s/(hidden)'],
  [`/s/${share.replace('t', '%74')}/files/a.mp4`, '/s/(hidden)/files/a.mp4'],
  [`/s%2f${share}`, '/(hidden)'],
  [`/s%2F${share}%2ffiles/a.mp4`, '/(hidden)/a.mp4'],
  [`/s/${share}%zz`, '/s/(hidden)'],
  [`/s/x${share}%00`, '/s/(hidden)'],
  [`/s%25252f${share.replace('t', '%252574')}`, '/(hidden)'],
  [`/s/${share.replace('t', '%25%37%34')}`, '/s/(hidden)'],
  [`/api%2Fconversion%2FID%2flinks%2F${text}%2Fout.mp4`, '/(hidden)'],
  [`/api/watch-notifications/tcn_${'x'.repeat(43)}`, '/api/watch-notifications/(hidden)'],
])('the path %s is shown as %s', (path, shown) => {
  expect(hideLinks(path)).toBe(shown);
});

test.each(['/api/files/links/a.mp4', '/~user/film~1.mp4', '/a~b~c~d~e/100%~', '/api/conversion/ID/links'])(
  'the path %s has no link',
  (path) => {
    expect(hideLinks(path)).toBe(path);
  },
);

test('a path of many separators takes no long time', () => {
  for (const part of ['~1', '%25', '%2f', 'tcl_.', '%']) {
    const path = `/${part.repeat(100_000)}`;
    expect(hideLinks(path)).toBe(path);
  }
});
