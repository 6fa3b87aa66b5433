import { sendOption } from '@telecine/contract/domain/edit.ts';
import { expect, test } from 'vitest';
import { classifyFailure } from '../classify.ts';
import { isAllowedLogLine } from '../log-allowlist.ts';
import { parseLogLine } from '../log-line.ts';

const colored = (component: string, text: string, level = 'error') =>
  parseLogLine(`[${component} @ 0x1] \u001b[1;31m[${level}] \u001b[0m\u001b[1;31m${text}\u001b[0m`);

const OPENING = 'Error while opening encoder - maybe incorrect parameters such as bit_rate, rate, width or height.';
const HEADER = 'Could not write header (incorrect codec parameters ?): Invalid argument';
const FILTERS = 'Error reinitializing filters!';

/** Lines of ffmpeg 5.1 and 7.1 that name a cause, the line that says what failed, and what the client reads. */
test.each([
  [
    'Parsed_crop_0',
    "Invalid too big or non positive size for width '5000' or height '5000'",
    'Failed to configure input pad on Parsed_crop_0',
    /^The filter crop cannot use its input with these options: Invalid too big .* '5000' or height '5000'\.$/,
  ],
  [
    'Parsed_pad_0',
    'Padded dimensions cannot be smaller than input dimensions.',
    'Failed to configure input pad on Parsed_pad_0',
    /^The filter pad .*: Padded dimensions cannot be smaller than input dimensions\.$/,
  ],
  [
    'Parsed_concat_0',
    'Input link in1:v0 parameters (size 320x240, SAR 1:1) do not match the corresponding output link in0:v0 parameters (854x480, SAR 1:1)',
    'Failed to configure output pad on Parsed_concat_0',
    /^The filter concat needs inputs of the same frame size, .* \(size 320x240, SAR 1:1\) do not match .* \(854x480, SAR 1:1\)\.$/,
  ],
  [
    'fc#0',
    "Stream specifier ':a' in filtergraph description [0:a][1:a]amix[a] matches no streams.",
    FILTERS,
    /cannot take \("a"\)/,
  ],
  ['af#0:1', 'Filtergraph has a video output, cannot connect it to audio output stream', FILTERS, /"af"/],
  [
    'aost#0:1',
    'Automatic encoder selection failed Default encoder for format 3gp (codec amr_nb) is probably disabled. Please choose an encoder manually.',
    'Error selecting an encoder',
    /The format 3gp has no encoder by default .*amr_nb/,
  ],
  [
    'scaler_out_#0:0',
    'Failed to configure output pad on scaler_out_#0:0',
    FILTERS,
    /cannot be scaled to the requested/,
  ],
  ['IMGUTILS', 'Picture size 99999x99999 is invalid', FILTERS, /cannot be scaled to the requested size/],
  [
    'Parsed_libvmaf_7',
    'could not load libvmaf model with version: vmaf_v0.6.1',
    FILTERS,
    /cannot measure VMAF: its libvmaf was built without the model "vmaf_v0\.6\.1"/,
  ],
  [
    'gif',
    'GIF muxer supports only a single video GIF stream.',
    HEADER,
    /^The format gif cannot hold its streams \(h264\): GIF muxer supports only a single video GIF stream\.$/,
  ],
  [
    'libopus',
    'The bit rate 320000 bps is unsupported. Please choose a value between 500 and 256000.',
    OPENING,
    /^The encoder rejected its settings .*: The bit rate 320000 bps .* between 500 and 256000\.$/,
  ],
  [
    'libx264',
    'width not divisible by 2 (161x121)',
    OPENING,
    /does not take the frame size: width not divisible by 2 \(161x121\)/,
  ],
  [
    'mp4',
    'Could not find tag for codec hdmv_pgs_subtitle in stream #2, codec not currently supported in container',
    HEADER,
    /cannot hold subtitles that are images \(hdmv_pgs_subtitle\)/,
  ],
  [
    'ssa',
    'Only SUBTITLE_ASS type supported.',
    'Subtitle encoding failed',
    /between image subtitles and text subtitles/,
  ],
  ['mpegts', 'first pts value must be set', HEADER, /needs a time for each frame/],
] as const)('%s: %s', (component, text, vague, message) => {
  const line = colored(component, text);
  const output = { muxer: 'gif', extension: 'gif', codecs: ['h264'], encoders: new Set(['libx264', 'libopus']) };
  const lines = [line, colored('out#0', vague)];
  const failure = classifyFailure({ code: 1, signal: null, lines }, {}, output);
  expect(failure.message).toMatch(message);
  expect(failure.fix).toBeTruthy();
  if (component !== 'gif') expect(isAllowedLogLine(line)).toBe(true);
});

test('a cause in a line without colour does not count beside coloured ones', () => {
  const forged = parseLogLine('[error] Padded dimensions cannot be smaller than input dimensions.');
  const real = colored('vf#0:0', 'Error reinitializing filters!');
  const { message } = classifyFailure({ code: 1, signal: null, lines: [forged, real] });
  expect(message).not.toContain('pad');
});

test('a line of a known shape with a host path stays out of the log', () => {
  const line = colored('AVFilterGraph', "Error initializing filter 'subtitles' with args 'filename=/etc/passwd'");
  expect(isAllowedLogLine(line)).toBe(false);
});

test('the fix for too many channels sends the number that the encoder takes', () => {
  const line = colored('mp2', 'too many channels: got 6, need 2 or fewer');
  expect(classifyFailure({ code: 1, signal: null, lines: [line] })).toMatchObject({
    message: 'The encoder supports 2 channels, and the audio has 6.',
    fix: sendOption('ac', '2'),
  });
});

test('a stream that mostly cannot be decoded is named only if ffmpeg ended for this reason', () => {
  const line = colored('dec:aac', 'Error submitting packet to decoder: Invalid data found when processing input');
  const ended = (code: number) => classifyFailure({ code, signal: null, lines: [line] }).message;
  expect(ended(69)).toMatch(/^Most of a stream of the inputs cannot be decoded/);
  expect(ended(1)).not.toMatch(/^Most of a stream/);
});
