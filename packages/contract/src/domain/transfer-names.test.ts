import { expect, test } from 'vitest';
import { isTransferName } from './transfer-names.ts';

test.each([
  ...['.film.mov.Xy12ab', '.~tmp~', 'film.mov.part', 'film.mov.PARTIAL', 'film.mov.filepart', 'film.mov.crdownload'],
  ...['film.mov.tmp', 'film.mov~', '~$film.mov', 'film.mov.upload', 'film.mov.!qB', 'film.mov.!ut', '.mov'],
])('a file named %s is being transferred', (name) => {
  expect(isTransferName(name)).toBe(true);
});

test.each(['film.mov', 'part.mov', 'film.part.mov', 'tmp', 'part', 'my~film.mov', 'upload.mp4', 'film.', 'a..mov'])(
  'a file named %s is complete',
  (name) => {
    expect(isTransferName(name)).toBe(false);
  },
);
