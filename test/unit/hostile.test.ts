import { describe, expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { avText, isTextType } from '../../packages/ffmpeg/src/allowlist/av-text.ts';
import { filterText } from '../../packages/ffmpeg/src/allowlist/filter-text.ts';
import { FILTERS } from '../../packages/ffmpeg/src/allowlist/filters.ts';
import { usesOf } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/components.ts';
import { parseArgv } from '../hostile/parse-argv.ts';
import { PLACEHOLDER_CANARIES } from '../hostile/placeholder-canaries.ts';
import { ROWS } from '../hostile/rows.ts';
import { planRequest } from '../support/planning.ts';
import { RECORDED, type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';

const catalogues = new Map(RECORDED.map((version) => [version, recordedCatalogue(version)]));

function planned(request: ConversionRequest, version: Recorded) {
  const catalogue = catalogues.get(version) ?? recordedCatalogue(version);
  return { catalogue, result: planRequest(request, { catalogue, root: PLACEHOLDER_CANARIES.root }) };
}

test('there are enough rows, each with a unique title', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(300);
  expect(new Set(ROWS.map(([name]) => name)).size).toBe(ROWS.length);
});

test('a variant of a row has the same effect as that row', () => {
  const rows = ROWS.map(([, row]) => row);
  for (const { title, variantOf, effect } of rows) {
    if (variantOf === undefined) continue;
    const other = rows.find((row) => row.title === variantOf);
    expect(other, title).toMatchObject({ effect });
    expect(other?.variantOf ?? other?.slowVariantOf, title).toBeUndefined();
  }
});

describe.each(RECORDED)('the checks alone, on ffmpeg %s', (version) => {
  test('rejects every harmful request with a reason', () => {
    const wrong = ROWS.flatMap(([name, { code, since, request }]) => {
      if (code === undefined) return [];
      const { result } = planned(request(PLACEHOLDER_CANARIES), version);
      const errors = result.ok ? [] : result.errors;
      // A build that lacks the feature rejects only the name.
      const mayLack = version !== (since ?? '5.1');
      const found = errors.find((error) => error.code === code || (mayLack && error.code.startsWith('UNKNOWN_')));
      const isExplained = found !== undefined && found.message.length > 10 && found.field.startsWith('/');
      return isExplained
        ? []
        : [`${name}: ${code} is expected, not ${errors.map((error) => error.code).join(' ') || 'a plan'}`];
    });
    expect(wrong).toEqual([]);
  });

  test('the plan of a harmless request names only its own files', () => {
    for (const [name, { code, request }] of ROWS) {
      if (code !== undefined) continue;
      const { catalogue, result } = planned(request(PLACEHOLDER_CANARIES), version);
      if (!result.ok) throw new Error(`${name} is rejected: ${JSON.stringify(result.errors)}`);
      for (const argv of result.plan.passes) {
        const { options, outputs } = parseArgv(argv, catalogue);
        expect(outputs, name).toEqual([`file:${result.plan.outputs[0]?.logical}`]);
        expect(result.plan.outputs[0]?.logical, name).toMatch(/^out\/[^/]+$/);
        for (const { key, value } of options) if (key === 'i') expect(value, name).toMatch(/^file:in\/0(?:\.\w+)?$/);
      }
    }
  });
});

/** Matches the name or help of options that may open files. */
const FILE_WORDS = /file|path|url|uri|dir\b|folder|script|librar|model|address|server|socket|device|proxy/i;

describe.each(RECORDED)('text options, on ffmpeg %s', (version) => {
  const catalogue = catalogues.get(version) ?? recordedCatalogue(version);
  const isRejected = (request: ConversionRequest, field: string): boolean => {
    const { result } = planned(request, version);
    return !result.ok && result.errors.some((error) => error.field.endsWith(field));
  };

  test('every text option of a filter that may take a path was reviewed', () => {
    const accepted: string[] = [];
    for (const filter of FILTERS)
      for (const { name, type, help } of componentOf(catalogue, 'filter', filter)?.options ?? []) {
        if (!isTextType(type)) continue;
        const parameters = { vf: `${filter}=${name}='/etc/passwd'` };
        if (filterText(filter, name) !== undefined && !FILE_WORDS.test(`${name} ${help}`)) continue;
        if (!isRejected({ input: 'a.mp4', output: 'b.mkv', parameters }, '/vf')) accepted.push(`${filter}.${name}`);
      }
    expect(accepted).toEqual([]);
  });

  test('every path option of a codec or container was reviewed', () => {
    const outputs = ['mkv', 'mp4', 'm3u8', 'mpd', 'mxf', 'mp3'].map((extension) => `out/b.${extension}`);
    const accepted = [...catalogue.avOptions.keys()].flatMap((name) => {
      if (!usesOf(catalogue, name).some(({ type }) => isTextType(type))) return [];
      const parameters = { [name]: '/etc/passwd' };
      const all = outputs.every((output) => isRejected({ input: 'a.mp4', output, parameters }, `/${name}`));
      return all ? [] : [name];
    });
    expect(accepted.filter((name) => !['link', 'text', 'expression'].includes(avText(name) ?? ''))).toEqual([]);
  });
});
