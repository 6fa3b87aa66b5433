import { fixText } from '@telecine/contract/domain/hint.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { expect, test } from 'vitest';
import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import { checkParamsString } from './params-string.ts';

const check = (option: string, text: string): string | undefined => {
  const params = PARAMS_OPTIONS.get(option);
  if (params === undefined) throw new Error(`${option} has no table`);
  const error = checkParamsString(option, text, params);
  return error === undefined ? undefined : [error.code, fixText(suggest(error).fix)].join(' ').trim();
};

test.each<[string, string, string | undefined]>([
  ['x264-params', 'ref=4:keyint=infinite:no-mbtree=1:min_keyint=24', undefined],
  ['x264-params', 'sar=16\\:11', undefined],
  ['x264-params', "sar='16:11'", undefined],
  ['x264-params', 'refs=4', 'UNKNOWN_KEY Send "ref".'],
  ['x264-params', 'ref=/etc/passwd', 'BAD_VALUE'],
  ['x264-params', 'cqm=flat', undefined],
  ['x264-params', 'cqm=mine', 'BAD_VALUE'],
  ['x264-params', 'threads=2*8', 'BAD_VALUE'],
  ['x264-params', 'threads=2000', 'OUT_OF_RANGE Send "128", or less.'],
  ['x264-params', 'threads=auto', undefined],
  ['x264-params', 'cabac', 'BAD_VALUE'],
  ['x264-params', 'crf=80', 'OUT_OF_RANGE'],
  ['x264-params', 'preset=fast', 'OPTION_NOT_ALLOWED'],
  ['x264opts', 'cabac:ref=4', undefined],
  ['x264opts', "ref='4'", 'BAD_VALUE'],
  ['x265-params', 'crf=20:sao=0:no-open-gop=1:pools=4', undefined],
  ['x265-params', 'crf=60', 'OUT_OF_RANGE'],
  ['x265-params', "ref='4", 'BAD_VALUE'],
  ['x265-params', 'scaling-list=/etc/passwd', 'BAD_VALUE'],
  ['x265-params', 'scaling-list=passwd', 'BAD_VALUE'],
  ['x265-params', 'no-scaling-list=1', 'UNKNOWN_KEY Send "scaling-list".'],
  ['x265-params', 'ref=while(1,1)', 'BAD_VALUE'],
  ['x265-params', 'zones=0,100,q=20/101,200,b=0.5', undefined],
  ['svtav1-params', 'tune=0:film-grain=8:keyint=5s', undefined],
  ['svtav1-params', 'film-grian=8', 'UNKNOWN_KEY Send "film-grain".'],
  ['aom-params', 'row-mt=1:tune-content=screen', undefined],
  ['aom-params', 'row-mt=./a', 'BAD_VALUE'],
])('%s %s', (option, text, result) => expect(check(option, text)).toBe(result));

test.each<[string, string]>([
  ['x264-params', 'stats'],
  ['x264-params', 'cqmfile'],
  ['x264-params', 'dump-yuv'],
  ['x264-params', 'dump_yuv'],
  ['x264-params', 'opencl-clbin'],
  ['x264opts', 'stats'],
  ['x265-params', 'stats'],
  ['x265-params', 'csv'],
  ['x265-params', 'analysis-save'],
  ['x265-params', 'analysis_load'],
  ['x265-params', 'lambda-file'],
  ['x265-params', 'nalu-file'],
  ['x265-params', 'dhdr10-info'],
  ['x265-params', 'film-grain'],
  ['svtav1-params', 'stats'],
  ['aom-params', 'film-grain-table'],
  ['aom-params', 'partition-info-path'],
])('rejects parameters that touch files, in every spelling: %s %s', (option, key) => {
  for (const text of [`${key}=/tmp/x`, ` ${key} = x`, `'${key}'=x`, `\\${key}=x`])
    expect(check(option, text)).toMatch(/^(?:OPTION_NOT_ALLOWED|UNKNOWN_KEY)/);
});
