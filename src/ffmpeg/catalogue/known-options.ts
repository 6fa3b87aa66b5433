import type { CliFacts, CliHelp, Place } from './catalogue.ts';
import { KNOWN_OPTIONS } from './known-options-table.ts';

type Release = readonly [major: number, minor: number];

interface Row {
  readonly releases: ReadonlySet<string>;
  readonly help: string;
  readonly facts: CliFacts;
}

/**
 * What need not be asked of a release: the options that the recorded releases next to it, or itself, describe in the
 * words of `help` and were found to treat alike. A question costs four processes, so a first request would wait for
 * them; a release that lies outside of what was recorded, or a snapshot, is asked all the same.
 */
export function knownFacts(
  release: Release | undefined,
  help: ReadonlyMap<string, CliHelp>,
): ReadonlyMap<string, CliFacts> {
  const known = new Map<string, CliFacts>();
  const { rows, recorded } = table();
  const beside = release === undefined ? [] : neighbours(release, recorded);
  if (beside.length === 0) return known;
  for (const [name, ofName] of rows) {
    const said = helpOf(name, help) ?? '';
    const row = ofName.find((one) => one.help === said && beside.every((version) => one.releases.has(version)));
    if (row !== undefined) known.set(name, row.facts);
  }
  return known;
}

/** The help of an option; `noautorotate` is not listed, but is `autorotate` switched off. */
export const helpOf = (name: string, help: ReadonlyMap<string, CliHelp>): string | undefined =>
  (help.get(name) ?? (name.startsWith('no') ? help.get(name.slice(2)) : undefined))?.help;

const numberOf = ([major, minor]: Release): number => major * 1000 + minor;

const releaseOf = (version: string): Release => {
  const [major = '', minor = ''] = version.split('.');
  return [Number(major), Number(minor)];
};

/** The recorded release itself, or the one before and the one after; none where it lies outside. */
function neighbours(release: Release, recorded: ReadonlySet<string>): readonly string[] {
  const wanted = numberOf(release);
  const sorted = [...recorded].sort((a, b) => numberOf(releaseOf(a)) - numberOf(releaseOf(b)));
  const after = sorted.find((version) => numberOf(releaseOf(version)) >= wanted);
  if (after === undefined) return [];
  if (numberOf(releaseOf(after)) === wanted) return [after];
  const before = sorted.findLast((version) => numberOf(releaseOf(version)) < wanted);
  return before === undefined ? [] : [before, after];
}

/** Read once a first start, so not kept. */
function table(): { readonly rows: ReadonlyMap<string, readonly Row[]>; readonly recorded: ReadonlySet<string> } {
  const rows = new Map<string, Row[]>();
  const recorded = new Set<string>();
  for (const line of KNOWN_OPTIONS.trim().split('\n')) {
    const [versions = '', name = '', takes, place = '', ...help] = line.split('|');
    const releases = new Set(versions.split(' '));
    for (const version of releases) recorded.add(version);
    if (!isPlace(place)) throw new Error(`known-options-table.ts: ${line}`);
    const row = { releases, help: help.join('|'), facts: { argument: takes === 'argument', place } };
    rows.set(name, [...(rows.get(name) ?? []), row]);
  }
  return { rows, recorded };
}

const PLACES: ReadonlySet<string> = new Set(['global', 'input', 'output', 'both', 'nowhere'] satisfies Place[]);
const isPlace = (text: string): text is Place => PLACES.has(text);
