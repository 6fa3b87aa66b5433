import { expect, test } from 'vitest';
import { RECORDED, recording } from '../../../../test/support/recorded-catalogue.ts';
import { parseClasses, parseFullHelp } from './help-full.ts';
import { parseOptions } from './help-options.ts';

/** Lines as ffmpeg 5.1 and 7.1 print them. */
const FULL = `Hyper fast Audio and Video encoder
usage: ffmpeg [options] [[infile options] -i infile]... {[outfile options] outfile}...

Getting help:
    -h      -- print basic options

Per-file main options:
-c codec            codec name
-frames[:<stream_spec>] <number>  set the number of frames to output
-y                  overwrite output files

AVCodecContext AVOptions:
  -b                 <int64>      E..VA...... set bitrate (in bits/s) (from 0 to I64_MAX) (default 200000)
  -flags             <flags>      ED.VAS..... (default 0)
     unaligned                    .D.V....... allow decoders to produce unaligned output

libx264 AVOptions:
  -preset            <string>     E..V....... Set the encoding preset (default "medium")
libx264rgb AVOptions:
  -preset            <string>     E..V....... Set the encoding preset (default "medium")
URLContext AVOptions:
  -protocol_whitelist <string>     .D......... List of protocols that are allowed to be used
GIF muxer AVOptions:
  -loop              <int>        E.......... Number of times to loop the output (default 0)
image2 demuxer AVOptions:
  -loop              <boolean>    .D......... force loop over input file sequence (default false)
libx999 AVOptions:
  -sizes             [<int>     ]E..V....... a list
SWScaler AVOptions:
  -sws_flags         <flags>      E..V....... scaler flags (default bicubic)
SWResampler AVOptions:
  -async             <float>      ....A...... (default 0)
scale AVOptions:
   w                 <string>     ..FV.....T. Output video width
`;

test('reads names, types, directions and media', () => {
  const { cliHelp, avOptions, generic } = parseFullHelp(FULL);
  expect(Object.fromEntries(cliHelp)).toEqual({
    c: 'codec name',
    frames: 'set the number of frames to output',
    y: 'overwrite output files',
  });
  const none = { encoding: false, decoding: false, media: '' };
  expect(Object.fromEntries(avOptions)).toEqual({
    b: [{ owner: 'codec', type: 'int64', encoding: true, decoding: false, media: 'VA' }],
    flags: [{ owner: 'codec', type: 'flags', encoding: true, decoding: true, media: 'VAS' }],
    preset: [{ owner: 'private', type: 'string', encoding: true, decoding: false, media: 'V' }],
    protocol_whitelist: [{ ...none, owner: 'protocol', type: 'string', decoding: true }],
    loop: [
      { ...none, owner: 'private', type: 'int', encoding: true },
      { ...none, owner: 'private', type: 'boolean', decoding: true },
    ],
    sizes: [{ owner: 'private', type: 'int', encoding: true, decoding: false, media: 'V' }],
    sws_flags: [{ ...none, owner: 'scaler', type: 'flags', encoding: true }],
    async: [{ ...none, owner: 'resampler', type: 'float', encoding: true }],
  });
  expect([...generic.codec.keys()]).toEqual(['b', 'flags']);
  expect(generic.codec.get('flags')?.constants.map(({ name }) => name)).toEqual(['unaligned']);
  expect([...generic.scaler.keys(), ...generic.resampler.keys()]).toEqual(['sws_flags', 'async']);
});

test.each(RECORDED)('parses every option line of ffmpeg %s', (version) => {
  const { full } = recording(version).answers;
  const lines = full.slice(full.indexOf('AVOptions:')).split('\n');
  const printed = lines.filter((line) => /^ {2,5}-?\S/.test(line));
  const options = parseOptions(printed);
  const constants = options.flatMap((option) => option.constants);
  expect(printed.length).toBeGreaterThan(12_000);
  expect(options.length + constants.length).toBe(printed.length);
});

test.each(RECORDED)('reads the generic options of ffmpeg %s', (version) => {
  const { cliHelp, generic } = parseFullHelp(recording(version).answers.full);
  expect(cliHelp.get('map')).toBe('set input stream mapping');
  expect(generic.codec.get('b')).toMatchObject({ type: 'int64', media: 'VA', min: 0, encoding: true });
  expect(generic.codec.get('profile')?.type).toBe('int');
  expect(generic.codec.get('flags')?.constants.map(({ name }) => name)).toContain('cgop');
  expect(generic.codec.get('strict')?.constants).toContainEqual(
    expect.objectContaining({ name: 'experimental', value: -2 }),
  );
  expect(generic.format.get('fflags')?.constants.map(({ name }) => name)).toContain('genpts');
  expect(generic.scaler.get('sws_flags')?.constants.map(({ name }) => name)).toContain('lanczos');
  expect(generic.resampler.get('dither_method')?.constants.map(({ name }) => name)).toContain('triangular');
});

test('tells classes with the same title apart, and keeps one of equal ones', () => {
  const text = `${FULL}ProRes encoder AVOptions:
  -vendor            <string>     E..V....... vendor ID (default "fmpg")
concat AVOptions:
  -safe_concat       <boolean>    .D......... of the protocol (default true)
ProRes encoder AVOptions:
  -profile           <int>        E..V....... (from -1 to 5) (default auto)
ProRes encoder AVOptions:
  -vendor            <string>     E..V....... vendor ID (default "fmpg")
concat AVOptions:
   n                 <int>        ..FVA...... specify the number of segments (from 1 to INT_MAX) (default 2)
`;
  const { avOptions, classes } = parseFullHelp(text);
  expect(classes.get('ProRes encoder')).toContain('vendor');
  expect(classes.get('ProRes encoder (2)')).toContain('profile');
  expect(classes.has('ProRes encoder (3)')).toBe(false);
  expect(classes.get('concat'), 'the filter, not the protocol').toContain('segments');
  expect(avOptions.get('safe_concat')).toMatchObject([{ owner: 'protocol' }]);
  expect(parseClasses(classes).filter(([title]) => title === 'ProRes encoder')).toHaveLength(2);
});
