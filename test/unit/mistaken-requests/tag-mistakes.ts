import type { Mistake } from './mistake.ts';

const COPY = { c: 'copy' };

export const TAG_MISTAKES: readonly Mistake[] = [
  // A tag in the name of the option.
  [
    { ...COPY, 'metadata:title': 'My Film' },
    { ...COPY, metadata: 'title=My Film' },
  ],
  [
    { ...COPY, 'metadata:title': 'title=My Film', 'metadata:artist': 'Bob', metadata: 'date=2024' },
    { ...COPY, metadata: ['artist=Bob', 'title=My Film', 'date=2024'] },
  ],
  [
    { ...COPY, 'metadata:s:a:0:language': 'deu' },
    { ...COPY, 'metadata:s:a:0': 'language=deu' },
  ],
  [
    { ...COPY, 'metadata:a:0': 'language=deu' },
    { ...COPY, 'metadata:s:a:0': 'language=deu' },
  ],
];
