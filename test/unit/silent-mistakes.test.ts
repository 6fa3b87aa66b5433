import { expect, test } from 'vitest';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Requests that ffmpeg completes without a word, with a result that nobody wants. */

const SMALL = { filter_complex: '[0:v]scale=640:-2[v]', 'c:v': 'libx264' };

test.each<[Parameters, output?: string]>([
  [{ ...SMALL, map: ['[v]', '0:a'], 'c:a': 'aac' }],
  [{ ...SMALL, map: ['[v]', '0'], 'c:a': 'aac' }],
  [{ ...SMALL, map: ['[v]', '0:1'], 'c:a': 'aac' }],
  [{ ...SMALL, map: '[v]', c: 'libx264' }],
  [{ map: '0:v', 'c:v': 'copy' }],
  [{ map: ['0', '-0:s'], 'c:v': 'copy', 'c:a': 'aac', 'c:s': 'copy' }, 'b.mkv'],
  [{ map: '0:m:language:eng', 'c:a': 'aac' }],
  [{ af: 'volume=-6dB' }],
  [{ af: 'volume=0.5' }],
  [{ af: 'volume=2' }],
  [{ af: 'volume=-1' }],
  [{ af: 'volume=0' }],
  // Strengths, and not "on".
  ...['hqdn3d=1', 'nlmeans=1', 'bm3d=1', 'vaguedenoiser=1'].map((vf): [Parameters] => [{ vf }]),
  [{ af: 'afftdn=1' }],
  [{ vf: 'scale=h=720' }],
  [{ vf: 'crop=16*20' }],
  [{ vf: 'pad=640*2' }],
  [{ af: 'rubberband=pitch=+1.5' }],
  [{ af: 'asplit[a][b];[a]showspectrum,nullsink;[b]anull' }],
  [{ map: '-0:s?' }],
  [{ 'frames:v': '5', update: '1' }, 'b.jpg'],
  // Texts that look like options.
  ...[
    String.raw`text='Show from=5\:to=10'`,
    String.raw`text='best=10\:end=20'`,
    String.raw`text=CSS\\:align=center`,
    String.raw`text='Note\:font=arial.ttf'`,
    // One of the backslashes is drawn before the letter.
    String.raw`text='\\\\\\\\n Z'`,
  ].map((text): [Parameters] => [{ vf: `drawtext=${text}` }]),
])('nothing is wrong with %j', (parameters, output) => {
  expect(mistakesIn(film(parameters, output))).toEqual([]);
});

const ZERO = 'setpts=PTS-STARTPTS';

test.each<[mistake: Parameters, output?: string]>([
  [{ vf: 'trim=4:8', an: '' }],
  [{ vf: 'hflip,trim=start=4.5,fade=d=1', an: '' }],
  [{ filter_complex: "[0:v]trim=60:90,vflip,hue=s=0:enable='gt(t,70)'[v]", map: '[v]', an: '' }],
  [{ vf: 'trim=start_frame=48', an: '' }, 'b.mkv'],
  [{ vf: 'trim=4:8' }, 'p-%03d.png'],
  [{ af: 'atrim=4:8' }, 'b.m4a'],
  [{ vf: 'trim=4', af: 'atrim=4' }],
  [{ filter_complex: '[0:v]trim=start=4:end=8[v];[0:a]atrim=start=4:end=8[a]', map: ['[v]', '[a]'] }],
  [{ filter_complex: '[0:v]trim=0:2[a];[0:v]trim=6:8[b];[a][b]concat[v]', map: '[v]', an: '' }],
])('a part whose times do not start at 0: %j', (mistake, output) => {
  expect(mistakesIn(film(mistake, output))[0]).toMatchObject({
    code: 'LATE_START',
    fix: expect.stringMatching(/setpts=PTS-STARTPTS after a?trim/),
  });
});

test.each<[Parameters, output?: string]>([
  [{ vf: 'trim=0:4', an: '' }],
  [{ vf: 'trim=end=4', an: '' }],
  [{ vf: `trim=4:8,${ZERO}`, an: '' }],
  [{ vf: 'trim=4:8,setpts=N/25/TB', an: '' }],
  [{ vf: 'trim=4:8', an: '', ss: '4' }],
  // These formats store no times, or players begin at the first frame whatever its time.
  [{ vf: 'trim=4:8' }, 'b.gif'],
  [{ af: 'atrim=4:8' }, 'b.mp3'],
  [{ vf: 'trim=4:8', an: '' }, 'b.ts'],
  [{ vf: 'trim=4:8', 'frames:v': '1' }, 'b.jpg'],
  // The part is laid over the film at its time.
  [{ filter_complex: '[0:v]trim=4:8,negate[p];[0:v][p]overlay=eof_action=pass[v]', map: ['[v]', '0:a'] }],
])('a part that starts where it is meant to: %j', (parameters, output) => {
  expect(mistakesIn(film(parameters, output))).toEqual([]);
});
