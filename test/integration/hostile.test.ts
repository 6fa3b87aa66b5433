import pLimit from 'p-limit';
import { describe, expect } from 'vitest';
import { BUBBLEWRAP } from '../fixtures/sandboxes.ts';
import { SECRET } from '../hostile/bait.ts';
import { type HarmfulFiles, makeHarmfulFiles } from '../hostile/harmful-files.ts';
import { SECTIONS } from '../hostile/rows.ts';
import { baitFor, naiveOf, runInSandbox, runPlain } from '../hostile/run.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const some = pLimit(2);

let made: Promise<HarmfulFiles> | undefined;
const files = (): Promise<HarmfulFiles> => {
  made ??= testFolder('harmful').then((folder) => makeHarmfulFiles(folder, tools().ffmpegPath));
  return made;
};

const sections = Object.entries(SECTIONS);

describe('in the sandbox alone, no check before it, nothing is reached', () => {
  needs('sandbox').for(sections)('%s', { timeout: 60_000 }, async ([, rows]) => {
    const reached: string[] = [];
    await some.map(rows, async (row) => {
      const t = performance.now();
      const bait = await baitFor(await files(), row);
      try {
        const { touched, told } = await runInSandbox(bait, row, BUBBLEWRAP);
        if (touched.length > 0) reached.push(`${row.title}: ${touched.join(', ')}`);
        if (told.includes(SECRET)) reached.push(`${row.title}: the secret was told`);
      } finally {
        bait.close();
      }
      if (performance.now() - t > 700) console.log('SLOW', row.title, Math.round(performance.now() - t));
    });
    expect(reached).toEqual([]);
  });
});

describe('with no wall at all, each row has its effect', () => {
  needs('ffmpeg').for(sections)('%s', { timeout: 60_000 }, async ([, rows]) => {
    const harmless: string[] = [];
    await some.map(
      rows.filter(({ inert }) => inert === undefined),
      async (row) => {
        const t = performance.now();
        const bait = await baitFor(await files(), row);
        try {
          const { effects, touched, told } = await runPlain(bait, naiveOf(row, bait, (path) => path));
          if (!effects.has(row.effect)) harmless.push(`${row.title}: wants ${row.effect} ${[...effects]} ${touched} ${told.replace(/[^ -~\n]+/g,'').slice(0, 300)}`);
        } finally {
          bait.close();
        }
      if (performance.now() - t > 700) console.log('SLOWP', row.title, Math.round(performance.now() - t));
      },
    );
    expect(harmless).toEqual([]);
  });
});
