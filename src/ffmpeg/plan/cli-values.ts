import type { OptionValue } from '../../domain/conversion.ts';
import type { Catalogue, CliFacts } from '../catalogue/catalogue.ts';
import type { CliRule, CliValue } from '../policy/cli-rules.ts';
import { checkCliValue } from '../values/cli-value.ts';
import type { Fault } from '../values/fault.ts';
import { isKeyFrameExpression } from '../values/key-frames.ts';
import { nameText, type OptionName } from './option-name.ts';

/** What values are checked against. */
export interface ValueContext {
  readonly catalogue: Catalogue;
  readonly sandboxed: boolean;
}

export const ASK_OPERATOR = 'the operator can switch it on ("telecine doctor" says how)';

/**
 * What an option of ffmpeg's own adds to the argv: its values; none for a flag; undefined for a flag that was
 * switched off. The value of a flag never gets into the argv, where it would be one more output file.
 */
export function readCliValues(
  name: OptionName,
  value: OptionValue,
  facts: CliFacts,
  rule: CliRule,
  context: ValueContext,
): { readonly values: readonly string[] | undefined } | Fault {
  const key = nameText(name);
  if (typeof value !== 'string' && rule.repeatable === undefined) return takesOne(key);
  if (!facts.argument) {
    if (value === '' || value === 'true') return { values: [] };
    if (value === 'false') return { values: undefined };
    return {
      code: 'TAKES_NO_VALUE',
      message: `"${key}" is switched on or off and takes no value.`,
      allowed: ['', 'true', 'false'],
      fix: `Send "${key}": "" to switch it on, or leave it out.`,
    };
  }
  const values = typeof value === 'string' ? [value] : value;
  for (const one of values) {
    const fault = one === '' ? needsValue(key) : checkOne(key, one, rule, context);
    if (fault !== undefined) return fault;
  }
  return { values };
}

function checkOne(key: string, value: string, { value: rule }: CliRule, context: ValueContext): Fault | undefined {
  const fault = checkCliValue(key, value, rule, context.catalogue.lists);
  if (fault !== undefined || context.sandboxed) return fault;
  const limit = plainOf(rule);
  if (limit === undefined || limit.isPlain(value)) return undefined;
  return {
    code: 'NEEDS_SANDBOX',
    message:
      limit.shape === undefined
        ? `This service runs without a sandbox, where "${key}" is not offered, since filters can open files.`
        : `This service runs without a sandbox, where "${key}" takes only ${limit.shape}.`,
    fix: `Leave it out, or use a service with a sandbox: ${ASK_OPERATOR}.`,
  };
}

/** What of a rule's values passes without a sandbox; undefined: all. */
function plainOf(
  rule: CliValue,
): { readonly isPlain: (value: string) => boolean; readonly shape?: string } | undefined {
  if (rule.takes === 'key frames')
    return { isPlain: (value) => !isKeyFrameExpression(value), shape: 'times separated by commas, or "source"' };
  if (rule.takes !== 'text' && (rule.takes !== 'shape' || rule.plain === undefined)) return undefined;
  const { plain, shape } = rule;
  return { isPlain: (value) => plain?.test(value) === true, ...(shape === undefined ? {} : { shape }) };
}

export const takesOne = (key: string): Fault => ({
  code: 'NOT_REPEATABLE',
  message: `ffmpeg takes "${key}" once, so it cannot be a list.`,
  fix: 'Send one string.',
});

export const needsValue = (key: string): Fault => ({
  code: 'EMPTY_VALUE',
  message: `"${key}" needs a value.`,
  fix: 'Send its value as a string, or leave it out.',
});
