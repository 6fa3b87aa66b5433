import { expect, test } from 'vitest';
import type { ConversionRequest, OptionValue, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { type Catalogue, encoderNamed, usesOf } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/components.ts';
import { planRequest } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

type RequestWith = (parameters: Parameters) => ConversionRequest;

const ofOutput: RequestWith = (parameters) => ({ input: 'a.mp4', output: 'b.mkv', parameters });
const ofInput: RequestWith = (parameters) => ({ inputs: [{ input: 'a.mp4', parameters }], output: 'b.mkv' });

/** A request whose options a component reads: an encoder, a muxer or a demuxer. */
const ofComponent =
  (kind: string, name: string, catalogue: Catalogue): RequestWith =>
  (parameters) => {
    if (kind === 'demuxer') return ofInput({ f: name, ...parameters });
    if (kind === 'muxer') return { input: 'a.mp4', output: 'b', format: name, parameters };
    return ofOutput({ [`c:${encoderNamed(catalogue, name)?.kind.charAt(0)}`]: name, ...parameters });
  };

/** The commands of a request. undefined: it has errors, or nothing uses one of its options. */
function commandsOf(request: ConversionRequest, catalogue: Catalogue): string | undefined {
  const result = planRequest(request, { catalogue });
  const isUsed = result.ok && !result.plan.warnings.some(({ code }) => code === 'NO_EFFECT');
  return isUsed ? JSON.stringify(result.plan.passes) : undefined;
}

interface Case {
  readonly title: string;
  readonly isBoolean: boolean;
  /** The commands with this value of the option. */
  readonly commandsWith: (value: OptionValue) => string | undefined;
}

/** The boolean options of each encoder, muxer and demuxer of a build, and every other option once. */
function* optionsOf(catalogue: Catalogue): Generator<Case> {
  const seen = new Set<string>();
  const read = (name: string, request: RequestWith) => (value: OptionValue) =>
    commandsOf(request({ [name]: value }), catalogue);
  const { encoders, muxers, demuxers } = catalogue.lists;
  const all = (
    [
      ['encoder', encoders],
      ['muxer', muxers],
      ['demuxer', demuxers],
    ] as const
  ).flatMap(([kind, list]) => [...list.keys()].map((component) => ({ kind, component })));
  for (const { kind, component } of all) {
    const request = ofComponent(kind, component, catalogue);
    for (const { name, type } of componentOf(catalogue, kind, component)?.options ?? []) {
      const isBoolean = type === 'boolean';
      if (!isBoolean && seen.has(name)) continue;
      seen.add(name);
      yield { title: `${kind}=${component} ${name}`, isBoolean, commandsWith: read(name, request) };
    }
  }
  for (const name of catalogue.avOptions.keys()) {
    const types = new Set(usesOf(catalogue, name).map(({ type }) => type));
    const isBoolean = types.has('boolean');
    // A decoder and the scaler have options "gamma" of two types.
    const isAmbiguous = isBoolean && types.size > 1;
    if (seen.has(name) || isAmbiguous || CLI_RULES.has(name) || catalogue.cli.has(name)) continue;
    for (const request of [ofOutput, ofInput]) yield { title: name, isBoolean, commandsWith: read(name, request) };
  }
}

test.each(['5.1', '7.1'] as const)(
  'true and false are 1 and 0 for each boolean option of ffmpeg %s, and no value of another option',
  (build) => {
    let used = 0;
    for (const { title, isBoolean, commandsWith } of optionsOf(recordedCatalogue(build)))
      for (const sent of [true, false]) {
        const wanted = isBoolean ? commandsWith(sent ? '1' : '0') : undefined;
        expect([title, sent, commandsWith(sent)]).toEqual([title, sent, wanted]);
        if (wanted !== undefined) used += 1;
      }
    expect(used).toBeGreaterThan(300);
  },
);

test.each(['5.1', '7.1'] as const)(
  'true sets and false omits each flag of ffmpeg %s, and no other option of the program takes them',
  (build) => {
    const catalogue = recordedCatalogue(build);
    for (const [name, { value }] of CLI_RULES) {
      const facts = catalogue.cli.get(name);
      if (!facts) continue;
      const commandsWith = (parameters: Parameters) =>
        commandsOf((facts.place === 'input' ? ofInput : ofOutput)(parameters), catalogue);
      const isFlag = !facts.argument || value.takes === 'boolean';
      const [on, off] = facts.argument ? [{ [name]: '1' }, { [name]: '0' }] : [{ [name]: '' }, {}];
      expect([name, commandsWith({ [name]: true })]).toEqual([name, isFlag ? commandsWith(on) : undefined]);
      expect([name, commandsWith({ [name]: false })]).toEqual([name, isFlag ? commandsWith(off) : undefined]);
    }
  },
);
