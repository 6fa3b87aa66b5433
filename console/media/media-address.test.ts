import { expect, test } from 'vitest';
import { fileAddress, isStored, outputAddress } from './media-address.ts';

test('a file keeps its folders, and every other character is encoded', () => {
  expect(fileAddress('a b/50%?.mp4')()).toBe('/api/files/a%20b/50%25%3F.mp4');
  expect(fileAddress('in.mp4')({ view: 'frame', at: 2.5 })).toBe('/api/files/in.mp4?view=frame&at=2.5');
});

test('a file in a bucket or at a URL is not in the media root', () => {
  expect(['a/b.mp4', 's3://bucket/a.mp4', 'https://host/a.mp4', ''].map(isStored)).toEqual([true, false, false, false]);
});

test('an output is addressed by its job, unless it has expired', () => {
  const links = { self: '', log: '', output: '/api/conversion/1/output' };
  expect(outputAddress({ links }, 's3://b/ü.mp4')?.({ view: 'sheet' })).toBe(
    '/api/conversion/1/output?path=s3%3A%2F%2Fb%2F%C3%BC.mp4&view=sheet',
  );
  expect(outputAddress({ links: { self: '', log: '' } }, 'a.mp4')).toBeUndefined();
});
