import { expect, test } from 'vitest';
import { checkMarks, checkMasterFolder, checkVariantNames, checkVariantStreams } from './variant-streams.ts';

test.each([
  ['v:0,a:0,v:1,a:1', 'v:0,a:0 v:1,a:1'],
  ['v:0, a:0, v:1, a:1', 'v:0,a:0 v:1,a:1'],
  ['v:0,a:0;v:1,a:1', 'v:0,a:0 v:1,a:1'],
  ['v:0,a:0|v:1,a:1', 'v:0,a:0 v:1,a:1'],
  ['v:0,a:0,name:high,v:1,a:1,name:low', 'v:0,a:0,name:high v:1,a:1,name:low'],
  ['v:0,v:1,a:0,a:1', 'v:0,a:0 v:1,a:1'],
  ['v:0,v:1', 'v:0 v:1'],
  ['v:0,v:1,a:0', 'a:0,agroup:sound v:0,agroup:sound v:1,agroup:sound'],
  ['v:0,a:0 v:1,a:0', 'a:0,agroup:sound v:0,agroup:sound v:1,agroup:sound'],
  ['v:0,a:0 v:1,a:0 v:2', 'a:0,agroup:sound v:0,agroup:sound v:1,agroup:sound v:2'],
  ['v:0,a:0,name:hd v:1,a:0,name:sd', 'a:0,agroup:sound,name:sound v:0,agroup:sound,name:hd v:1,agroup:sound,name:sd'],
  ['v:0,a:0,v:1,a:1 v:2,a:2', 'v:0,a:0 v:1,a:1 v:2,a:2'],
])('"%s" means "%s"', (sent, meant) => {
  expect(checkVariantStreams(sent)).toMatchObject({ code: 'BAD_VALUE', fix: `Send "${meant}".` });
  expect(checkVariantStreams(meant)).toBeUndefined();
});

test.each([
  'v:0,a:0 v:1,a:1',
  'v:0,a:0,a:1',
  'v:0,a:0,name:high v:1,a:1,name:low',
  'a:0,agroup:aud,language:ENG v:0,agroup:aud',
  'v:0,s:0,sgroup:subs',
  'v:0,name:a/b',
])('accepts the streams of "%s"', (map) => expect(checkVariantStreams(map)).toBeUndefined());

test('rejects two videos in one variant also if it is not clear what is meant', () => {
  expect(checkVariantStreams('v:0,a:0,v:0')).toMatchObject({
    code: 'BAD_VALUE',
    message: expect.stringContaining('several videos'),
  });
  expect(checkVariantStreams('v:0,a:0,v:0')).not.toHaveProperty('fix');
});

test.each(['v:0,a:0 v:0,a:1', 'v:0,a:0,s:0 v:1,a:1,s:0'])('a stream can be in one variant: %s', (map) => {
  expect(checkVariantStreams(map)).toMatchObject({
    message: expect.stringContaining('in several variants'),
    fix: expect.stringMatching(/^Send a "map" for each variant/),
  });
});

test.each([
  'v:0,a:0 v:1,a:1',
  'v:0,name:high v:1,name:low',
  'v:0,name:1 v:1,name:0',
  'v:0 a:0,agroup:x',
  '  v:0  v:1 ',
  'v:0',
])('accepts "%s"', (map) => expect(checkVariantNames(map)).toBeUndefined());

test.each([
  ['v:0,name:.. v:1', 'dots'],
  ['v:0,name:', 'dots'],
  ['v:0,name:1/2 v:1', 'slash'],
  ['v:0,name:a v:1,name:a', '"a"'],
  ['v:0,name:1 v:1', '"1"'],
  ['v:0,name:a v:1,name:b,name:a', '"a"'],
  ['v:0,name:c v:1,name:b v:1,name:b v:1,name:c', '"b"'],
])('rejects "%s"', (map, message) => {
  expect(checkVariantNames(map)).toMatchObject({ code: 'BAD_VALUE', message: expect.stringContaining(message) });
});

test.each([
  ['v%v/a_%v.m3u8', 'v%v/a.m3u8'],
  ['hls/%v/x/%v.m3u8', 'hls/%v/x/index.m3u8'],
  ['v%v/seg-%v-%03d.ts', 'v%v/seg-%03d.ts'],
])('the mark of variants is in a folder or in the file name: %s means %s', (path, meant) => {
  expect(checkMarks(path)).toMatchObject({ code: 'BAD_FILE_NAME', fix: `Send "${meant}".` });
  expect(checkMarks(meant)).toBeUndefined();
});

test.each([
  ['v%v/sub/a.m3u8', 'sub/v%v/a.m3u8'],
  ['hls/v%v/x/y/a.m3u8', 'hls/x/y/v%v/a.m3u8'],
  ['v%v/w%v/a.m3u8', 'v%v/a.m3u8'],
])('a master playlist is above the folder with the mark: %s means %s', (path, meant) => {
  expect(checkMasterFolder(path)).toMatchObject({ code: 'BAD_FILE_NAME', fix: `Send "${meant}".` });
  expect(checkMasterFolder(meant)).toBeUndefined();
});

test.each(['a_%v.m3u8', 'hls/a_%v.m3u8', 'v%v/a.m3u8', 'hls/v%v/a.m3u8', 'a.m3u8'])('accepts the path %s', (path) => {
  expect([checkMarks(path), checkMasterFolder(path)]).toEqual([undefined, undefined]);
});
