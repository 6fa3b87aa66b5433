import type { OptionValue } from '../../domain/conversion.ts';
import type { AvUse } from '../catalogue/catalogue.ts';
import { hasCall, isReviewedText, isTextType } from '../policy/av-rules.ts';
import { WRITTEN_FILES } from '../policy/written-files.ts';
import type { Fault } from '../values/fault.ts';
import { ASK_OPERATOR, needsValue, takesOne, type ValueContext } from './cli-values.ts';
import { nameText, type OptionName } from './option-name.ts';

/**
 * What an AVOption adds to the argv. AVOptions always take a value, and only one. Whether it is of the right type and
 * range is checked when all options are read: it depends on the encoders.
 */
export function readAvValue(
  name: OptionName,
  value: OptionValue,
  uses: readonly AvUse[],
  context: ValueContext,
): { readonly value: string } | Fault {
  const key = nameText(name);
  if (typeof value !== 'string') return takesOne(key);
  if (value === '') return needsValue(key);
  if (WRITTEN_FILES.has(name.name)) return { value };
  if (uses.some((use) => isTextType(use.type))) {
    if (context.sandboxed || isReviewedText(name.name, value)) return { value };
    return {
      code: 'NEEDS_SANDBOX',
      message: `This service runs without a sandbox, where the text of "${key}" cannot be let through.`,
      fix: `Leave it out, or use a service with a sandbox: ${ASK_OPERATOR}.`,
    };
  }
  if (hasCall(value))
    return {
      code: 'BAD_VALUE',
      message: `"${key}" takes a plain value, not an expression.`,
      fix: 'Send the number itself.',
    };
  return { value };
}
