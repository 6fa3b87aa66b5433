import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { errorCodesOf } from '../support/planning.ts';

const a = { input: 'a.png', duration: '1' };
const b = { input: 'b.png', duration: '1' };
const output = 'o.mp4';

test.each<[string, ConversionRequest, readonly string[]]>([
  ['a picture without a duration', { inputs: [a, 'b.png'], output }, ['/inputs/1 NEEDS_DURATION']],
  ['numbered pictures without a duration', { inputs: [a, 'b%02d.png'], output }, ['/inputs/1 NEEDS_DURATION']],
  ['a video among pictures', { inputs: [a, { input: 'b.mov' }], output }, ['/inputs/1/input NOT_A_STILL']],
  ['pictures that are copied', { inputs: [a], output, parameters: { c: 'copy' } }, ['/parameters/c NEEDS_ENCODER']],
  ['no sound that is copied', { inputs: [a, 'c.mp3'], output, parameters: { 'c:a': 'copy' } }, []],
  [
    'several sounds that are copied or filtered',
    { inputs: [a, 'c.mp3', 'd.mp3'], output, parameters: { 'c:a': 'copy', af: 'volume=2' } },
    ['/parameters/c:a SEVERAL_SOUNDS', '/parameters/af SEVERAL_SOUNDS'],
  ],
  [
    'a crossfade of the first picture',
    { inputs: [{ ...a, crossfade: '0.5' }, b], output },
    ['/inputs/0/crossfade BAD_CROSSFADE'],
  ],
  [
    'a crossfade that is longer than its picture',
    { inputs: [a, { ...b, crossfade: '1.5' }], output },
    ['/inputs/1/crossfade BAD_CROSSFADE'],
  ],
  [
    'crossfades that overlap in one picture',
    { inputs: [a, { ...b, crossfade: '0.6' }, { ...a, crossfade: '0.6' }], output },
    ['/inputs/2/crossfade BAD_CROSSFADE'],
  ],
  [
    'a crossfade of no seconds',
    { inputs: [a, { ...b, crossfade: '0' }], output },
    ['/inputs/1/crossfade BAD_DURATION'],
  ],
  [
    'a crossfade together with a map',
    { inputs: [a, { ...b, crossfade: '0.5' }], output, parameters: { map: '0' } },
    ['/inputs/1/crossfade NO_SLIDESHOW'],
  ],
  [
    'a crossfade without a duration',
    { inputs: [{ input: 'a.mp4', crossfade: '1' }], output },
    ['/inputs/0/crossfade NO_SLIDESHOW'],
  ],
])('a slideshow rejects %s', (_what, request, expected) => expect(errorCodesOf(request)).toEqual(expected));

const hls = (parameters: Record<string, string>, path = 'x/index.m3u8') =>
  errorCodesOf({ input: 'a.mp4', output: path, parameters });
const SEGMENTS = '/parameters/hls_segment_filename';

test.each<[string, Record<string, string>, string | undefined, readonly string[]]>([
  ['a folder above the output', { hls_segment_filename: '../s%d.ts' }, undefined, [`${SEGMENTS} BAD_FILE_NAME`]],
  ['another folder of the root', { hls_segment_filename: '/y/s%d.ts' }, undefined, [`${SEGMENTS} BAD_FILE_NAME`]],
  ['a pattern in a folder', { hls_segment_filename: 's%d/a.ts' }, undefined, [`${SEGMENTS} BAD_FILE_NAME`]],
  ['reserved names', { hls_segment_filename: '.telecine/a.ts' }, undefined, [`${SEGMENTS} BAD_FILE_NAME`]],
  [
    'a master playlist in another folder',
    { master_pl_name: 'm/a.m3u8' },
    undefined,
    ['/parameters/master_pl_name BAD_FILE_NAME'],
  ],
  ['no path from the root into the folder of the output', { hls_segment_filename: '/x/s/%d.ts' }, undefined, []],
  [
    'one segment name for several variants',
    { var_stream_map: 'v:0 v:1', hls_segment_filename: 's%d.ts' },
    undefined,
    [`${SEGMENTS} NEEDS_VARIANT`],
  ],
  ['two master playlists', { var_stream_map: 'v:0 v:1', master_pl_name: 'm.m3u8' }, undefined, ['/output TWO_MASTERS']],
  [
    'variant folders for segments but not for playlists',
    { var_stream_map: 'v:0 v:1', hls_segment_filename: 'v%v/%d.ts' },
    'x/i_%v.m3u8',
    [`${SEGMENTS} BAD_FILE_NAME`],
  ],
  ['encryption keys', { hls_enc: '1' }, undefined, ['/parameters/hls_enc OPTION_NOT_ALLOWED']],
])('HLS rejects %s', (_what, parameters, path, expected) => expect(hls(parameters, path)).toEqual(expected));
