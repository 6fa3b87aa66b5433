import { BSF_TEXT } from '../allowlist/bsf-text.ts';
import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { Component } from '../catalogue/component.ts';
import { checkExpression } from '../expression/expression.ts';
import type { GraphOption } from '../filtergraph/graph.ts';
import { parseOptionList, printOptionList } from '../filtergraph/option-list.ts';
import { quoteToken, readToken } from '../filtergraph/token.ts';
import { checkAvValue } from '../values/av-value.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';

/** One bitstream filter of a list, as it was written. */
export interface ParsedBsf {
  readonly name: string;
  /** Quoting undone. Only the first may stand without a name. */
  readonly options: readonly GraphOption[];
}

/** A list of bitstream filters, or what is wrong with its text. */
export type BsfList = readonly ParsedBsf[] | { readonly error: string };

/** Parses `h264_metadata=level=4.1,dump_extra` as `av_bsf_list_parse_str` does (libavcodec/bsf.c). */
export function parseBsfs(text: string): BsfList {
  const found: ParsedBsf[] = [];
  let at = 0;
  do {
    const word = readToken(text, at, ',');
    if ('error' in word) return word;
    at = word.end + 1;
    const equals = word.text.indexOf('=');
    const options = parseOptionList(equals < 0 ? '' : word.text.slice(equals + 1));
    if ('error' in options) return options;
    found.push({ name: equals < 0 ? word.text : word.text.slice(0, equals), options });
  } while (at < text.length);
  return found;
}

/**
 * The list in one spelling, every option with its name; or what is wrong with it. `key` is the option's name, `text` its
 * value, and `list` that value parsed.
 */
export function checkBsfs(
  key: string,
  text: string,
  list: BsfList,
  catalogue: Catalogue,
): { readonly value: string } | ValueError {
  if ('error' in list)
    return badValue(`"${key}": ${list.error}, in ${quoted(text)}.`, text, { shapes: ['h264_metadata=level=4.1'] });
  const printed: string[] = [];
  for (const { name, options } of list) {
    if (!catalogue.lists.bsfs.has(name))
      return badValue(`"${key}": the installed ffmpeg has no bitstream filter ${quoted(name)}.`, name, {
        names: catalogue.lists.bsfs,
      });
    if (options.length === 0) {
      printed.push(name);
      continue;
    }
    const component = componentOf(catalogue, 'bsf', name);
    if (component === undefined) throw new Error(`The program was not asked about the bitstream filter ${name}.`);
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
    return badValue(`The bitstream filter "${name}" has no option ${quoted(key ?? value)}.`, key ?? value, {
      names: options.map((one) => one.name),
    });
  if (option.type !== 'string' && option.type !== 'binary' && option.type !== 'dictionary')
    return checkAvValue(shown, option, value, lists);
  switch (BSF_TEXT.get(`${name}.${option.name}`)) {
    case 'expression': {
      const error = checkExpression(value);
      return error && badExpression(shown, value, error);
    }
    case 'words':
      return /^[\w|-]*$/.test(value)
        ? undefined
        : badValue(`"${shown}" is made of numbers joined by "|", and ${quoted(value)} is not.`, value, {});
    case 'text':
      return undefined;
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `The option "${option.name}" of the bitstream filter "${name}" was not reviewed, so it cannot be sent.`,
        fix: 'Leave it out.',
      };
  }
}
