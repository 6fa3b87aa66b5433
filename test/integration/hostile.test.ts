import pLimit from 'p-limit';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { BUBBLEWRAP, LANDLOCK, SANDBOXES } from '../fixtures/sandboxes.ts';
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
} from '../hostile/run-rows.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { IS_WHOLE, sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

const some = pLimit(2);

let generated: Promise<HarmfulFiles> | undefined;
const files = (): Promise<HarmfulFiles> => {
  generated ??= testFolder('harmful').then((folder) => makeHarmfulFiles(folder, tools().ffmpegPath));
  return generated;
};

/** The faults of all rows. Tries two rows at a time, each with its own canaries. */
async function faultsOf<T extends { readonly title: string }>(
  rows: readonly T[],
  place: (row: T) => Promise<Canaries>,
  tryRow: (row: T, canaries: Canaries) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const faults = await some.map(rows, async (row) => {
    const canaries = await place(row);
    const found = await tryRow(row, canaries).finally(() => canaries.close());
    return found.map((fault) => `${row.title}: ${fault}`);
  });
  return faults.flat();
}

const canariesOfRow = async (row: HostileRow): Promise<Canaries> => canariesFor(await files(), row);
const sections = Object.entries(SECTIONS);
/** Each section runs dozens of processes. */
const LONG = { timeout: 180_000 };

/** Whether a row shows something in the sandbox: it has an effect on plain ffmpeg, or is not run there. */
const showsSandbox = ({ slowVariantOf, variantOf, noEffectReason, since, effect }: HostileRow): boolean =>
  slowVariantOf === undefined &&
  variantOf === undefined &&
  (since === undefined
    ? noEffectReason === undefined || effect === 'exhausts' || effect === 'reveals'
    : isAvailable(since));

/** Whether the installed ffmpeg may have a feature that is new in `since`. An older release exits at the unknown name. */
function isAvailable(since: string): boolean {
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

/** A row of each kind of access, and in whole runs a second one, in case the first one has no effect in some build. */
const ofEachAccess = (rows: readonly HostileRow[]): readonly HostileRow[] =>
  [...Map.groupBy(rows, accessOf).values()].flatMap((same) => same.slice(0, IS_WHOLE ? 2 : 1));

describe.each([
  { kind: 'bubblewrap', sandbox: BUBBLEWRAP, test: needs('bubblewrap'), tags: [] },
  { kind: 'landlock', sandbox: LANDLOCK, test: needs('ffmpeg', 'landlock'), tags: ['long'] },
])('in $kind without any check, no row reaches anything or occupies a worker', ({ sandbox, test, tags }) => {
  test.for(sections)('%s', { ...LONG, tags }, async ([, rows]) => {
    const tried = sampled(ofEachAccess(rows.filter(showsSandbox)), 5);
    const reached = await faultsOf(tried, canariesOfRow, async (row, canaries) => {
      const { touched, text } = await runInJob(canaries, uncheckedJob(row, canaries), sandbox);
      return text.includes(SECRET) ? [...touched, 'the secret leaked'] : touched;
    });
    expect(reached).toEqual([]);
  });
});

/** Rows that have their effect on plain ffmpeg. */
const harmful = sections
  .map(
    ([section, rows]) =>
      [
        section,
        sampled(
          rows.filter(
            ({ noEffectReason, slowVariantOf }) => noEffectReason === undefined && slowVariantOf === undefined,
          ),
        ),
      ] as const,
  )
  .filter(([, rows]) => rows.length > 0);

describe('without sandbox and checks, each row has its effect', { tags: 'long' }, () => {
  needs('the ffmpeg of Debian 12', 'access times').for(harmful)('%s', LONG, async ([, rows]) => {
    const together = await runPlainTogether(await files(), rows.filter(canRunTogether));
    // In a shared command only effects on a row's own canaries are seen. Try each row without one alone.
    const others = rows.filter((row) => !together.get(row)?.has(row.effect));
    const harmless = await faultsOf(others, canariesOfRow, async (row, canaries) => {
      const argv = uncheckedArgvOf(row, canaries, (path) => path);
      const { effects, touched } = await runPlain(canaries, argv, row.effect);
      return effects.has(row.effect)
        ? []
        : [`no "${row.effect}", but ${[...effects, ...touched].join(', ') || 'nothing'}`];
    });
    expect(harmless).toEqual([]);
  });
});

describe('the environment of the service', () => {
  needs('the ffmpeg of Debian 12', 'access times')('has its effect on plain ffmpeg', { tags: 'long' }, async () => {
    const harmless = await faultsOf(
      ENVIRONMENT,
      async () => canariesFor(await files()),
      async (row, canaries) => {
        const { effects } = await runPlain(canaries, row.argv(canaries, 'movie.mp4'), row.effect, row.env(canaries));
        return effects.has(row.effect) ? [] : [`no "${row.effect}"`];
      },
    );
    expect(harmless).toEqual([]);
  });

  for (const { kind, sandbox, tags, test } of SANDBOXES)
    test(`reaches no conversion, sandbox: ${kind}`, { tags }, async () => {
      onTestFinished(() => void vi.unstubAllEnvs());
      for (const row of ENVIRONMENT) {
        const canaries = await canariesFor(await files());
        for (const [name, value] of Object.entries(row.env(canaries))) vi.stubEnv(name, value);
        const job = {
          inputs: ['movie.mp4'],
          output: 'out/a.mkv',
          argv: row.argv(canaries, 'in/0.mp4'),
          effect: row.effect,
        };
        const { touched } = await runInJob(canaries, job, sandbox).finally(() => canaries.close());
        expect(touched, row.title).toEqual([]);
      }
    });
});
