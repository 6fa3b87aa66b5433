import type { FieldError } from '../../../domain/problem.ts';
import { checkBsfs } from '../../bsf/check-bsfs.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from './resolve-options.ts';

/** The options with their bitstream filters checked and written anew; what is wrong is added to `errors`. */
export function resolveBitstreamFilters(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  if (!options.some(({ name }) => name.name === 'bsf')) return options;
  return options.map((option) => {
    if (option.name.name !== 'bsf') return option;
    const values = option.values.map((text) => {
      const checked = checkBsfs(option.key, text, catalogue);
      if ('value' in checked) return checked.value;
      errors.push({ field: option.field, ...checked });
      return text;
    });
    return { ...option, values };
  });
}
