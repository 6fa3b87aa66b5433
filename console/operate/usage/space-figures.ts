import type { UsageList } from '@telecine/client';
import { formatBytes } from '../../ui/format.ts';

/** The space of the disk by what uses it. The parts add up to the size of the disk. */
export function spaceFigures({
  disk,
  total,
}: Pick<UsageList, 'disk' | 'total'>): readonly (readonly [name: string, value: string])[] {
  const ofClients = [
    ['Files of clients', formatBytes(total.storedBytes)],
    ['Bins', formatBytes(total.binBytes)],
  ] as const;
  if (disk === undefined) return ofClients;
  const { totalBytes, freeBytes, otherBytes } = disk;
  return [
    ['Disk', formatBytes(totalBytes)],
    ...ofClients,
    ['Other data', formatBytes(otherBytes)],
    ['Free', `${formatBytes(freeBytes)} (${percentOf(freeBytes, totalBytes)})`],
  ];
}

/** A share as whole percent, rounded down: a disk with less than one percent is at 0 %. */
const percentOf = (part: number, whole: number): string => `${Math.floor((100 * part) / Math.max(1, whole))} %`;

/** The shares of the disk, for a bar. Empty: the size of the disk is not known. */
export function spaceShares({ disk, total }: Pick<UsageList, 'disk' | 'total'>): readonly SpaceShare[] {
  if (disk === undefined) return [];
  return [
    { part: 'clients', bytes: total.storedBytes },
    { part: 'bins', bytes: total.binBytes },
    { part: 'other', bytes: disk.otherBytes },
    { part: 'free', bytes: disk.freeBytes },
  ];
}

export interface SpaceShare {
  readonly part: 'clients' | 'bins' | 'other' | 'free';
  readonly bytes: number;
}
