import type { FieldError } from '../../../domain/problem.ts';
import { checkBsfs } from '../../bsf/check-bsfs.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from './argv-option.ts';

/** Checks the bitstream filters among the options and replaces each list by its canonical text. */
export function resolveBitstreamFilters(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  if (!options.some(({ bitstreamFilters }) => bitstreamFilters !== undefined)) return options;
  return options.map((option) => {
    const { key, field, values, bitstreamFilters } = option;
    if (bitstreamFilters === undefined) return option;
    const result = checkBsfs(key, values[0] ?? '', bitstreamFilters, catalogue);
    if ('value' in result) return { ...option, values: [result.value] };
    errors.push({ field, ...result });
    return option;
  });
}
