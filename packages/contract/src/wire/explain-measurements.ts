import { MEASUREMENTS, type Measurement } from '../domain/analysis.ts';
import { type Edits, leaveOut, orElse, sendMember } from '../domain/edit.ts';
import { isMembers, memberAt, stringOf } from '../domain/structured-values.ts';
import { meantChoice, meantField } from '../domain/synonyms/field-words.ts';
import { renamedValue } from './explain-renamed.ts';
import { settings } from './measurement-settings.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for measurements and their settings that are misplaced or have another name. */

/** The names of the settings of each measurement. */
const SETTINGS: readonly (readonly [measurement: string, names: readonly string[]])[] = Object.entries(
  settings.shape,
).map(([measurement, schema]) => [measurement, Object.keys(schema.unwrap().shape)]);

/** Field names that clients use for the only measurement of a call. */
const MEASUREMENT = /^(?:type|kind|mode|analysis_?type|what|filter|operation|action|detect)$/i;

/** The measurement in a field with another name. undefined for other fields and values. */
function measuredKind(key: string, parent: unknown): Measurement | undefined {
  const value = memberAt(parent, [key]);
  if (!MEASUREMENT.test(key) || typeof value !== 'string' || memberAt(parent, ['measure']) !== undefined)
    return undefined;
  return (
    MEASUREMENTS.find((one) => one === value.toLowerCase()) ??
    (meantChoice(value, MEASUREMENTS) as Measurement | undefined)
  );
}

/** The fix for settings of a measurement outside "settings": `{"noise": "-30dB"}`. */
export function measurementFix({ key, parent, known }: SentField): Edits | undefined {
  const kind = measuredKind(key, parent);
  if (kind !== undefined) return sendMember('measure', [kind]);
  const named = Object.keys(parent).flatMap((name) => measuredKind(name, parent) ?? []);
  const measured: unknown = parent['measure'] ?? (named.length > 0 ? named : undefined);
  if (!Array.isArray(measured)) return undefined;
  const meant = measured.map((one) => meantChoice(stringOf(one), MEASUREMENTS) ?? one);
  const groups = SETTINGS.filter(([group]) => meant.includes(group));
  const settingOf = (own: readonly string[], sent: string): Readonly<Record<string, unknown>> => {
    const name = own.includes(sent) ? sent : meantField(sent, own);
    const value = name === undefined ? undefined : renamedValue(name, memberAt(parent, [sent]));
    return name === undefined || value === undefined ? {} : { [name]: value };
  };
  const beside = Object.keys(parent).filter((one) => !known.includes(one));
  const found = groups.flatMap(([group, own]) => {
    if (Object.keys(settingOf(own, key)).length === 0) return [];
    // If several fields are unknown, each fix contains the settings of all fields, because one fix replaces the result of another.
    return [{ [group]: Object.assign({}, ...beside.map((one) => settingOf(own, one))) as object }];
  });
  const [only, ...others] = found;
  if (only !== undefined) return others.length === 0 ? sendMember('settings', only) : undefined;
  const [group, own = []] = groups[0] ?? [];
  const value: unknown = memberAt(parent, [key]);
  if (groups.length !== 1 || typeof value !== 'number' || !/threshold|limit|level/i.test(key)) return undefined;
  const names = own.flatMap((one) => (/Seconds$/.test(one) ? [] : [JSON.stringify(one)]));
  return orElse(leaveOut(), `send it in "settings" of "${group}" under the name that is meant: ${names.join(', ')}`);
}

/** The fix for settings without the group of their measurement: `{"noiseDb": -30}` instead of `{"silence": {"noiseDb": -30}}`. */
export function settingsFix(
  parent: unknown,
  known: readonly string[],
  unknown: readonly string[],
  measured: unknown,
): Edits | undefined {
  const wanted = (Array.isArray(measured) ? measured : []).map(
    (one) => meantChoice(stringOf(one), MEASUREMENTS) ?? one,
  );
  const present = known.filter((group) => memberAt(parent, [group]) !== undefined);
  const named = present.length > 0 ? present : known.filter((group) => wanted.includes(group));
  const sent = SETTINGS.flatMap(([group, own]) => {
    if (!known.includes(group) || (named.length > 0 && !named.includes(group))) return [];
    const meant = unknown.map((name) => (own.includes(name) ? name : meantField(name, own)));
    if (meant.includes(undefined)) return [];
    const values = unknown.map((name, at) => [meant[at], renamedValue(meant[at] ?? '', memberAt(parent, [name]))]);
    const before = memberAt(parent, [group]);
    const all = { ...(isMembers(before) && before), ...(Object.fromEntries(values) as object) };
    return [[group, all] as const];
  });
  const [only, ...others] = sent;
  if (only === undefined) return undefined;
  if (others.length === 0)
    return present.length === 0 && wanted.length > 0
      ? sendMember('settings', { [only[0]]: only[1] })
      : sendMember(...only);
  const choices = others.map(([group, all]) => `${JSON.stringify(group)}: ${JSON.stringify(all)}`);
  return orElse(sendMember(...only), choices.join(' or '));
}

/** Whether the object has the settings of one measurement. `known`: the fields that the object may have. */
export const isSettings = (known: readonly string[]): boolean =>
  SETTINGS.some(([, own]) => own.join() === known.join());
