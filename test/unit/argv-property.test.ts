import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConversionRequest, optionText, type Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { FILE_NAME_OPTIONS } from '../../packages/contract/src/domain/planned-names.ts';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { FILTER_FILES } from '../../packages/ffmpeg/src/allowlist/filter-files.ts';
import { isGraphError } from '../../packages/ffmpeg/src/filtergraph/graph.ts';
import { parseGraph } from '../../packages/ffmpeg/src/filtergraph/parse.ts';
import { isNameError, parseOptionName, printOptionName } from '../../packages/ffmpeg/src/plan/request/option-name.ts';
import { FAMILIES } from '../common-requests/families.ts';
import { parseArgv } from '../hostile/parse-argv.ts';
import { PLACEHOLDER_CANARIES } from '../hostile/placeholder-canaries.ts';
import { ROWS } from '../hostile/rows.ts';
import { planRequest } from '../support/planning.ts';
import { RECORDED, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { sampled, sampledRuns } from '../support/sampled.ts';

/** Options that the planner may add to any request. */
const LITERALS: ReadonlySet<string> = new Set(
  (
    'nostdin hide_banner nostats loglevel progress stats_period protocol_whitelist format_whitelist i f y t loop ' +
    'stream_loop update flush_packets c:v filter_complex map pass passlogfile an sn fps_mode hls_base_url master_pl_name s r pix_fmt ' +
    'frames:v filter:v filter:a reinit_filter noaccurate_seek ' +
    'color_range'
  ).split(' '),
);

const requests = Object.values(FAMILIES)
  .flat()
  .map(({ request }) => request);
const rows = ROWS.map(([, row]) => row.request(PLACEHOLDER_CANARIES));
const pairs = (requests: readonly ConversionRequest[]) =>
  requests.flatMap(({ parameters }) => Object.entries(parameters ?? {}));

const catalogues = RECORDED.map((version) => [version, recordedCatalogue(version)] as const);

/** Canonical names, aliases, names with specifiers, and malicious ones. */
const key = fc.oneof(
  fc.constantFrom(...pairs(requests).map(([name]) => name)),
  fc.constantFrom(...pairs(rows).map(([name]) => name)),
  fc.constantFrom(...CLI_RULES.keys(), ...FILE_NAME_OPTIONS.keys()),
  fc
    .tuple(
      fc.constantFrom(...CLI_RULES.keys()),
      fc.constantFrom('v', 'a:0', '0', 's:m:language:eng', '-y', '/etc/passwd'),
    )
    .map(([name, specifier]) => `${name}:${specifier}`),
  fc.string({ maxLength: 8 }),
);

const value = fc.oneof(
  fc.constantFrom(...pairs(requests).map(([, text]) => text)),
  fc.constantFrom(...pairs(rows).map(([, text]) => text)),
  fc.constantFrom(
    '',
    'true',
    '1',
    '-y',
    '-i',
    '/etc/passwd',
    '-/etc/passwd',
    '../x.mkv',
    'in/0.mp4',
    'file:/etc/passwd',
    'pipe:1',
  ),
  fc.array(fc.constantFrom('0:v', '-y', 'title=x', '/etc/passwd'), { maxLength: 3 }),
  fc.string({ maxLength: 12 }),
);

const request = fc
  .record({ base: fc.constantFrom(...requests), extra: fc.array(fc.tuple(key, value), { maxLength: 3 }) })
  .map(({ base, extra }): ConversionRequest => {
    // An object without a prototype, because JSON.parse also keeps the key "__proto__".
    const parameters = Object.assign(Object.create(null), base.parameters, Object.fromEntries(extra)) as Parameters;
    return { ...base, parameters };
  });

/** Words in the argvs that neither the planner adds itself nor the client sent as the value of that option. */
function unexpectedWords(
  planned: Plan,
  { parameters = {}, inputs = [] }: ConversionRequest,
  catalogue: (typeof catalogues)[number][1],
): string[] {
  const sent = new Map<string, readonly string[]>();
  for (const source of [parameters, ...inputs.map((one) => (typeof one === 'string' ? {} : (one.parameters ?? {})))])
    for (const [name, given] of Object.entries(source)) {
      const read = parseOptionName(name);
      if (isNameError(read)) continue;
      const canonical = printOptionName(read);
      sent.set(canonical, [...(sent.get(canonical) ?? []), ...[optionText(given)].flat()]);
    }
  const logical = planned.inputs.map((input) => input.logical);
  const faults: string[] = [];
  for (const argv of planned.passes) {
    const { options, outputs } = parseArgv(argv, catalogue);
    const [output = ''] = outputs;
    const [main] = planned.outputs;
    if (outputs.length !== 1 || ![`file:${main?.logical}`, main?.logical, '-', 'file:/dev/null'].includes(output))
      faults.push(`outputs ${outputs.join(' ')}`);
    for (const { key: name, value: text } of options) {
      const [bare = ''] = name.split(':');
      if (!LITERALS.has(name) && !sent.has(name) && !/^(?:x265-params|color_range):/.test(name))
        faults.push(`-${name} was not sent`);
      if (text === undefined) continue;
      if (name === 'i' && !logical.some((one) => text === `file:${one}`)) faults.push(`-i ${text}`);
      else if (bare === 'filter' || bare === 'filter_complex')
        faults.push(...filesOf(text).filter((file) => !logical.includes(file)));
      else if (FILE_NAME_OPTIONS.has(bare)) {
        if (/^\/|(?:^|\/)\.\.(?:\/|$)|:/.test(text)) faults.push(`-${name} ${text}`);
      } else if (
        !LITERALS.has(name) &&
        bare !== 'bsf' &&
        bare !== 'x265-params' &&
        bare !== 'color_range' &&
        sent.get(name)?.includes(text) !== true
      )
        faults.push(`-${name} ${text} was not sent`);
    }
  }
  return faults;
}

/** The files that a graph reads, by their names in the argv. */
function filesOf(text: string): readonly string[] {
  const graph = parseGraph(text);
  if (isGraphError(graph)) return [`no graph: ${text}`];
  return graph.chains
    .flat()
    .flatMap(({ name, options }) =>
      options.flatMap((option) =>
        FILTER_FILES.get(name)?.some(({ names }) => names.includes(option.key ?? '')) ? [option.value] : [],
      ),
    );
}

test.each(sampled(catalogues, 3))(
  'ffmpeg %s: every word of an argv is from the planner, or is the value of the option before it',
  (_version, catalogue) => {
    let planned = 0;
    fc.assert(
      fc.property(request, (original) => {
        const result = planRequest(original, { catalogue, root: PLACEHOLDER_CANARIES.root });
        if (!result.ok) return;
        planned += 1;
        expect(unexpectedWords(result.plan, original, catalogue)).toEqual([]);
      }),
      { numRuns: sampledRuns(2000) },
    );
    // Check that enough of the requests were valid. Otherwise the property shows nothing.
    expect(planned).toBeGreaterThan(sampledRuns(300));
  },
  120_000,
);

/** Graphs of the requests and of the hostile rows, and marks at which the checks look for another graph that is meant. */
const graphText = fc
  .record({
    text: fc.constantFrom(
      ...[...pairs(requests), ...pairs(rows)].flatMap(([name, text]) =>
        /^(?:vf|af|filter_complex|lavfi|filter:.*)$/.test(name) && typeof text === 'string' ? [text] : [],
      ),
    ),
    mark: fc.constantFrom(
      'value=a:\\',
      'a:\\',
      'c:\\\\',
      "'",
      ' ',
      '|',
      '(',
      ':',
      ',',
      ';',
      '=',
      '\\',
      '[a]',
      '->',
      ',null,',
    ),
    place: fc.nat(),
  })
  .map(({ text, mark, place }) => {
    // At the start of a value is where a mark changes most.
    const starts = [...text.matchAll(/[=:,]/g)].map(({ index }) => index + 1);
    const at = starts[place % Math.max(1, starts.length)] ?? 0;
    return `${text.slice(0, at)}${mark}${text.slice(at)}`;
  });

test.each(sampled(catalogues, 3))(
  'ffmpeg %s: a graph in an argv passes the checks as it is printed there',
  (_version, catalogue) => {
    let planned = 0;
    const root = PLACEHOLDER_CANARIES.root;
    fc.assert(
      fc.property(graphText, fc.constantFrom('vf', 'af'), (text, name) => {
        const original: ConversionRequest = { input: 'a.mkv', output: 'b.mkv', parameters: { [name]: text } };
        const result = planRequest(original, { catalogue, root });
        if (!result.ok) return;
        planned += 1;
        for (const argv of result.plan.passes)
          for (const { key: option, value: printed } of parseArgv(argv, catalogue).options) {
            if (printed === undefined || option.split(':')[0] !== 'filter') continue;
            const again = planRequest({ ...original, parameters: { [name]: printed } }, { catalogue, root });
            // Files have other names in the argv.
            const errors = again.ok ? [] : again.errors.filter(({ code }) => code !== 'NOT_AN_INPUT');
            expect(errors, `${text} is ${printed}`).toEqual([]);
          }
      }),
      { numRuns: sampledRuns(3000) },
    );
    expect(planned).toBeGreaterThan(sampledRuns(30));
  },
  120_000,
);
