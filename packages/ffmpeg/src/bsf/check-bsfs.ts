import { BSF_TEXT } from '../allowlist/av-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Component } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import { checkExpression } from '../expression/expression.ts';
import { type GraphOption, parseOptionList, printOptionList } from '../filtergraph/option-list.ts';
import { checkAvValue } from '../values/av-value.ts';
import { quoteToken, readToken } from '../values/token.ts';
import { badExpression, badValue, ofPart, quoted, type ValueError } from '../values/value-error.ts';

interface ParsedBsf {
  readonly name: string;
  /** The options, with quotes and backslashes removed from their values. Only the first option may lack a name. */
  readonly options: readonly GraphOption[];
}

/** The filters of a list, or the error in its text. */
export type BsfList = readonly ParsedBsf[] | { readonly error: string };

/**
 * Parses a list of bitstream filters, such as `h264_metadata=level=4.1,dump_extra`, as `av_bsf_list_parse_str` does (`libavcodec/bsf.c`).
 */
export function parseBsfs(text: string): BsfList {
  const bsfs: ParsedBsf[] = [];
  let at = 0;
  do {
    const word = readToken(text, at, ',');
    if ('error' in word) return word;
    at = word.end + 1;
    const equals = word.text.indexOf('=');
    const options = parseOptionList(equals < 0 ? '' : word.text.slice(equals + 1));
    if ('error' in options) return options;
    bsfs.push({ name: equals < 0 ? word.text : word.text.slice(0, equals), options });
  } while (at < text.length);
  return bsfs;
}

/**
 * Checks a list of bitstream filters. Returns the first error, or the list as text in which every option has its name. Throws if the
 * catalogue has no facts about a filter whose options are set: the caller must query these facts first.
 *
 * @param key The option that contains the list, for messages.
 * @param text The value as the client wrote it.
 * @param list The parsed value.
 */
export function checkBsfs(
  key: string,
  text: string,
  list: BsfList,
  catalogue: Catalogue,
): { readonly value: string } | ValueError {
  if ('error' in list)
    return badValue(`"${key}" is invalid: ${list.error}, in ${quoted(text)}.`, text, {
      shapes: ['h264_metadata=level=4.1'],
    });
  const printed: string[] = [];
  for (const { name, options } of list) {
    if (!catalogue.lists.bsfs.has(name))
      return ofPart(
        badValue(`"${key}" names ${quoted(name)}, but the installed ffmpeg has no such bitstream filter.`, name, {
          names: catalogue.lists.bsfs.keys(),
        }),
        name,
      );
    if (options.length === 0) {
      printed.push(name);
      continue;
    }
    const component = componentOf(catalogue, 'bsf', name);
    if (component === undefined) throw new Error(`The catalogue has no facts about the bitstream filter ${name}.`);
    const named: GraphOption[] = [];
    for (const [index, option] of options.entries()) {
      const own = option.key ?? (index === 0 ? component.options[0]?.name : undefined);
      const error = checkOption(component, own, option.value, catalogue);
      if (error !== undefined) return error;
      named.push({ key: own ?? '', value: option.value });
    }
    printed.push(quoteToken(`${name}=${printOptionList(named)}`, ','));
  }
  return { value: printed.join(',') };
}

function checkOption(
  { name, options }: Component,
  key: string | undefined,
  value: string,
  { lists }: Catalogue,
): ValueError | undefined {
  const option = options.find((one) => one.name === key);
  const shown = `${name}=${key ?? ''}`;
  if (option === undefined)
    return ofPart(
      badValue(`The bitstream filter "${name}" has no option ${quoted(key ?? value)}.`, key ?? value, {
        names: options.map((one) => one.name),
      }),
      key ?? value,
    );
  if (option.type !== 'string' && option.type !== 'binary' && option.type !== 'dictionary') {
    const error = checkAvValue(shown, option, value, lists);
    return error && ofPart(error, value);
  }
  switch (BSF_TEXT.get(`${name}.${option.name}`)) {
    case 'expression': {
      const error = checkExpression(value);
      return error && badExpression(shown, value, error);
    }
    case 'words':
      return /^[\w|-]*$/.test(value)
        ? undefined
        : badValue(`"${shown}" must be numbers joined by "|", not ${quoted(value)}.`, value);
    case 'text':
      return undefined;
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `The option "${option.name}" of the bitstream filter "${name}" is not allowed.`,
      };
  }
}
