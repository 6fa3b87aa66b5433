import { expect, test } from 'vitest';
import { readDevices } from './devices.ts';

test('reads devices of both types', () => {
  expect(readDevices('vaapi:/dev/dri/renderD128=5, cuda:0,')).toEqual([
    { type: 'vaapi', name: '/dev/dri/renderD128', sessions: 5 },
    { type: 'cuda', name: '0', sessions: 2 },
  ]);
  expect(readDevices('none')).toEqual([]);
});

test.each([
  ['nvenc:0', 'send "cuda:0"'],
  ['vaapi', 'which is not a device; send none, or a list such as'],
  ['vaapi:/dev/../etc/passwd', 'is not a device'],
  ['vaapi:/etc/passwd', 'is not a device'],
  ['qsv:hw', 'is not a device'],
  ['cuda:0=0', 'send a number from 1 to 64'],
  ['cuda:0=65', 'send a number from 1 to 64'],
  ['cuda:0=a', 'is not a device'],
  ['cuda:0,cuda:0', 'has "cuda:0" twice'],
])('rejects %s, and says what to send', (text, message) => {
  expect(() => readDevices(text)).toThrow(message);
});
