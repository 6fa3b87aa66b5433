import { expect, test } from 'vitest';
import { checkExpression, MAX_EXPRESSION_LENGTH } from './expression.ts';

test.each([
  '1',
  '-2',
  '23.976',
  '30000/1001',
  '1.5M',
  '0xff00ff',
  '-3dB',
  'iw/2',
  'trunc(iw/2)*2',
  '(in_w-out_w)/2',
  'if(gt(a,16/9),1280,-2)',
  'main_w-overlay_w-10',
  'PTS-STARTPTS',
  '0.5*PTS',
  'N/FRAME_RATE/TB',
  'gt(scene,0.4)',
  'eq(pict_type,I)+not(mod(n,100))',
  'between(t,1,2.5)',
  'if(isnan(prev_selected_t), 1, gte(t - prev_selected_t, 10))',
  'min(max(zoom,pzoom)+0.0015,1.5)',
  'st(0,random(1));ld(0)*255',
  'gte(t,n_forced*2)',
  'PI/6*sin(2*PI*t)',
  'on/time',
  'sqrt(X*X+Y*Y)',
  '1e-3*hypot(W,H)',
])('accepts %s', (text) => {
  expect(checkExpression(text)).toBeUndefined();
});

test.each([
  ['while(1,1)', 'calls "while"'],
  ['wh ile(1,1)', 'calls "while"'],
  ['wh\nile\t(1,1)', 'calls "while"'],
  ['while+x(1,1)', 'calls "while"'],
  ['1+(2*while(1,1))', 'calls "while"'],
  ['root(sin(ld(0)),9)', 'calls "root"'],
  ['taylor(1,2)', 'calls "taylor"'],
  ['print(t)', 'calls "print"'],
  ['system(1)', 'calls the unknown function "system"'],
  ['lum(X,Y)', 'calls the unknown function "lum"'],
  ['sin;x(1)', 'without calling'],
  ['1while(1,1)', 'contains'],
  ["'a'", 'contains "\'"'],
  ['a=b', 'contains "="'],
  ['a[0]', 'contains "["'],
  ['`id`', 'contains "`"'],
  ['a\\(1)', 'contains "\\"'],
  ['ä', 'contains "ä"'],
  ['(1', 'never closed'],
  ['1)', 'never opened'],
  ['('.repeat(65) + ')'.repeat(65), 'more than 64'],
  ['1'.repeat(MAX_EXPRESSION_LENGTH + 1), 'longer than'],
])('rejects %j', (text, why) => {
  expect(checkExpression(text)?.error).toContain(why);
});

test('accepts the functions that a filter adds', () => {
  expect(checkExpression('lum(X-1,Y)', new Set(['lum']))).toBeUndefined();
});
