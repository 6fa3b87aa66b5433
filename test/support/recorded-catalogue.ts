import { readFileSync } from 'node:fs';
import type { Build } from '../../src/ffmpeg/catalogue/build.ts';
import type { Catalogue } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { deserialise } from '../../src/ffmpeg/catalogue/catalogue-file.ts';

const build: Build = {
  path: '/usr/bin/ffmpeg',
  versionLine: 'ffmpeg version 5.1.9-0+deb12u1',
  version: '5.1.9-0+deb12u1',
  release: [5, 1],
  key: '5.1.9-0+deb12u1',
};

/** What Debian 12's ffmpeg answered to `scripts/record-catalogue.ts`. */
export function recordedCatalogue(): Catalogue {
  const text = readFileSync(new URL('../fixtures/ffmpeg-catalogue.json', import.meta.url), 'utf8');
  const catalogue = deserialise(text, build);
  if (catalogue === undefined) throw new Error('Record the catalogue anew: scripts/record-catalogue.ts');
  return catalogue;
}
