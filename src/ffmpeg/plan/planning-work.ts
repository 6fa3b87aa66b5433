import type { ConversionRequest, OptionValue, Parameters } from '../../domain/conversion.ts';

/** What an option, an input or an output costs besides its characters, in characters. */
const EACH = 50;

/**
 * Estimates the work of planning a request, in characters that are checked: each output is planned with all options that it
 * shares, and with all inputs.
 */
export function planningWork({ inputs = [], outputs, parameters, fallback }: ConversionRequest): number {
  let shared = workOf(parameters) + workOf(fallback);
  for (const one of inputs) {
    shared += EACH;
    if (typeof one === 'string') shared += one.length;
    else shared += workOf(one.parameters) + (one.input ?? one.source ?? '').length;
  }
  if (outputs === undefined) return shared;
  let work = 0;
  for (const { parameters: own, fallback: other } of outputs) work += EACH + shared + workOf(own) + workOf(other);
  return work;
}

function workOf(parameters: Parameters | undefined): number {
  let work = 0;
  for (const name in parameters) work += EACH + name.length + lengthOf(parameters[name] ?? '');
  return work;
}

function lengthOf(value: OptionValue): number {
  if (typeof value === 'string') return value.length;
  let length = 0;
  for (const one of value) length += EACH + one.length;
  return length;
}
