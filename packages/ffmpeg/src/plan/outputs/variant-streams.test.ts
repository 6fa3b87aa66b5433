import { expect, test } from 'vitest';
import { checkMarks, checkMasterFolder, checkVariantNames, checkVariantStreams } from './variant-streams.ts';

test.each([
  'v:0,a:0,v:1,a:1',
  'v:0, a:0, v:1, a:1',
  'v:0,a:0;v:1,a:1',
  'v:0,a:0|v:1,a:1',
  'v:0,a:0,name:high,v:1,a:1,name:low',
  'v:0,v:1',
  'v:0,a:0,v:1,a:1 v:2,a:2',
  'v:0,a:0,v:0',
])('variants are separated by spaces: rejects "%s"', (map) => {
  expect(checkVariantStreams(map)).toMatchObject({
    code: 'BAD_VALUE',
    message: expect.stringContaining('needs spaces between variants'),
    allowed: ['v:0,a:0 v:1,a:1'],
  });
});

test.each([
  'v:0,a:0 v:1,a:1',
  'v:0,a:0,a:1',
  'v:0,a:0,name:high v:1,a:1,name:low',
  'a:0,agroup:aud,language:ENG v:0,agroup:aud',
  'v:0,s:0,sgroup:subs',
  'v:0,name:a/b',
])('accepts the streams of "%s"', (map) => expect(checkVariantStreams(map)).toBeUndefined());

test.each(['v:0,a:0 v:0,a:1', 'v:0,a:0,s:0 v:1,a:1,s:0', 'v:0,a:0 v:1,a:0'])(
  'a stream can be in one variant: %s',
  (map) => {
    expect(checkVariantStreams(map)).toMatchObject({
      message: expect.stringContaining('in several variants'),
      allowed: ['a:0,agroup:sound v:0,agroup:sound v:1,agroup:sound'],
    });
  },
);

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

test.each(['v%v/a_%v.m3u8', 'hls/%v/x/%v.m3u8', 'v%v/seg-%v-%03d.ts'])(
  'the mark of variants is in a folder or in the file name: rejects %s',
  (path) => {
    expect(checkMarks(path)).toMatchObject({ code: 'BAD_FILE_NAME', message: expect.stringContaining('one of them') });
  },
);

test.each(['v%v/sub/a.m3u8', 'hls/v%v/x/y/a.m3u8', 'v%v/w%v/a.m3u8'])(
  'a master playlist is above the folder with the mark: rejects %s',
  (path) => {
    expect(checkMasterFolder(path)).toMatchObject({
      code: 'BAD_FILE_NAME',
      allowed: ['"%v" in the file name, or in the last folder'],
    });
  },
);

test.each(['a_%v.m3u8', 'hls/a_%v.m3u8', 'v%v/a.m3u8', 'hls/v%v/a.m3u8', 'a.m3u8'])('accepts the path %s', (path) => {
  expect([checkMarks(path), checkMasterFolder(path)]).toEqual([undefined, undefined]);
});
