import type { SampleProgress } from './job.ts';

const NAMES: Readonly<Record<SampleProgress['choose'], string>> = {
  frameSize: 'frame sizes',
  quality: 'qualities',
  ladder: 'versions',
};

/** What a job does while it tries samples: `Trying frame sizes, 2 of 12`. */
export const samplesText = ({ choose, done, total }: SampleProgress): string =>
  `Trying ${NAMES[choose]}, ${Math.min(done + 1, total)} of ${total}`;
