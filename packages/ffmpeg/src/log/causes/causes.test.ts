import { sendOption } from '@telecine/contract/domain/edit.ts';
import { expect, test } from 'vitest';
import { classifyFailure } from '../classify.ts';
import { isAllowedLogLine } from '../log-allowlist.ts';
import { parseLogLine } from '../log-line.ts';

const colored = (component: string, text: string, level = 'error') =>
  parseLogLine(`[${component} @ 0x1] \u001b[1;31m[${level}] \u001b[0m\u001b[1;31m${text}\u001b[0m`);

/** Lines of ffmpeg 5.1 and 7.1 that name a cause, with what the client reads. */
test.each([
  [
    'Parsed_crop_0',
    "Invalid too big or non positive size for width '5000' or height '5000'",
    /crop cannot cut 5000x5000/,
  ],
  ['Parsed_pad_0', 'Padded dimensions cannot be smaller than input dimensions.', /pad cannot make a frame smaller/],
  [
    'Parsed_concat_0',
    'Input link in1:v0 parameters (size 320x240, SAR 1:1) do not match the corresponding output link in0:v0 parameters (854x480, SAR 1:1)',
    /has 320x240 \(SAR 1:1\), the first has 854x480 \(SAR 1:1\)/,
  ],
  ['fc#0', "Stream specifier ':a' in filtergraph description [0:a][1:a]amix[a] matches no streams.", /"\[N:a\]"/],
  ['af#0:1', 'Filtergraph has a video output, cannot connect it to audio output stream', /"af"/],
  [
    'aost#0:1',
    'Automatic encoder selection failed Default encoder for format 3gp (codec amr_nb) is probably disabled. Please choose an encoder manually.',
    /3gp gets amr_nb/,
  ],
  ['scaler_out_#0:0', 'Failed to configure output pad on scaler_out_#0:0', /cannot be scaled to the requested size/],
  ['IMGUTILS', 'Picture size 99999x99999 is invalid', /cannot be scaled to the requested size/],
  [
    'Parsed_libvmaf_7',
    'could not load libvmaf model with version: vmaf_v0.6.1',
    /cannot measure VMAF: its libvmaf was built without the model "vmaf_v0\.6\.1"/,
  ],
  ['gif', 'gif muxer supports only codec gif for type video', /GIF holds one video stream/],
  [
    'libopus',
    'The bit rate 320000 bps is unsupported. Please choose a value between 500 and 256000.',
    /500 to 256000 bits per second .* has 320000/,
  ],
  ['libx264', 'width not divisible by 2 (161x121)', /even width and height, and the video has 161x121/],
  [
    'mp4',
    'Could not find tag for codec hdmv_pgs_subtitle in stream #2, codec not currently supported in container',
    /cannot hold subtitles that are images \(hdmv_pgs_subtitle\)/,
  ],
  ['mpegts', 'first pts value must be set', /needs a time for each frame/],
  [
    'vost#0:0',
    'Automatic encoder selection failed Default encoder for format mp3 (codec none) is probably disabled. Please choose an encoder manually.',
    /mp3 does not hold streams of a kind that "map" selects/,
  ],
] as const)('%s: %s', (component, text, message) => {
  const vague = colored('vf#0:0', 'Error reinitializing filters!');
  const line = colored(component, text);
  const failure = classifyFailure({ code: 1, signal: null, lines: [vague, line] });
  expect(failure.message).toMatch(message);
  expect(failure.fix).toBeTruthy();
  expect(isAllowedLogLine(line)).toBe(true);
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

test('a stream that the inputs lack is in the subject of the failure', () => {
  const line = colored(
    'AVFilterGraph',
    "Stream specifier ':a:1' in filtergraph description [0:a:1]anull[a] matches no streams.",
  );
  expect(classifyFailure({ code: 1, signal: null, lines: [line] }).about).toEqual({ stream: 'a:1' });
});
