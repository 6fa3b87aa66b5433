import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandText } from './command-text.ts';

test('a shell reads the same arguments', () => {
  const argv = ['-vf', "drawtext=text='it''s $HOME'", 'a b', '', '[0:v]scale=2:-2;[1]null', '\\n\n`x`'];
  const script = `printf '%s\\0' ${commandText(argv)}`;
  expect(execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)).toEqual(argv);
  expect(commandText(['ffmpeg', '-i', 'file:in/0.mp4'])).toBe('ffmpeg -i file:in/0.mp4');
});

test('the list of all formats is left out', () => {
  expect(commandText(['ffmpeg', '-format_whitelist', 'mov,mp4', '-i', 'a.mp4'])).toBe('ffmpeg -i a.mp4');
});
