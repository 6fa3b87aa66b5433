import type { ConversionRequest } from '../../../client/api.ts';
import { CUT_MEASUREMENTS } from '../../../domain/cut.ts';
import { usageError } from '../../session/usage-error.ts';

type Cut = NonNullable<ConversionRequest['cut']>;

/** The parts of the input that `--only` and `--remove` name. undefined without them. Throws `CommandFailed`. */
export function readCut({ only, remove }: { readonly only?: string; readonly remove?: string }): Cut | undefined {
  if (only !== undefined && remove !== undefined)
    throw usageError('EXCLUSIVE', '--only and --remove both name the parts of the output.', 'Leave out one.');
  if (only !== undefined) return { keep: readRanges('--only', only) };
  if (remove === undefined) return undefined;
  return { remove: readMeasured(remove) ?? readRanges('--remove', remove) };
}

/** `10-20,1:30-`. The service checks the times. */
function readRanges(flag: string, text: string): Extract<Cut['keep'], readonly unknown[]> {
  return text.split(',').map((part) => {
    const [, start = '', end = ''] = /^\s*([^-\s]*)\s*-\s*([^-\s]*)\s*$/.exec(part) ?? [];
    if (start === '' && end === '')
      throw usageError(
        'BAD_RANGE',
        `${flag} ${text}: "${part}" is not a part from one time to another.`,
        `Write ${flag} 10-20,1:30-2:00,5:00- for three parts, the last one up to the end.`,
      );
    return { ...(start !== '' && { start }), ...(end !== '' && { end }) };
  });
}

/** `silence`, or with settings: `silence,noiseDb=-40,minSeconds=0.7`. undefined for ranges. */
function readMeasured(text: string): Cut['remove'] | undefined {
  const [name = '', ...words] = text.split(',');
  const measurement = CUT_MEASUREMENTS.find((one) => one === name);
  if (measurement === undefined) return undefined;
  const all = words.map((word): readonly [string, number] => {
    const [, setting = '', value = ''] = /^(\w+)=(-?\d+(?:\.\d+)?)$/.exec(word) ?? [];
    if (setting !== '') return [setting, Number(value)];
    throw usageError(
      'BAD_SETTING',
      `--remove ${text}: "${word}" is not a setting.`,
      'Write --remove silence,noiseDb=-40,minSeconds=0.7.',
    );
  });
  const { marginSeconds, ...settings } = Object.fromEntries(all);
  return { [measurement]: settings, ...(marginSeconds !== undefined && { marginSeconds }) };
}
