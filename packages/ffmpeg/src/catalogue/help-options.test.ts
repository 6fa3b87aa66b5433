import { expect, test } from 'vitest';
import { parseOptions } from './help-options.ts';

const one = (line: string) => parseOptions([line])[0];

test('reads name, type, direction, media, range and default', () => {
  expect(one('  -crf               <float>      E..V....... Quality (from -1 to FLT_MAX) (default -1)')).toEqual({
    name: 'crf',
    type: 'float',
    list: false,
    encoding: true,
    decoding: false,
    media: 'V',
    deprecated: false,
    readOnly: false,
    help: 'Quality',
    min: -1,
    max: 3.4028234663852886e38,
    fallback: '-1',
    constants: [],
  });
});

test('reads a long name that touches the next column', () => {
  const line = '  -zero_new_constraint_set_flags <boolean>    ...V....B.. Set to zero (default false)';
  expect(one(line)).toMatchObject({ name: 'zero_new_constraint_set_flags', type: 'boolean', fallback: 'false' });
});

test('reads a filter option without a dash', () => {
  expect(one('   w                 <string>     ..FV.....T. Output video width')).toMatchObject({
    name: 'w',
    encoding: false,
    decoding: false,
    help: 'Output video width',
  });
});

test.each([
  ['  -view_ids          [<int>     ].D.V....... Array of view IDs', 'int'],
  ['   sample_fmts       [<sample_fmt>]..F.A...... A list of sample formats.', 'sample_fmt'],
  ['  -ids               [<unsigned>].D.V..XR... Array', 'uint'],
])('reads a list: %s', (line, type) => {
  expect(one(line)).toMatchObject({ list: true, type });
});

test('reads whether an option is deprecated or read-only', () => {
  expect(one('  -async             <float>      ....A.....P deprecated')).toMatchObject({
    deprecated: true,
    readOnly: false,
  });
  expect(one('  -ids               <int>        .D.V..XR... exported')).toMatchObject({
    deprecated: false,
    readOnly: true,
  });
});

test('reads constants below their option, with and without a value', () => {
  const lines = [
    '  -aq-mode           <int>        E..V....... AQ method (from -1 to INT_MAX) (default -1)',
    '     none            0            E..V.......',
    '     autovariance-biased 3            E..V....... with bias to dark scenes',
    '     minus           -1           E..V.......',
    '     deep bass       6            ..F.A......',
    '  -flags             <flags>      ED.VAS..... (default bicubic+bitexact)',
    '     mv4                          E..V....... use four motion vectors',
  ];
  expect(parseOptions(lines).map(({ name, constants }) => [name, constants])).toEqual([
    [
      'aq-mode',
      [
        { name: 'none', value: 0, help: '' },
        { name: 'autovariance-biased', value: 3, help: 'with bias to dark scenes' },
        { name: 'minus', value: -1, help: '' },
        { name: 'deep bass', value: 6, help: '' },
      ],
    ],
    ['flags', [{ name: 'mv4', help: 'use four motion vectors' }]],
  ]);
});

test.each<[string, number | undefined, number | undefined]>([
  ['(from INT_MIN to INT_MAX)', -2147483648, 2147483647],
  ['(from 0 to UINT32_MAX)', 0, 4294967295],
  ['(from I64_MIN to I64_MAX)', -(2 ** 63), 2 ** 63],
  ['(from -FLT_MAX to DBL_MAX)', -3.4028234663852886e38, Number.MAX_VALUE],
  ['(from 0.01 to inf)', 0.01, undefined],
  ['(from 1 to 65535)', 1, 65535],
  ['(from 0 to 123456)', 0, 123456],
])('reads the range %s', (range, min, max) => {
  const option = one(`  -x                 <double>     E..V....... ${range} (default 1)`);
  expect([option?.min, option?.max]).toEqual([min, max]);
});

test('widens a bound by the rounding to six digits', () => {
  const option = one('  -x                 <double>     E..V....... (from -1.67772e+07 to 0.333333) (default 1)');
  expect(option?.min).toBeLessThanOrEqual(-16_777_216);
  expect(option?.min).toBeGreaterThan(-16_777_300);
  expect(option?.max).toBeGreaterThanOrEqual(1 / 3);
  expect(option?.max).toBeLessThan(0.333334);
});

test('reads a default without quotes and help text with brackets', () => {
  expect(one('  -preset            <string>     E..V....... Set it (cf. x264) (default "medium")')).toMatchObject({
    help: 'Set it (cf. x264)',
    fallback: 'medium',
  });
  expect(one('   flags             <string>     ..FV....... Flags to pass (default "")')?.fallback).toBe('');
  expect(one('     notindicated    0            E...A...... Not Indicated (default)')).toBeUndefined();
});

test('an unknown type counts as text', () => {
  expect(one('  -x                 <tensor>     E..V....... new')?.type).toBe('string');
});

test('reads only the options and constants with one of these flags', () => {
  const lines = [
    '  -strict            <int>        ED.VA...... how strictly to follow the standards (default normal)',
    '     very            2            ED.VA...... strictly',
    '     unofficial      -1           .D.VA...... as others do',
    '  -skip_frame        <int>        .D.V....... skip decoding (default default)',
  ];
  const read = (flags: string) => parseOptions(lines, flags).map((one) => [one.name, one.constants.length]);
  expect(read('E')).toEqual([['strict', 1]]);
  expect(read('D')).toEqual([
    ['strict', 2],
    ['skip_frame', 0],
  ]);
  expect(read('FB')).toEqual([]);
});
