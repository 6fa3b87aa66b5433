import pLimit from 'p-limit';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { BUBBLEWRAP, SANDBOXES } from '../fixtures/sandboxes.ts';
import { type Canaries, SECRET } from '../hostile/canaries.ts';
import { ENVIRONMENT } from '../hostile/environment.ts';
import { type HarmfulFiles, makeHarmfulFiles } from '../hostile/harmful-files.ts';
import { PLACEHOLDER_CANARIES } from '../hostile/placeholder-canaries.ts';
import type { HostileRow } from '../hostile/row.ts';
import { SECTIONS } from '../hostile/rows.ts';
import {
  canariesFor,
  canRunTogether,
  runInJob,
  runPlain,
  runPlainTogether,
  uncheckedArgvOf,
  uncheckedJob,
} from '../hostile/run.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const some = pLimit(2);

let made: Promise<HarmfulFiles> | undefined;
const files = (): Promise<HarmfulFiles> => {
  made ??= testFolder('harmful').then((folder) => makeHarmfulFiles(folder, tools().ffmpegPath));
  return made;
};

/** What each of `rows` has to say, two at a time, each on a bait of its own. */
async function each<T extends { readonly title: string }>(
  rows: readonly T[],
  baited: (row: T) => Promise<Canaries>,
  look: (row: T, bait: Canaries) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const told = await some.map(rows, async (row) => {
    const bait = await baited(row);
    const faults = await look(row, bait).finally(() => bait.close());
    return faults.map((fault) => `${row.title}: ${fault}`);
  });
  return told.flat();
}

const onBait = async (row: HostileRow): Promise<Canaries> => canariesFor(await files(), row);
const sections = Object.entries(SECTIONS);
/** Each section runs dozens of processes. */
const LONG = { timeout: 180_000 };

/** What does nothing to an ffmpeg without walls shows nothing of one behind them, unless it is not tried there. */
const isTelling = ({ like, spells, inert, since, effect }: HostileRow): boolean =>
  like === undefined &&
  spells === undefined &&
  (since === undefined ? inert === undefined || effect === 'exhausts' || effect === 'tells' : isHere(since));

/** Whether this ffmpeg may have what came with that one; an older release ends at a name that it does not know. */
function isHere(since: string): boolean {
  const release = /^n?(\d+\.\d+)/.exec(tools().version)?.[1];
  return release === undefined || Number(release) >= Number(since);
}

/**
 * What the sandbox sees of a row: its effect, and the canaries that its command names. Which option or filter names them
 * makes no difference to the sandbox.
 */
function accessOf(row: HostileRow): string {
  const argv = uncheckedArgvOf(row, PLACEHOLDER_CANARIES, (path) => path).join(' ');
  const canaries = Object.entries(PLACEHOLDER_CANARIES).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'root' && argv.includes(value) ? [name] : [],
  );
  // Without a canary in the command, the row itself is what matters.
  return canaries.length === 0 ? row.title : `${row.effect} ${canaries.join(' ')}`;
}

/** Two rows of each kind of access: the second in case that the first one does nothing in some build. */
function oneOfEachAccess(rows: readonly HostileRow[]): readonly HostileRow[] {
  return [...Map.groupBy(rows, accessOf).values()].flatMap((same) => same.slice(0, 2));
}

describe('in the sandbox without any check, no row reaches anything or occupies a worker', () => {
  needs('sandbox').for(sections)('%s', LONG, async ([, rows]) => {
    const tried = oneOfEachAccess(rows.filter(isTelling));
    const reached = await each(tried, onBait, async (row, bait) => {
      const { touched, told } = await runInJob(bait, uncheckedJob(row, bait), BUBBLEWRAP);
      return told.includes(SECRET) ? [...touched, 'the secret was told'] : touched;
    });
    expect(reached).toEqual([]);
  });
});

/** Those that plain ffmpeg may try, and that then do something. */
const harmful = sections
  .map(
    ([section, rows]) =>
      [section, rows.filter(({ inert, like }) => inert === undefined && like === undefined)] as const,
  )
  .filter(([, rows]) => rows.length > 0);

describe('without sandbox and checks, each row has its effect', () => {
  needs('the ffmpeg of Debian 12', 'access times').for(harmful)('%s', LONG, async ([, rows]) => {
    const together = await runPlainTogether(await files(), rows.filter(canRunTogether));
    // What it did there can be seen in its own bait alone; what had no effect is tried by itself too.
    const others = rows.filter((row) => !together.get(row)?.has(row.effect));
    const harmless = await each(others, onBait, async (row, bait) => {
      const argv = uncheckedArgvOf(row, bait, (path) => path);
      const { effects, touched } = await runPlain(bait, argv, row.effect);
      return effects.has(row.effect)
        ? []
        : [`no "${row.effect}", but ${[...effects, ...touched].join(', ') || 'nothing'}`];
    });
    expect(harmless).toEqual([]);
  });
});

describe('the environment of the service', () => {
  needs('the ffmpeg of Debian 12', 'access times')('has its effect on plain ffmpeg', async () => {
    const harmless = await each(
      ENVIRONMENT,
      async () => canariesFor(await files()),
      async (row, bait) => {
        const { effects } = await runPlain(bait, row.argv(bait, 'movie.mp4'), row.effect, row.env(bait));
        return effects.has(row.effect) ? [] : [`no "${row.effect}"`];
      },
    );
    expect(harmless).toEqual([]);
  });

  for (const { kind, sandbox, test } of SANDBOXES)
    test(`reaches no conversion, sandbox: ${kind}`, async () => {
      onTestFinished(() => void vi.unstubAllEnvs());
      for (const row of ENVIRONMENT) {
        const bait = await canariesFor(await files());
        for (const [name, value] of Object.entries(row.env(bait))) vi.stubEnv(name, value);
        const job = {
          inputs: ['movie.mp4'],
          output: 'out/a.mkv',
          argv: row.argv(bait, 'in/0.mp4'),
          effect: row.effect,
        };
        const { touched } = await runInJob(bait, job, sandbox).finally(() => bait.close());
        expect(touched, row.title).toEqual([]);
      }
    });
});
