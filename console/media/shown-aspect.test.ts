import { expect, test } from 'vitest';
import { shownAspect, USUAL_ASPECT } from './shown-aspect.ts';

const video = { type: 'video', width: 720, height: 576 };

test('the aspect ratio of a video is that of its shown frames', () => {
  expect(shownAspect([{ type: 'audio' }, video])).toBe(1.25);
  expect(shownAspect([{ ...video, sampleAspectRatio: '16:15' }])).toBeCloseTo(4 / 3);
  expect(shownAspect([{ ...video, rotationDegrees: -90 }])).toBe(0.8);
  expect(shownAspect([{ ...video, rotationDegrees: 180 }])).toBe(1.25);
});

test('without a known size, a video is as wide as most are', () => {
  expect(shownAspect([])).toBe(USUAL_ASPECT);
  expect(shownAspect([{ type: 'video' }])).toBe(USUAL_ASPECT);
  expect(shownAspect([{ ...video, sampleAspectRatio: '0:1' }])).toBe(1.25);
});
