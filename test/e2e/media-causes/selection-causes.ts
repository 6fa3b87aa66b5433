import { H264, type MediaCause } from './media-cause.ts';

/** Expressions of `select` and `aselect` that let nothing pass. */
export const SELECTION_CAUSES: readonly MediaCause[] = [
  {
    title: 'a selection after the end of a film',
    request: { input: 'silent.mp4', output: 'late.mp4', parameters: { ...H264, vf: 'select=gt(t\\,100)' } },
    message:
      'Nothing was written: the filter select let nothing pass: it starts at 100 s, but "silent.mp4" has only 3 s.',
    fix: 'Send "vf": "select=expr=gt(t\\\\,1)".',
    followed: { parameters: { ...H264, vf: 'select=expr=gt(t\\,1)' } },
  },
  {
    title: 'scenes that differ more than any do',
    request: { input: 'silent.mp4', output: 's%d.png', parameters: { vf: 'select=gt(scene\\,0.99)', fps_mode: 'vfr' } },
    message: /let nothing pass: no picture differs by more than 0\.99 from the one before\.$/,
    fix: /^Send "vf": "select=expr=gt\(scene\\\\,0\.3\)"\. If still nothing passes, lower it again\.$/,
    followed: { parameters: { vf: 'select=expr=gt(scene\\,0.01)', fps_mode: 'vfr' } },
  },
  {
    title: 'a selection of no sample',
    request: { input: 'short.wav', output: 'none.wav', parameters: { af: 'aselect=0' } },
    message: /the filter aselect let nothing pass: its expression was 0 for all of them\.$/,
    fix: 'Send another expression, or leave the filter out: "af": "anull".',
    followed: { parameters: { af: 'anull' } },
  },
];
