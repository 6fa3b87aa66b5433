import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellText } from './shell-text.ts';

test('a shell reads the same arguments', () => {
  const argv = ['-vf', "drawtext=text='it''s $HOME'", 'a b', '', '[0:v]scale=2:-2;[1]null', '\\n\n`x`'];
  const script = `printf '%s\\0' ${shellText(argv)}`;
  expect(execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)).toEqual(argv);
  expect(shellText(['ffmpeg', '-i', 'file:in/0.mp4'])).toBe('ffmpeg -i file:in/0.mp4');
});
