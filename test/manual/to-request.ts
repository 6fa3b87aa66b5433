import type { ConversionRequest, OptionText, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { CommandFile, CommandOption, FfmpegCommand } from './ffmpeg-command.ts';

/**
 * Translates a command into requests, without thought: each option keeps its name and its value. Several outputs become
 * a request each, but those of one graph become one output with the streams of all.
 */
export function toRequests({ inputs, outputs }: FfmpegCommand, { cli }: Catalogue): readonly ConversionRequest[] {
  const isGlobal = ({ key }: CommandOption): boolean => GLOBAL.has(key) || cli.get(key)?.place === 'global';
  const globals = [...inputs, ...outputs].flatMap(({ options }) => options.filter(isGlobal));
  const specs = inputs.map(({ name, options }) => {
    // "re" only slows a conversion down. Without it, the rest of the command can be judged.
    const own = parametersOf(options.filter((option) => !isGlobal(option) && option.key !== 're'));
    return { input: name, ...(Object.keys(own).length > 0 && { parameters: own }) };
  });
  return (globals.some(({ key }) => GRAPHS.has(key)) ? merged(outputs) : outputs).map(({ name, options }) => {
    const format = options.findLast(({ key }) => key === 'f')?.value;
    const own = [...globals, ...options.filter((option) => option.key !== 'f' && !isGlobal(option))];
    // What discards the output writes checksums instead, as the planner suggests.
    if (format === 'null' || name === '-')
      return { inputs: specs, output: 'out.framemd5', format: 'framemd5', parameters: parametersOf(own) };
    return {
      inputs: specs,
      output: format === undefined && !name.includes('.') ? `${name}.mkv` : name,
      ...(format !== undefined && { format }),
      parameters: parametersOf(own),
    };
  });
}

const GRAPHS: ReadonlySet<string> = new Set(['filter_complex', 'lavfi']);
/** Options of the whole command that the recordings have no facts about. */
const GLOBAL: ReadonlySet<string> = new Set([...GRAPHS, 'y', 'n', 'stats', 'nostats', 'benchmark', 'hide_banner']);

const merged = (outputs: readonly CommandFile[]): readonly CommandFile[] =>
  outputs.length < 2 ? outputs : [{ name: 'outputs.mkv', options: outputs.flatMap(({ options }) => options) }];

function parametersOf(options: readonly CommandOption[]): Parameters {
  const parameters: Record<string, OptionText> = {};
  for (const { key, value = '' } of options) {
    const before = parameters[key];
    parameters[key] = before === undefined ? value : [before, value].flat();
  }
  return parameters;
}
