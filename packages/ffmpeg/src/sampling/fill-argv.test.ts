import { expect, test } from 'vitest';
import { fillArgv, withChosenArgv } from './fill-argv.ts';

test('only the option of the encoder gets the value', () => {
  const quality = { metric: 'ssim', target: 0.98, option: 'crf', value: 27.4, tried: [] } as const;
  const argv = ['-metadata', 'QUALITY', '-filter:v', 'drawtext=QUALITY', '-crf:v', 'QUALITY', 'out/QUALITY'];
  expect(withChosenArgv(argv, { quality })).toEqual([
    ...['-metadata', 'QUALITY', '-filter:v', 'drawtext=QUALITY', '-crf:v', '27.4', 'out/QUALITY'],
  ]);
});

test('a sample is a part of the input', () => {
  const argv = ['-ss', 'TELECINE_SAMPLE_START', '-t', 'TELECINE_SAMPLE_SECONDS'];
  expect(fillArgv(argv, { start: 10.3, seconds: 2 })).toEqual(['-ss', '10.3', '-t', '2']);
});

test('a frame size is put into the filters of the video', () => {
  const chosen = { width: 64, height: 36, bitsPerSecond: 1, reason: 'It looks best.' };
  const argv = ['-filter:v', 'scale=w=TELECINE_WIDTH:h=TELECINE_HEIGHT', '-metadata', 'TELECINE_WIDTH'];
  expect(withChosenArgv(argv, { frameSize: chosen })).toEqual([
    ...['-filter:v', 'scale=w=64:h=36', '-metadata', 'TELECINE_WIDTH'],
  ]);
});
