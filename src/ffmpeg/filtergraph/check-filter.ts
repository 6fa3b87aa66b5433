import { nearest } from '../../domain/near.ts';
import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { AvOption, Component } from '../catalogue/component.ts';
import { checkExpression, type ExpressionFault } from '../expression/expression.ts';
import { FILTER_FILES } from '../policy/filter-files.ts';
import { POSITIONS, UNLISTED } from '../policy/filter-positions.ts';
import { type FilterText, filterText } from '../policy/filter-text.ts';
import { FILTERS, REFUSED_FILTERS } from '../policy/filters.ts';
import { isSystemFont } from '../policy/system-fonts.ts';
import { checkAvValue } from '../values/av-value.ts';
import { badExpression, badValue, type Fault, quoted, send } from '../values/fault.ts';
import { checkSize } from '../values/size.ts';
import { checkExpandedText, isUnexpanded, unexpandedFile } from './expanded-text.ts';
import type { GraphFilter, GraphOption } from './graph.ts';

/** What a check of filters needs to know. */
export interface FilterContext {
  readonly catalogue: Catalogue;
  /**
   * The name in the argv of the input that a filter names as a file; undefined: the request has no such input.
   * `byContent`: see `FilterFile`.
   */
  fileNamed(path: string, byContent: boolean): string | undefined;
}

/** The filter with a name at every option and files by their names in the argv; what is wrong is added to `faults`. */
export function checkFilter(filter: GraphFilter, context: FilterContext, faults: Fault[]): GraphFilter {
  const refused = checkName(filter.name, context.catalogue);
  if (refused !== undefined) {
    faults.push(refused);
    return filter;
  }
  const component = componentOf(context.catalogue, 'filter', filter.name);
  if (component === undefined) throw new Error(`The program was not asked about the filter ${filter.name}.`);
  const keys = keysOf(filter, component);
  const asItIs =
    filter.name === 'drawtext' && isUnexpanded(filter.options.filter((_option, at) => keys[at] === 'expansion'));
  const options = filter.options.map((option, at): GraphOption => {
    const key = keys[at];
    if (key === 'text' && asItIs) return { key, value: option.value };
    const read =
      key === undefined ? tooMany(component, option.value) : readOption(component, key, option.value, context);
    if (typeof read === 'string') return { key: key ?? '', value: read };
    faults.push(read);
    return option;
  });
  if (filter.name !== 'drawtext') return { ...filter, options };
  const unexpanded = unexpandedFile(options);
  if (!('fault' in unexpanded)) return { ...filter, options: unexpanded };
  faults.push({ code: 'BAD_EXPRESSION', message: `The filter "drawtext" ${unexpanded.fault}.`, fix: unexpanded.fix });
  return filter;
}

/** The name of each option. */
function keysOf({ name, options }: GraphFilter, component: Component): readonly (string | undefined)[] {
  const keys = options.map(({ key }, at) => key ?? positionsOf(component)[at]);
  if (!SCALERS.has(name) || keys.some((key) => key === 'h' || key === 'height')) return keys;
  // A width without a height is what ffmpeg takes for a size: `scale=1280x720`.
  return keys.map((key) => (key === 'w' || key === 'width' ? 'size' : key));
}

const SCALERS: ReadonlySet<string> = new Set(['scale', 'scale2ref']);

const positionsOf = ({ name, positions = [] }: Component): readonly string[] => POSITIONS.get(name) ?? positions;

function checkName(name: string, { lists }: Catalogue): Fault | undefined {
  const known = lists.filters.has(name);
  if (known && FILTERS.has(name)) return undefined;
  const reason = REFUSED_FILTERS.get(name);
  if (reason !== undefined)
    return {
      code: 'FILTER_NOT_ALLOWED',
      message: `The filter "${name}" ${reason.why}, so it is not offered.`,
      fix: reason.fix,
    };
  if (known)
    return {
      code: 'FILTER_NOT_ALLOWED',
      message: `The filter "${name}" is not offered by this service.`,
      fix: 'Use another; GET /api/capabilities/filters lists those that are offered.',
    };
  const near = nearest(
    name,
    [...lists.filters.keys()].filter((one) => FILTERS.has(one)),
  );
  return {
    code: 'UNKNOWN_FILTER',
    message: `The installed ffmpeg has no filter ${quoted(name)}.`,
    fix: near === undefined ? 'GET /api/capabilities/filters lists those that are offered.' : send(near),
  };
}

/** The value as it goes into the argv. */
function readOption(component: Component, key: string, value: string, context: FilterContext): string | Fault {
  const { name: filter } = component;
  const shown = `${filter}=${key}`;
  if (key === 'enable' && component.timeline === true)
    return passed(value, asFault(shown, value, checkExpression(value)));
  const option = component.options.find(({ name }) => name === key);
  if (option === undefined && UNLISTED.get(filter)?.has(key) !== true) return unknownOption(component, key);
  const file = FILTER_FILES.get(filter)?.find(({ names }) => names.includes(key));
  if (file?.font === true && isSystemFont(value)) return value;
  if (file !== undefined) return context.fileNamed(value, file.byContent === true) ?? notAnInput(filter, key, value);
  if (SCALERS.has(filter) && (key === 'size' || key === 's')) return passed(value, checkScaled(shown, value));
  if (option === undefined || option.type === 'string' || option.type === 'binary' || option.type === 'dictionary')
    return checkText(filter, key, value);
  if (option.readOnly) return unknownOption(component, key);
  return passed(value, checkTyped(shown, option, value, context.catalogue));
}

function checkScaled(shown: string, value: string): Fault | undefined {
  const fault = checkSize(shown, value);
  return fault && { ...fault, fix: fault.fix ?? 'Send both: scale=1280x720, or scale=1280:-2 to keep the shape.' };
}

const passed = (value: string, fault: Fault | undefined): string | Fault => fault ?? value;

/** Sums and quotients of plain numbers, which filters are often given: `1/25`. */
const ARITHMETIC = /^[\d\s.+\-*/()]+$/;

function checkTyped(shown: string, option: AvOption, value: string, { lists }: Catalogue): Fault | undefined {
  if (NUMBERS.has(option.type) && ARITHMETIC.test(value) && /\d\s*[*/+\-(]/.test(value))
    return asFault(shown, value, checkExpression(value));
  return checkAvValue(shown, option, value, lists);
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'int64', 'uint', 'uint64', 'float', 'double']);

/** Words, numbers and what stands between them. */
const LIST = /^[\w\s.,:;|/+\-*#%@=<>!?~&()^]*$/;

function checkText(filter: string, key: string, value: string): string | Fault {
  const text: FilterText | undefined = filterText(filter, key);
  const shown = `${filter}=${key}`;
  switch (text?.kind) {
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `The option "${key}" of the filter "${filter}" can name a file of the host, or was not reviewed, so it cannot be sent.`,
        fix: 'Leave it out.',
      };
    case 'expression':
      return passed(value, asFault(shown, value, checkExpression(value, text.calls)));
    case 'expressions': {
      const fault = value
        .split('|')
        .map((one) => checkExpression(one, text.calls))
        .find((one) => one !== undefined);
      return passed(value, asFault(shown, value, fault));
    }
    case 'list':
      return LIST.test(value)
        ? value
        : badValue(`"${shown}" is made of words and numbers, and ${quoted(value)} holds something else.`, value, {});
    case 'expanded':
      return passed(value, asFault(shown, value, checkExpandedText(value)));
    case 'text':
      return value;
  }
}

function asFault(shown: string, value: string, fault: ExpressionFault | undefined): Fault | undefined {
  if (fault === undefined) return undefined;
  return {
    ...badExpression(shown, value, fault),
    fix:
      fault.fix ??
      'Send numbers, the names that the filter documents, operators and functions such as if, min and gte.',
  };
}

const tooMany = (component: Component, value: string): Fault => ({
  code: 'TOO_MANY_VALUES',
  message: `The filter "${component.name}" has no option left for the value ${quoted(value)}.`,
  fix: 'Write options by their names: name=value.',
});

function unknownOption({ name, options, timeline }: Component, key: string): Fault {
  const names = [...options.map((option) => option.name), ...(timeline === true ? ['enable'] : [])];
  const near = nearest(key, names);
  return {
    code: 'UNKNOWN_FILTER_OPTION',
    message: `The filter "${name}" has no option ${quoted(key)}.`,
    ...(names.length <= 20 ? { allowed: names } : {}),
    fix: near === undefined ? `GET /api/capabilities/filters/${name} lists its options.` : send(`${name}=${near}=…`),
  };
}

const notAnInput = (filter: string, key: string, value: string): Fault => ({
  code: 'NOT_AN_INPUT',
  message: `The filter "${filter}" reads the file ${quoted(value)}, which is none of the request's inputs.`,
  fix:
    key === 'fontfile'
      ? 'Name a font that is installed where the service runs, "font=DejaVu Sans" or its file below /usr/share/fonts, or the file in "inputs" too, after the media, by the same path.'
      : 'Name the file in "inputs" too, after the media, by the same path: {"inputs": ["in.mp4", "talk.srt"]} and "subtitles=talk.srt".',
});
