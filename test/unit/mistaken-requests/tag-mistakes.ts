import type { Mistake } from './mistake.ts';

const ALL = { movflags: 'use_metadata_tags' };
const COPY = { c: 'copy' };

/** Tags that the format of the output does not store. */
export const TAG_MISTAKES: readonly Mistake[] = [
  [
    { ...COPY, metadata: ['title=Take 3', 'project_id=4711'] },
    { ...COPY, metadata: ['title=Take 3', 'project_id=4711'], ...ALL },
  ],
  [{ ...COPY, 'metadata:g': 'project_id=4711' }, { ...COPY, 'metadata:g': 'project_id=4711', ...ALL }, 'b.mov'],
  [
    { ...COPY, metadata: 'project_id=4711', movflags: '+faststart' },
    { ...COPY, metadata: 'project_id=4711', movflags: '+faststart+use_metadata_tags' },
  ],
  [{ vn: '', metadata: 'mood=calm' }, { vn: '', metadata: 'mood=calm', ...ALL }, 'b.m4a'],
  [{ ...COPY, metadata: 'description=A film' }, { ...COPY, metadata: 'description=A film', ...ALL }, 'b.mov'],
];
