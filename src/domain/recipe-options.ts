import type { ConversionRequest } from './conversion.ts';
import type { Warning } from './plan.ts';
import { type FieldError, pointerKey, pointerToken } from './problem.ts';

/**
 * The warnings for the client of a request: without those which only say that options of the recipe have no effect. A recipe
 * for films sets options of sound, which a silent film or a request with `an` does not need, and the client cannot leave such
 * an option out.
 *
 * @param warnings Their fields are those of the expanded `request`.
 * @param fieldOf Where the client set a field of the request, if that is known.
 */
export function warningsForClient(
  { preset }: ConversionRequest,
  warnings: readonly Warning[],
  fieldOf: (field: string) => string = (one) => one,
): readonly Warning[] {
  const ofRecipe = new Set(
    preset?.options?.map((one) => (one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`)),
  );
  return warnings.flatMap(({ options: idle = [], ...warning }) => {
    const { code, field = '' } = warning;
    const isOfRecipe =
      ofRecipe.has(field) ||
      (idle.length > 0 && idle.every((one) => ofRecipe.has(one) || fieldOf(one).startsWith('/preset')));
    return code === 'NO_EFFECT' && ofRecipe.size > 0 && isOfRecipe ? [] : [warning];
  });
}

/**
 * An error or a warning in the client's words: it names the recipe that set the option, and the argument instead of the
 * option if that has no effect. `sent`: where the client set what is at the field of `one`.
 */
export function inWordsOfClient<T extends Pick<FieldError, 'field' | 'code' | 'message' | 'fix'>>(
  one: T,
  sent: string,
  recipe: string,
): T {
  const [, option] = /\/parameters\/([^/]+)$/.exec(one.field) ?? [];
  if (option === undefined || !sent.startsWith('/preset')) return one;
  const name = `"${pointerKey(option)}"`;
  const argument = /^\/preset\/arguments\/([^/]+)$/.exec(sent)?.[1];
  if (one.code === 'NO_EFFECT' && argument !== undefined) {
    const renamed = (text: string): string => text.replaceAll(name, `"${pointerKey(argument)}"`);
    return {
      ...one,
      message: renamed(one.message),
      ...(typeof one.fix === 'string' && { fix: renamed(one.fix) }),
    };
  }
  const message = one.message.replace(`, or leave ${name} out`, '').replace(name, `${name} of the recipe "${recipe}"`);
  return { ...one, message };
}
